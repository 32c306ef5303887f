import Notation
import Security
import Synchronization
import ZeroMQ

/// The reactor judges handshakes by their keys, and takes keys and grants that were read again.
extension Reactor {
    var clients: ClientRights {
        _read { yield sockets.handshakes.clients }
        _modify { yield &sockets.handshakes.clients }
    }

    /// Answers what was asked, at most so many times: a handshake waits until its turn comes.
    func answerHandshakes() throws(ZeroMQError) {
        for _ in 0..<Limits.handshakesPerRoundMax {
            guard let question = try sockets.handshakes.next(by: &frames.frame) else { return }
            let answer = judge(question)
            try sockets.handshakes.answer(question, answer)
        }
    }

    private func judge(_ question: Handshakes.Question) -> Handshakes.Answer {
        guard question.domain != "control" || sockets.letInToControl(),
            traffic.admission.mayCome(question.address, to: question.domain)
        else {
            counters.add(.handshakesRefused)
            return .refused
        }
        guard let key = question.key else { return .welcome(client: nil) }
        guard let client = clients.number(of: key), let grant = clients.grant(of: client) else {
            counters.add(.handshakesRefused)
            operations.log.write(
                .keyRefused, "\(key.text) from \(question.address) is not authorized")
            return .refused
        }
        guard mayConnect(grant, to: question.domain) else {
            counters.add(.handshakesRefused)
            countUnauthorized(client)
            operations.log.write(
                .keyRefused,
                "client \"\(clients.name(of: client))\" from \(question.address) may not read at "
                    + "this endpoint; it may at \(endpoints(of: grant))")
            return .refused
        }
        return .welcome(client: client)
    }

    private func endpoints(of grant: Grant) -> String {
        let group = ReaderGroupKey(grant).flatMap { sockets.group(of: $0) }
        return group?.endpoints.joined(separator: ", ") ?? "none"
    }

    /// Whether a client may connect to a socket: updates are read at the socket of its group.
    private func mayConnect(_ grant: Grant, to domain: String) -> Bool {
        guard !["events", "push", "control"].contains(domain) else { return true }
        if grant.readsEverything { return domain == "updates" }
        return ReaderGroupKey(grant).flatMap { sockets.group(of: $0) }
            .map { ReaderGroup.domain($0.number) == domain } ?? false
    }

    /// Takes the keys and grants of a configuration that was read again; in its place the error
    /// where the endpoint of a group cannot be bound.
    ///
    /// Where somebody was removed or has other rights, every connection that showed a key ends: the
    /// system does not tell whose a connection is. The others connect again by themselves.
    func takeKeys(_ configuration: Configuration) -> Result<Configuration, StartError> {
        let security = configuration.security
        guard security.serverKey != nil, operations.configuration.security.serverKey != nil else {
            return .success(configuration)
        }
        if let flaw = clients.flaw(of: security.access) { return .failure(StartError(flaw)) }
        let keys = security.access.groups
        let before = sockets.peerPorts.all
        do throws(ZeroMQError) {
            let ended = sockets.groups.filter { !keys.contains($0.key) }
            try sockets.exchange(ended, for: keys)
            polling.watch(sockets.groups)
            forget(ended)
        } catch {
            // Nothing else changes; but a key that was taken away must not stay for another's flaw.
            take(clients.list.keeping(keysOf: security.access), closing: before)
            return .failure(StartError("the endpoint of a group of readers: \(error)"))
        }
        let former = clients.list
        take(security.access, closing: before)
        if let names = security.widened(from: operations.configuration.security) {
            operations.log.write(
                .grantsWidened,
                "\(names): the last table of [security.clients] is gone; an empty "
                    + "[security.clients] leaves them nothing but hello")
        }
        if security.access != former || !security.warnings.isEmpty { reportKeys(security) }
        return .success(configuration)
    }

    /// Takes a list of clients, and ends the connections to these ports where it lacks some client
    /// or some right of the one before.
    private func take(_ list: AccessList, closing ports: [PeerPorts.Port]) {
        let former = clients.list
        clients.take(list)
        if list.lacksSome(of: former) { ConnectionCutter.cutAll(at: ports.map(\.number)) }
    }

    /// Tells the log who may come in, and what is wrong with the files of keys.
    func reportKeys(_ security: SecuritySettings) {
        for warning in security.warnings { operations.log.write(warning.event, warning.text) }
        guard security.serverKey != nil else { return }
        var text = "\(security.access.clients.count) clients"
        for group in sockets.groups {
            text +=
                "; those who may read \(group.key.read.texts.joined(separator: ", "))"
                + "\(group.key.touches ? "" : " without touches") connect to "
                + group.endpoints.joined(separator: ", ")
        }
        operations.log.write(.keysTaken, text)
    }

    // MARK: Cuts

    /// Counts frames of the message that is being skipped, whose last one was just received. Who
    /// sends very many is cut.
    func noteSurplus(_ count: Int) {
        guard let sender = frames.frame.sender else { return }
        let now = Clock.monotonic()
        guard frames.surplus.take(count, of: sender, at: now) else { return }
        if let host = frames.frame.host { traffic.admission.newcomers.noteCut(host, at: now) }
        cut(sender.descriptor, at: sockets.peerPorts.all.map(\.number), .tooManyFrames)
    }

    func cut(_ descriptor: CInt, at ports: [Int], _ reason: ConnectionCutter.Reason) {
        let cutter = ConnectionCutter(counters: counters, log: operations.log)
        cutter.cut(descriptor, at: ports, reason)
    }
}
