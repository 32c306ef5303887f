import Interactions
import Notation
package import Protocol
package import Sessions

/// Why a saved session cannot be read: one line for a person.
package struct SessionDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

extension SavedSession {
    /// The version of the layout; a reader refuses versions that it does not know.
    private static var format: Int { 1 }

    /// Appends the record as one JSON object.
    package func write(into buffer: inout ByteBuffer) {
        writeBeginning(into: &buffer)
        for (place, component) in components.enumerated() {
            component.write(isFirst: place == 0, into: &buffer)
        }
        Self.writeEnd(into: &buffer)
    }

    /// The part before the components.
    func writeBeginning(into buffer: inout ByteBuffer) {
        buffer.append("{\"format\":")
        buffer.json(Self.format)
        buffer.key("scene")
        switch source {
        case .named(let name): buffer.json(name)
        case .document(let document): buffer.append(document)
        }
        buffer.key("seed")
        // A string, because many readers round a number beyond 53 bits.
        buffer.json(String(seed))
        buffer.key("version")
        buffer.json(version)
        buffer.key("life")
        buffer.json(life)
        buffer.key("seen")
        buffer.json(seenTotal)
        buffer.key("counts")
        buffer.append("{")
        for (place, entry) in counts.entries.enumerated() {
            buffer.member(entry.kind, isFirst: place == 0)
            buffer.json(entry.count)
        }
        buffer.append("}")
        buffer.key("components")
        buffer.append("{")
    }

    static func writeEnd(into buffer: inout ByteBuffer) { buffer.append("}}") }

    package init(document bytes: [UInt8]) throws(SessionDocumentError) {
        let node: Node
        do throws(DocumentError) {
            node = try Document.json(bytes)
        } catch {
            throw SessionDocumentError(description: error.message)
        }
        do throws(TableError) {
            try self.init(node)
        } catch {
            throw SessionDocumentError(description: error.description)
        }
    }

    private init(_ node: Node) throws(TableError) {
        var table = try TableReader(node, path: "session")
        for key in ["format", "scene", "seed", "components"] { try table.require(key) }
        let format = try table.whole("format", in: 1...Int.max)
        guard format == Self.format else {
            throw table.error(
                "format",
                "is \(format ?? 0), made by a later version; this one knows \(Self.format)")
        }
        let source: Source
        switch table.node("scene") {
        case let scene? where scene.string != nil: source = .named(scene.string ?? "")
        case let scene? where scene.members != nil:
            source = .document(String(decoding: scene.json(), as: UTF8.self))
        default: throw table.error("scene", "must be a name or a scene")
        }
        guard let seed = UInt64(try table.string("seed", default: "")) else {
            throw table.error("seed", "must be the digits of a number of 64 bits")
        }
        self.init(
            source: source, seed: seed, components: [], counts: BadgeCounts(),
            version: try table.whole("version", default: 0, in: 0...Int.max),
            life: try table.whole("life", default: 0, in: 0...Int.max),
            seenTotal: try table.whole("seen", default: 0, in: 0...Int.max))
        for member in try table.members("counts") {
            guard let count = member.value.int, (0...BadgeCounts.countMax).contains(count) else {
                throw table.error("counts", "\(member.name) must be a count")
            }
            counts.set(member.name, to: count)
        }
        for member in try table.members("components") {
            components.append(
                Component(
                    id: member.name,
                    state: try SavedState(member.value, path: "component \(member.name)")))
        }
        try table.finish()
    }
}

extension SavedSession.Component {
    /// A member of the table of components.
    func write(isFirst: Bool, into buffer: inout ByteBuffer) {
        buffer.member(id, isFirst: isFirst)
        state.write(into: &buffer)
    }
}

extension TableReader {
    fileprivate mutating func members(_ key: String) throws(TableError) -> [Node.Member] {
        guard let node = node(key) else { return [] }
        guard let members = node.members else { throw error(key, "must be a table") }
        return members
    }
}

// MARK: - Components

extension SavedState {
    fileprivate func write(into buffer: inout ByteBuffer) {
        buffer.append("{\"kind\":")
        buffer.json(kind)
        switch self {
        case .toss: break
        case .tips(let index, let isPresented):
            buffer.key("index")
            buffer.json(index)
            buffer.key("presented")
            buffer.json(isPresented)
        case .navigation(let stack):
            buffer.key("stack")
            buffer.list(stack) { $0.json($1) }
        case .profile(let offset):
            buffer.key("offset")
            buffer.json(exactly: offset)
        case .list(let selected):
            buffer.key("selected")
            buffer.json(selected)
        case .reader(let index):
            buffer.key("index")
            buffer.json(index)
        case .tabs(let selected, let glows, let bubble):
            buffer.key("selected")
            buffer.json(selected)
            buffer.key("glows")
            buffer.list(glows) { $0.json($1) }
            buffer.key("bubble")
            buffer.json(bubble)
        case .dynamics(let world):
            buffer.key("world")
            buffer.json(encoding: world)
        }
        buffer.append("}")
    }

    fileprivate init(_ node: Node, path: String) throws(TableError) {
        var table = try TableReader(node, path: path)
        try table.require("kind")
        switch try table.string("kind", default: "") {
        case "toss": self = .toss
        case "tips":
            self = .tips(
                index: try table.place("index"),
                isPresented: try table.bool("presented", default: false))
        case "navigation":
            let stack = try table.strings("stack", countMax: Navigation.stackMax) ?? []
            self = .navigation(stack: stack)
        case "profile":
            self = .profile(offset: try table.number("offset", default: 0, in: .coordinate))
        case "list": self = .list(selected: try table.placeIfAny("selected"))
        case "reader": self = .reader(index: try table.place("index"))
        case "tabs":
            let glows = table.node("glows")?.array?.map { $0.bool ?? false } ?? []
            self = .tabs(
                selected: try table.place("selected"), glows: glows,
                bubble: try table.placeIfAny("bubble"))
        case "dynamics":
            try table.require("world")
            self = .dynamics(SavedWorld(table.node("world") ?? Node(.null)))
        case let kind: throw table.error("kind", "\"\(kind)\" is not known")
        }
        try table.finish()
    }
}

extension TableReader {
    fileprivate mutating func place(_ key: String) throws(TableError) -> Int {
        try whole(key, default: 0, in: 0...Int.max)
    }

    fileprivate mutating func placeIfAny(_ key: String) throws(TableError) -> Int? {
        if node(key)?.isNull == true { return nil }
        return try whole(key, in: 0...Int.max)
    }
}

extension ByteBuffer {
    fileprivate mutating func list<Element>(
        _ elements: [Element], _ write: (inout ByteBuffer, Element) -> Void
    ) {
        append("[")
        for (place, element) in elements.enumerated() {
            if place > 0 { append(",") }
            write(&self, element)
        }
        append("]")
    }

    fileprivate mutating func json(_ value: Int?) {
        if let value { json(value) } else { append("null") }
    }
}
