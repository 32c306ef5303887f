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
        buffer.append("\"")
        buffer.json(Node(.unsigned(UInt(seed))))
        buffer.append("\"")
        buffer.key("version")
        buffer.json(version)
        buffer.key("life")
        buffer.json(generation)
        buffer.key("seen")
        buffer.json(seenTotal)
        if revision > 1 {
            buffer.key("revision")
            buffer.json(revision)
        }
        if rowsFloor > 0 {
            buffer.key("rows")
            buffer.json(rowsFloor)
        }
        buffer.key("counts")
        buffer.append("{")
        for (place, entry) in counts.entries.enumerated() {
            buffer.member(entry.kind, isFirst: place == 0)
            buffer.json(entry.count)
        }
        buffer.append("}")
        if !variables.isEmpty {
            buffer.key("variables")
            buffer.append("{")
            for (place, variable) in variables.enumerated() {
                buffer.member(variable.name, isFirst: place == 0)
                buffer.json(variable.value.node)
            }
            buffer.append("}")
        }
        if !waits.isEmpty {
            buffer.key("waits")
            buffer.json(encoding: waits)
        }
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
            version: try table.whole("version", default: 0, in: 0...Limits.versionStoredMax),
            generation: try table.whole("life", default: 0, in: 0...Limits.livesMax),
            seenTotal: try table.whole("seen", default: 0, in: 0...Node.exactMax),
            revision: try table.whole(
                "revision", default: 1, in: 1...Limits.versionStoredMax))
        rowsFloor = try table.whole("rows", default: 0, in: 0...Limits.versionImportedMax)
        let members = try table.members("counts")
        guard members.count <= BadgeCounts.kindsMax else {
            throw table.error("counts", "must be at most \(BadgeCounts.kindsMax)")
        }
        for member in members {
            guard let count = member.value.int, (0...BadgeCounts.countMax).contains(count),
                Name.isValid(member.name)
            else {
                throw table.error(
                    "counts", "\(TableReader.shortened(member.name)) must be a count")
            }
            counts.set(member.name, to: count)
        }
        try readVariables(&table)
        let states = try table.members("components")
        components.reserveCapacity(states.count)
        for member in states {
            do throws(TableError) {
                components.append(Component(id: member.name, state: try SavedState(member.value)))
            } catch {
                var error = error
                error.path = "component \(member.name)"
                throw error
            }
        }
        try table.finish()
    }
}

extension SavedSession {
    private mutating func readVariables(_ table: inout TableReader) throws(TableError) {
        let members = try table.members("variables")
        guard members.count <= Limits.variablesMax else {
            throw table.error("variables", "must be at most \(Limits.variablesMax)")
        }
        for member in members {
            guard let value = VariableValue(member.value), Name.isValid(member.name) else {
                throw table.error(
                    "variables",
                    "\(TableReader.shortened(member.name)) must be \(VariableValue.rule)")
            }
            variables.append(Variable(member.name, value))
        }
        guard let node = table.node("waits") else { return }
        guard let list = node.array, list.count <= Limits.waitsStoredMax else {
            throw table.error("waits", "must be a list of at most \(Limits.waitsStoredMax)")
        }
        do throws(NodeError) {
            waits = try node.decode([SavedWait].self)
        } catch {
            throw table.error("waits", error.message)
        }
    }
}

extension SavedSession {
    /// The name of the scene in a stored record; nil: it has none, or the text is no record. Reads
    /// nothing but this, because a record may have a megabyte.
    package static func sceneName(inDocument bytes: [UInt8]) -> String? {
        // The scene is the second member.
        guard let scene = value(of: "scene", in: bytes, amongFirst: 2) else { return nil }
        guard bytes[scene.lowerBound] == UInt8(ascii: "{") else { return text(bytes[scene]) }
        return value(of: "name", in: bytes, range: scene).flatMap { text(bytes[$0]) }
    }

    /// Where the value of a member stands.
    private static func value(
        of name: String, in bytes: [UInt8], range: Range<Int>? = nil, amongFirst count: Int = .max
    ) -> Range<Int>? {
        let members = try? JSONScanner.members(of: bytes, in: range, atMost: count)
        return members?.last { bytes[$0.name].elementsEqual(name.utf8) }?.value
    }

    private static func text(_ json: ArraySlice<UInt8>) -> String? {
        (try? Document.json(Array(json)))?.string
    }
}

extension SavedSession.Component {
    /// A member of the table of components.
    func write(isFirst: Bool, into buffer: inout ByteBuffer) {
        buffer.member(id, isFirst: isFirst)
        buffer.json(encoding: state)
    }
}

extension TableReader {
    fileprivate mutating func members(_ key: String) throws(TableError) -> [Node.Member] {
        guard let node = node(key) else { return [] }
        guard let members = node.members else { throw error(key, "must be a table") }
        return members
    }
}
