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
            version: try table.whole("version", default: 0, in: 0...Limits.versionStoredMax),
            generation: try table.whole("life", default: 0, in: 0...Limits.livesMax),
            seenTotal: try table.whole("seen", default: 0, in: 0...Node.exactMax),
            revision: try table.whole(
                "revision", default: 1, in: 1...Limits.versionImportedMax))
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
