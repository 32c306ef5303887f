package import Interactions

/// The scenes that a session may become by their names. It is an object, which all sessions of a
/// place share: each of them keeps one word of it.
package final class SceneCatalog: Sendable {
    package static let none = SceneCatalog([:])

    package let scenes: [String: Scene]

    package init(_ scenes: [String: Scene]) { self.scenes = scenes }

    /// Throws `unknown-scene`, with the names that there are.
    package func scene(_ name: String) throws(Rejection) -> Scene {
        guard let scene = scenes[name] else {
            throw .unknown(scene: name, among: scenes.keys.sorted())
        }
        return scene
    }
}
