package import Interactions
package import Notation
import Protocol
import Scenes
package import Sessions

/// Why a scene cannot be used: one line for a person.
package struct SceneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The scene's file; nil if it came in a message.
    package var file: String?
    /// Both in the file, from 1.
    package var line: Int?
    package var column: Int?
    /// As `component tips, key threshold: must be …`.
    package var message: String

    init(file: String, message: String) {
        self.file = file
        self.message = message
    }

    init(_ error: TableError, file: String? = nil) {
        self.file = file
        line = error.line
        message = error.description
    }

    init(_ error: DocumentError, file: String? = nil) {
        self.file = file
        line = error.line
        column = error.column
        message = error.message
    }

    /// `file:line: message`, as far as the place is known.
    package var description: String {
        var place = file.map { "\($0):" } ?? ""
        if let line { place += "\(line):" }
        if let column { place += "\(column):" }
        return place.isEmpty ? message : "\(place) \(message)"
    }

    package var rejection: Rejection { Rejection(.badScene, message) }
}

/// Makes valid scenes of the objects that describe them.
package enum SceneReader {
    /// A scene file in TOML. `fallbackName` is the scene's name if the file gives none.
    package static func scene(
        toml bytes: [UInt8], file: String, fallbackName: String?
    ) throws(SceneError) -> Scene {
        let node: Node
        do {
            node = try Document.toml(bytes, takesDates: true)
        } catch {
            throw SceneError(error, file: file)
        }
        do throws(TableError) {
            if let date = SceneTable.dates(in: node).first { throw date }
            var scene = try SceneTable.read(node, fallbackName: fallbackName)
            scene.text = text(node, name: scene.name)
            scene.reviser = reviser
            return scene
        } catch {
            throw SceneError(error, file: file)
        }
    }

    /// A scene object. `isBounded` and `isStrict` are those of `SceneTable.read`.
    package static func scene(
        from node: Node, fallbackName: String?, isBounded: Bool = true, isStrict: Bool = true
    ) throws(SceneError) -> Scene {
        do {
            var scene = try SceneTable.read(
                node, fallbackName: fallbackName, isBounded: isBounded, isStrict: isStrict)
            let document = String(decoding: node.json(), as: UTF8.self)
            scene.document = document
            // One text is kept where both are the same.
            let isNamed = scene.name == nil || node["name"] != nil
            scene.text = isNamed ? document : text(node, name: scene.name)
            scene.reviser = reviser
            return scene
        } catch {
            throw SceneError(error)
        }
    }

    /// A scene as one JSON object, with its name if it has one.
    private static func text(_ node: Node, name: String?) -> String {
        var members = node.members ?? []
        if let name, node["name"] == nil {
            members.insert(Node.Member("name", Node(.string(name))), at: 0)
        }
        return String(decoding: Node(.object(members)).json(), as: UTF8.self)
    }
}
