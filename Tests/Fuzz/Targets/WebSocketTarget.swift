import Notation
import Protocol
import Web

extension Target {
    /// A text message of a WebSocket client. The daemon is told what the message says.
    static let webSocket = Target(name: "websocket") { bytes in
        let tree = String(validating: bytes, as: UTF8.self) == nil ? nil : try? Document.json(bytes)
        do throws(ClientFault) {
            let message = try ClientMessage(bytes)
            // The rest is for the transport, or for the daemon: it refuses the same text.
            guard let tree else { return }
            judge(message, tree)
        } catch {
            expectWords(error.message)
            // An escape in a name is refused, and so is a request that is no object.
            guard error.code == "bad-json", !bytes.contains(UInt8(ascii: "\\")) else { return }
            let request = tree?["request"] ?? tree
            expect(tree?.members == nil || request?.members == nil, "\(bytes.text): \(error)")
        }
    }

    private static func judge(_ message: ClientMessage, _ tree: Node) {
        switch message {
        case .publish(let topic, let body):
            expect(Array((tree["topic"]?.string ?? "").utf8) == topic, "another topic")
            expect(read(body) == tree["body"], "another body: \(body.text)")
        case .subscribe(let prefix):
            expect(Array((tree["subscribe"]?.string ?? "").utf8) == prefix, "another prefix")
        case .unsubscribe(let prefix):
            expect(Array((tree["unsubscribe"]?.string ?? "").utf8) == prefix, "another prefix")
        case .bind(let session):
            expect(tree["bind"]?.string == session, "another session")
        case .unbind(let session):
            expect(tree["unbind"]?.string == session, "another session")
        case .request(let request):
            let sent = request.text(number: 7)
            guard let text = try? Document.json(sent), let asked = tree["request"]?.members else {
                fatalError("no JSON: \(sent.text)")
            }
            let members = [Node.Member("id", Node(.integer(7)))]
            expect(
                text.members == members + asked.filter { $0.name != "id" },
                "another request: \(sent.text)")
            expect(request.id.flatMap(read) == tree["request"]?["id"], "another id")
        }
    }

    /// A value of any kind.
    private static func read(_ value: [UInt8]) -> Node? {
        (try? Document.json([UInt8(ascii: "[")] + value + [UInt8(ascii: "]")]))?.array?.first
    }
}
