import Notation
import Protocol
import Web

/// Sessions that live as long as a page.
extension Bridge {
    /// Binds a session. It is a promise to close it, so it takes the right to close: the bridge's
    /// own, in `--read-only`, and the daemon's once it is asked, which sees the same key.
    func bind(_ name: String, _ number: ConnectionNumber) throws(ClientFault) {
        if settings.isReadOnly {
            throw ClientFault("unauthorized", "this gesture-web is read-only")
        }
        if let reason = bound.bind(name, to: number) { throw ClientFault("busy", reason) }
    }

    /// Closes the sessions whose page has not come back, and that nobody else watches. Four times a
    /// second.
    func closeLeftSessions(at now: Int) {
        let late = bound.late(at: now)
        // A daemon that is away cannot be asked, and may keep the sessions.
        guard isDaemonThere, !late.isEmpty else { return }
        var room = Limits.webClosingMax - pending.values.count(where: \.asker.isClosing)
        guard room > 0 else { return }
        let watched = index.sessions
        for name in late {
            if watched.contains(Array(name.utf8)) {
                bound.wait(for: name, until: seconds(Limits.webBoundSeconds))
                continue
            }
            guard room > 0 else { continue }
            let isAsked = ask(
                .closing(name), until: seconds(Limits.webRequestSeconds), about: Array(name.utf8),
                isRepeated: false
            ) { Array("{\"id\":\($0),\"op\":\"close\",\"session\":\"\(name)\"}".utf8) }
            guard isAsked else { return }
            room -= 1
            // Without an answer it is asked again, and not before this one cannot come any more.
            bound.wait(
                for: name, until: seconds(Limits.webRequestSeconds + Limits.webBoundSeconds))
        }
    }

    /// The daemon has answered that it closes a session, or why not.
    func noteClosing(_ name: String, _ reply: DaemonReply) {
        let rest = [UInt8(ascii: "{")] + reply.rest + [UInt8(ascii: "}")]
        let content = try? Document.json(rest)
        if content?["ok"]?.bool == true {
            counters.sessionsClosed += 1
            bound.forget(name)
            return
        }
        // It is gone already, or the bridge's key may not close it. All else may pass.
        let code = content?["error"]?["code"]?.string
        if code == "unknown-session" || code == "unauthorized" { bound.forget(name) }
    }
}
