import Geometry
package import Interactions
package import Notation
package import Sessions

/// The commands to a session that change its scene.
extension SceneChange {
    /// `update` with an optional `revision` beside its scene.
    package init(updateTo scene: SceneReference, _ body: Node) throws(Rejection) {
        self = try Rejection.reading(body) { (table) throws(TableError) in
            .update(scene, ofRevision: try table.whole("revision", in: 1...Node.exactMax))
        }
    }
}

extension SceneRevision {
    /// `resize` with `viewport` and optional `insets`.
    package init(resize body: Node) throws(Rejection) {
        self = try Rejection.reading(body) { (table) throws(TableError) in
            try table.require("viewport")
            let viewport = try table.size("viewport") ?? Size(0, 0)
            let insets =
                table.node("insets") == nil ? nil : try PlacementReader.insets(&table)
            return .resize(viewport: viewport, insets: insets)
        }
    }
}

extension ComponentValues {
    /// `set` with `component`, `values`, and optional `item` or `behavior`.
    package init(_ body: Node) throws(Rejection) {
        self = try Rejection.reading(body) { (table) throws(TableError) in
            try table.require("component")
            let component = try table.string("component", default: "")
            try table.require("values")
            guard let values = table.node("values")?.members else {
                throw table.error("values", "must be a table")
            }
            guard values.count <= Limits.keysSetMax else {
                throw table.error("values", "must have at most \(Limits.keysSetMax) keys")
            }
            let item = try table.name("item")
            let behavior = try table.name("behavior")
            if item != nil && behavior != nil {
                throw table.error("behavior", "cannot stand beside item")
            }
            let part = item.map { Part.item($0) } ?? behavior.map { .behavior($0) }
            return ComponentValues(component: component, part: part, values: values)
        }
    }
}

extension Rejection {
    /// Reads the arguments of a command. An absent one is `missing-field`, a wrong one `bad-value`.
    fileprivate static func reading<Value>(
        _ body: Node, _ read: (inout TableReader) throws(TableError) -> Value
    ) throws(Rejection) -> Value {
        do throws(TableError) {
            var table = try TableReader(body, path: "")
            return try read(&table)
        } catch {
            throw Rejection(error.isAbsence ? .missingField : .badValue, error.description)
        }
    }
}

extension Limits {
    /// Keys that one `set` writes anew: several times those of any table, so that an event of
    /// thousands is refused before the scene is read again for it.
    package static let keysSetMax = 256
}

extension Node? {
    /// Whether an optional member is there and true; throws where it is neither true nor false.
    package func isTrue(_ name: String) throws(Rejection) -> Bool {
        guard let node = self else { return false }
        if let truth = node.bool { return truth }
        throw .wrong(name, "must be true or false")
    }
}
