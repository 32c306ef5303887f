import Bridges
import Commands
import GesturedClient
import Notation

// The answers of the daemon: to messages of the broker, and to requests for sessions.
extension MQTTBridge {
    func takeReplies(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) {
        for reply in try daemon.replies() {
            guard let id = reply.id else { continue }
            if let asked = snapshot, asked.id == id {
                snapshot = nil
                take(reply, of: asked.session, at: moment)
                continue
            }
            guard let key = asked.removeValue(forKey: id) else { continue }
            switch reply.result {
            case .success(let node):
                let isDuplicate = node["duplicate"]?.bool ?? false
                _ = inbox.settle(key, .applied(isDuplicate: isDuplicate), at: moment)
            case .failure(.refused(let code, let message)):
                let answer = HouseAnswer.refused(code: code, message: message)
                if let request = inbox.settle(key, answer, at: moment) {
                    refuse(request.toldTopic, code, message, at: moment)
                }
            case .failure: break  // The request is sent again.
            }
        }
    }

    /// Asks for a session that found no room before, and may find it now.
    func askForLatecomer(_ daemon: DaemonConnection, at moment: Moment) {
        guard daemon.isThere, let session = mirror.nextLatecomer(at: moment) else { return }
        do throws(Failure) {
            let fields = [Node.Member("session", Node(.string(session)))]
            snapshot = (id: try daemon.ask("snapshot", fields), session: session)
        } catch {
            mirror.skip(latecomer: session, at: moment)
        }
    }

    private func take(_ snapshot: Control.Reply, of session: String, at moment: Moment) {
        switch snapshot.result {
        case .success(let node): mirror.take(snapshot: node, of: session, at: moment)
        case .failure(.refused(code: "unknown-session", message: _)):
            mirror.forget(latecomer: session)
        case .failure: mirror.skip(latecomer: session, at: moment)
        }
    }

    /// Tells of a message that was refused; the log names those that are for a variable.
    func refuse(_ topic: String, _ code: String, _ message: String, at moment: Moment) {
        reports.add(topic, code, message, at: moment)
        guard topics.variable(ofInput: topic) != nil else { return }
        let left = reports.complain(at: moment)
        guard left > 0 else { return }
        let more = left == 1 ? "; more of this minute stand on \(topics.rejected)" : ""
        BridgeLog.printWarning("\(broker.url): \(topic): \(code): \(message)\(more)")
    }
}
