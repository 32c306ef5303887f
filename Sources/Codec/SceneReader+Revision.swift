package import Interactions
import Notation
import Protocol
import Scenes
package import Sessions

/// Writes a change into the text of a scene and reads it again: so exactly the frames and
/// parameters that the scene does not give are computed anew.
extension SceneReader {
    static let reviser = SceneReviser { scene, revision in
        Result { () throws(Rejection) in try revised(scene, by: revision) }
    }

    /// The scene with something written into it. Where that changes nothing, it is the same.
    package static func revised(
        _ scene: Scene, by revision: SceneRevision
    ) throws(Rejection) -> Scene {
        guard let text = scene.text, let node = try? Document.json(Array(text.utf8)) else {
            throw Rejection(.internal, "this scene has no text that can be read again")
        }
        let changed = try SceneTable.revised(node, of: scene, by: revision)
        let json = changed.json()
        // Strings are equal that look the same: a text in another Unicode form is another one.
        if changed == node, json.elementsEqual(text.utf8) { return scene }
        guard json.count <= max(Limits.changedSceneBytesMax, text.utf8.count) else {
            throw Rejection(
                .badScene,
                "a scene that changes has at most \(Limits.changedSceneBytesMax) bytes")
        }
        // One that is deeper was accepted before, and may stay so.
        guard changed.depth <= max(Limits.sceneDepthMax, node.depth) else {
            throw Rejection(
                .badScene, "a scene is nested at most \(Limits.sceneDepthMax) levels deep")
        }
        do throws(SceneError) {
            // The session counts what its worlds have in all.
            return try self.scene(
                from: changed, fallbackName: scene.name, isBounded: false, isStrict: false)
        } catch {
            throw error.rejection
        }
    }
}

extension Limits {
    /// Bytes of a scene's text after a change: 10,000 rows with their content, and half a message,
    /// so that a session can still be exported.
    package static let changedSceneBytesMax = 512 * 1024
}
