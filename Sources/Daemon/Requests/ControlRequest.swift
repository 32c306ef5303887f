import Codec
import Interactions
import Notation
import Protocol
import Sessions

/// A request on the control socket, checked as far as that goes without a session.
enum ControlRequest {
    case hello
    case open(session: String, Result<SceneReference, Rejection>)
    case close(session: String)
    case publish(topic: [UInt8], body: [UInt8])
    case snapshot(session: String)
    case export(session: String)
    case `import`(session: String, document: Node)
    case sessions(after: String, limit: Int)
    case scenes
    case stats

    init(_ node: Node) throws(Rejection) {
        let operation = try node.requiredString("op")
        switch operation {
        case "hello": self = .hello
        case "scenes": self = .scenes
        case "stats": self = .stats
        case "open":
            let session = try node.session()
            do throws(Rejection) {
                self = .open(session: session, .success(try node.sceneReference()))
            } catch {
                self = .open(session: session, .failure(error))
            }
        case "close": self = .close(session: try node.session())
        case "snapshot": self = .snapshot(session: try node.session())
        case "export": self = .export(session: try node.session())
        case "import":
            guard let document = node["document"] else {
                throw Rejection(.missingField, "import needs document")
            }
            self = .import(session: try node.session(), document: document)
        case "sessions":
            self = .sessions(after: try node.after(), limit: try node.limit())
        case "publish":
            let topic = try node.requiredString("topic")
            guard let body = node["body"] else {
                throw Rejection(.missingField, "publish needs body")
            }
            self = .publish(topic: Array(topic.utf8), body: body.json())
        default:
            throw Rejection(.unknownOperation, "there is no operation \"\(operation.prefix(64))\"")
        }
    }
}

extension Node {
    fileprivate func requiredString(_ name: String) throws(Rejection) -> String {
        guard let node = self[name] else {
            throw Rejection(.missingField, "the request needs \(name)")
        }
        guard let text = node.string else {
            throw Rejection(.badValue, "\(name) must be a string")
        }
        return text
    }

    fileprivate func session() throws(Rejection) -> String {
        let session = try requiredString("session")
        guard Name.isValid(session) else {
            throw Rejection(
                .badValue,
                "session must be 1 to \(Limits.nameBytesMax) bytes of A-Z a-z 0-9 . _ ~ -")
        }
        return session
    }

    fileprivate func sceneReference() throws(Rejection) -> SceneReference {
        guard let node = self["scene"] else {
            throw Rejection(.missingField, "open needs scene")
        }
        if let name = node.string { return .named(name) }
        guard node.members != nil else {
            throw Rejection(.badValue, "scene must be a name or an object")
        }
        do throws(SceneError) {
            return .inline(try SceneReader.scene(from: node, fallbackName: nil))
        } catch {
            throw error.rejection
        }
    }

    fileprivate func after() throws(Rejection) -> String {
        guard let node = self["after"], !node.isNull else { return "" }
        guard let text = node.string else {
            throw Rejection(.badValue, "after must be a string")
        }
        return text
    }

    fileprivate func limit() throws(Rejection) -> Int {
        guard let node = self["limit"] else { return 100 }
        guard let limit = node.int, (1...Limits.sessionsListedMax).contains(limit) else {
            throw Rejection(
                .badValue,
                "limit must be a whole number from 1 to \(Limits.sessionsListedMax)")
        }
        return limit
    }
}
