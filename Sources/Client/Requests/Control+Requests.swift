import Notation
import Protocol

/// The requests of the protocol with typed fields and replies; `request(_:fields:)` sends others.
///
/// Each throws ``ClientError/refused(code:message:)`` with the daemon's code,
/// ``ClientError/noAnswer(endpoint:milliseconds:)`` after the connection's timeout, and
/// ``ClientError/badAnswer(endpoint:message:)`` for a reply that is none of the protocol's.
extension Control {
    /// Opens a session, or finds it open. Waits until it is as durable as the daemon makes it.
    ///
    /// Where `replacing` is true, an open session becomes the scene; otherwise it stays as it is.
    @discardableResult
    public func open(
        _ session: String, scene: SceneChoice, replacing: Bool = false
    ) throws(ClientError) -> OpenedSession {
        let choice =
            switch scene {
            case .named(let name): Node(.string(name))
            case .object(let bytes): try object(bytes, called: "the scene")
            }
        var fields = [about(session), Node.Member("scene", choice)]
        if replacing { fields.append(.init("replace", Node(.bool(true)))) }
        return try opened(by: try request("open", fields))
    }

    /// Closes a session and removes what is stored of it.
    public func close(_ session: String) throws(ClientError) {
        _ = try request("close", [about(session)])
    }

    /// One instant of a session. It includes every event that this control has published before.
    public func snapshot(_ session: String) throws(ClientError) -> SessionSnapshot {
        let reply = try read("snapshot", [about(session)])
        guard let epoch = reply["epoch"]?.string, let entries = reply["updates"]?.array else {
            throw badAnswer("a snapshot lacks epoch or updates")
        }
        var updates: [ReceivedUpdate] = []
        for entry in entries {
            guard let topic = entry["topic"]?.string, let body = entry["body"],
                let update = ReceivedUpdate(topic: topic, content: body, body: body.json())
            else { throw badAnswer("an update of a snapshot lacks topic, epoch, seq or t") }
            updates.append(update)
        }
        return SessionSnapshot(
            session: session, scene: reply["scene"]?.string, epoch: epoch, updates: updates)
    }

    /// Publishes an event, and waits until it is applied and as durable as the daemon makes it.
    ///
    /// It is tried as ``publish(topic:body:)-(_,String)`` is: where nothing answers, a notification
    /// or a command goes out three times with one id, and counts once.
    @discardableResult
    public func publish(_ event: ClientEvent) throws(ClientError) -> PublishReply {
        let reply = try publish(event.topic, event.fields)
        return PublishReply(
            isDuplicate: reply["duplicate"]?.bool ?? false,
            hasOpenedSession: reply["created"]?.bool ?? false, hit: hit(in: reply))
    }

    /// The view that a contact at a point of the viewport would touch; nil: there is none.
    public func hit(
        _ session: String, x: Double, y: Double
    ) throws(ClientError) -> SessionPicture.Hit? {
        let point = [Node.Member("x", Node(.number(x))), Node.Member("y", Node(.number(y)))]
        return hit(in: try read("hit", [about(session)] + point))
    }

    /// The names of the daemon's scenes.
    public func scenes() throws(ClientError) -> [String] {
        (try read("scenes")["scenes"]?.array ?? []).compactMap(\.string)
    }

    /// The daemon's version, run, clock and bounds.
    public func hello() throws(ClientError) -> DaemonGreeting {
        let reply = try read("hello")
        guard let version = reply["version"]?.string, let epoch = reply["epoch"]?.string,
            let time = reply["t"]?.double
        else { throw badAnswer("hello lacks version, epoch or t") }
        return DaemonGreeting(
            version: version, epoch: epoch, time: time,
            limits: (reply["limits"]?.members ?? []).reduce(into: [:]) {
                $0[$1.name] = $1.value.int
            })
    }

    /// The daemon's counters, bounds and latencies by name; docs/operations.md explains each.
    public func statistics() throws(ClientError) -> [String: Double] {
        (try read("stats")["stats"]?.members ?? []).reduce(into: [:]) {
            $0[$1.name] = $1.value.double
        }
    }

    /// The daemon's time, and the instant that a session shows.
    public func time(of session: String) throws(ClientError) -> SessionTime {
        let reply = try read("time", [about(session)])
        guard let wall = reply["t"]?.double, let instant = reply["instant"]?.double else {
            throw badAnswer("time lacks t or instant")
        }
        return SessionTime(wall: wall, instant: instant)
    }

    /// One instant of a session whole, as a JSON document in UTF-8 for ``open(_:document:)``.
    public func export(_ session: String) throws(ClientError) -> [UInt8] {
        guard let document = try read("export", [about(session)])["document"] else {
            throw badAnswer("an export lacks its document")
        }
        return document.json()
    }

    /// Opens a session that goes on from an exported instant; the name may be another one.
    @discardableResult
    public func open(
        _ session: String, document: [UInt8]
    ) throws(ClientError) -> OpenedSession {
        let document = try object(document, called: "the document")
        return try opened(by: request("import", [about(session), .init("document", document)]))
    }

    // MARK: Fields and replies

    private func read(
        _ operation: String, _ fields: [Node.Member] = []
    ) throws(ClientError) -> Node {
        try request(operation, fields, tries: Self.triesMax)
    }

    private func about(_ session: String) -> Node.Member {
        Node.Member("session", Node(.string(session)))
    }

    private func object(_ bytes: [UInt8], called name: String) throws(ClientError) -> Node {
        do throws(DocumentError) {
            let node = try Document.json(bytes, exactly: true)
            guard node.members != nil else {
                throw DocumentError(message: "\(name) is not a JSON object")
            }
            return node
        } catch {
            throw .refused(code: "bad-json", message: error.message)
        }
    }

    private func opened(by reply: Node) throws(ClientError) -> OpenedSession {
        guard let isNew = reply["created"]?.bool, let epoch = reply["epoch"]?.string else {
            throw badAnswer("an opened session lacks created or epoch")
        }
        return OpenedSession(isNew: isNew, epoch: epoch)
    }

    private func hit(in reply: Node) -> SessionPicture.Hit? {
        guard let component = reply["hit"]?["component"]?.string else { return nil }
        return SessionPicture.Hit(component: component, view: reply["hit"]?["view"]?.string)
    }
}
