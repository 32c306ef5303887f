import Interactions
package import Notation
package import Protocol
package import Sessions

/// A whole session in one document: its scene and its state.
///
/// `{"gestured-session":1,"scene":{…},"state":{…}}`; an import continues every motion.
package struct SessionExport: Sendable {
    /// The version of the layout; a reader refuses versions that it does not know.
    private static let format = 1
    private static let mark = "gestured-session"

    package let scene: Scene
    package let state: SessionSnapshot

    /// Appends the document. Returns false if the session's scene has no text to write.
    package static func write(_ session: Session, into buffer: inout ByteBuffer) -> Bool {
        guard let scene = session.scene.text else { return false }
        buffer.append("{\"gestured-session\":")
        buffer.json(format)
        buffer.key("scene")
        buffer.append(scene)
        buffer.key("state")
        buffer.json(Node(encoding: session.state))
        buffer.append("}")
        return true
    }

    /// Reads and checks a document; it does not make the session.
    package init(_ node: Node) throws(SessionDocumentError) {
        guard node.members != nil, let format = node[Self.mark] else {
            throw SessionDocumentError(
                description: "is no exported session: it has no \(Self.mark)")
        }
        guard format.int == Self.format else {
            let found = TableReader.shortened(String(decoding: format.json(), as: UTF8.self))
            throw SessionDocumentError(
                description: "\(Self.mark) is \(found), of another version; "
                    + "this one knows \(Self.format)")
        }
        guard let sceneNode = node["scene"], sceneNode.members != nil else {
            throw SessionDocumentError(description: "scene must be an object")
        }
        guard let stateNode = node["state"] else {
            throw SessionDocumentError(description: "state is required")
        }
        do throws(SceneError) {
            scene = try SceneReader.scene(from: sceneNode, fallbackName: nil, isStrict: false)
        } catch {
            throw SessionDocumentError(description: "scene: \(error.description)")
        }
        do throws(NodeError) {
            state = try stateNode.decode(SessionSnapshot.self)
        } catch {
            throw SessionDocumentError(description: "state: \(error.description)")
        }
    }
}
