import Codec
import Commands
import Geometry
import GesturedClient
import Notation
import Protocol
import RecordingFiles
import Recordings
import Sessions
import Simulation

/// Prepares the daemon for a recording: the steps before the first event.
extension Context {
    /// Sessions with another scene that are named; more are only counted.
    private static let namedMax = 10
    /// Sessions whose viewports are asked for: each answer has the whole scene.
    private static let viewportsMax = 100

    /// Reads a recording, opens its sessions, and maps its places to their viewport.
    ///
    /// A bad file opens nothing. If a session is refused, nothing is played.
    func prepareReplay(_ source: RecordingSource, _ publisher: Publisher) throws(Failure)
        -> Recording
    {
        let content = try source.content()
        let session = source.options.session ?? "demo"
        let needsViewport = source.needsViewport(for: content)
        var viewport: (width: Double, height: Double)?
        if needsViewport { viewport = try self.viewport(of: session) }
        if needsViewport, viewport == nil, source.options.scene != nil {
            viewport = source.viewport(of: try scenesToName(arguments))
        }
        let reading = try source.reading(of: content, viewport: viewport)
        reading.printNotes()
        let recording = reading.recording
        guard let first = recording.events.first else { return recording }
        try requireDaemon()
        // The daemon must listen before the recording's clock starts.
        try daemon { () throws(ClientError) in
            try publisher.waitForSubscription(to: first.topic)
        }
        guard let scene = recording.scene else {
            try warnOfOutside(recording)
            return recording
        }
        try open(recording.sessionsToOpen, scene)
        // The daemon's scene of that name may differ from the one here.
        guard needsViewport, let shown = try self.viewport(of: session),
            shown != viewport ?? (ReadingOptions().viewport)
        else {
            try warnOfOutside(recording)
            return recording
        }
        let fitted = try source.reading(of: content, viewport: shown).recording
        try warnOfOutside(fitted)
        return fitted
    }

    /// Says which contacts begin outside of the viewports that their sessions have now.
    private func warnOfOutside(_ recording: Recording) throws(Failure) {
        let decoder = EventDecoder()
        var outside = OutsideCount()
        var viewports: [String: Size] = [:]
        var asked: Set<String> = []
        for event in recording.events {
            // A body that is no event is refused, and told then.
            guard let topic = try? Topic(event.topic), case .gesture(let name, nil) = topic,
                let decoded = try? decoder.decode(topic: topic, body: event.body)
            else { continue }
            if asked.count < Self.viewportsMax, asked.insert(name).inserted {
                viewports[name] = try viewport(of: name).map { Size($0.width, $0.height) }
            }
            if let viewport = viewports[name] { outside.note(decoded, viewport: viewport) }
        }
        outside.warn()
    }

    /// Opens sessions with a scene, and warns about those that are open with another.
    private func open(_ sessions: [String], _ wanted: Node) throws(Failure) {
        var refused: [Int: ClientError] = [:]
        var isOld: [Bool] = Array(repeating: false, count: sessions.count)
        try daemon { () throws(ClientError) in
            let requests = sessions.map {
                [Node.Member("session", Node(.string($0))), Node.Member("scene", wanted)]
            }
            try connection.control().pipeline("open", requests) { place, result in
                switch result {
                case .success(let reply): isOld[place] = reply["created"]?.bool == false
                case .failure(let error): refused[place] = error
                }
            }
        }
        if let (place, error) = refused.min(by: { $0.key < $1.key }) {
            throw .daemon("\(sessions[place]): \(error)")
        }
        var others = 0
        for (session, isOld) in zip(sessions, isOld) where isOld {
            guard let other = try scene(of: session, otherThan: wanted) else { continue }
            others += 1
            if others > Self.namedMax { continue }
            Console.printWarning(
                "\(session) is open with \(other), not \(Self.title(of: wanted))")
        }
        if others > Self.namedMax {
            Console.printError("and \(others - Self.namedMax) more sessions have other scenes")
        }
    }

    /// Performs a recording's request that opens a session. Returns the daemon's refusal.
    func open(_ event: Recording.Event) throws(Failure) -> ShownText? {
        guard let topic = try? Topic(event.topic), let body = try? Document.json(event.body)
        else { return nil }
        let session = Node.Member("session", Node(.string(topic.session)))
        let fields = (body.members ?? []).filter { $0.name != "command" }
        return try daemon { () throws(ClientError) -> ShownText? in
            do throws(ClientError) {
                _ = try connection.control().request("open", [session] + fields)
                return nil
            } catch {
                guard case .refused = error else { throw error }
                return "\(topic.session): \(error)"
            }
        }
    }

    /// The title of a session's scene if it differs from the wanted one; nil if it is the same, or
    /// not known.
    private func scene(
        of session: String, otherThan wanted: Node
    ) throws(Failure) -> String? {
        if let name = wanted.string {
            let reply = try request("snapshot", [Node.Member("session", Node(.string(session)))])
            guard reply["scene"]?.string != name else { return nil }
            return reply["scene"].flatMap(Self.title)
        }
        guard let node = try scene(of: session), let scene = Self.plain(node) else { return nil }
        return scene == Self.plain(wanted) ? nil : Self.title(of: node)
    }

    /// A scene without the text from which it was read.
    private static func plain(_ node: Node) -> Scene? {
        var scene = try? SceneReader.scene(from: node, fallbackName: nil)
        scene?.document = nil
        scene?.text = nil
        return scene
    }

    private static func title(of scene: Node) -> String {
        (scene.string ?? scene["name"]?.string).map { "the scene \"\($0)\"" }
            ?? "a scene of its own"
    }

    /// The viewport of a session's scene; nil where the daemon has no such session.
    private func viewport(of session: String) throws(Failure) -> (width: Double, height: Double)? {
        try scene(of: session).flatMap { pair($0["viewport"]) }
    }

    /// The scene of an open session, from its export; nil without one.
    func scene(of session: String) throws(Failure) -> Node? {
        try daemon { () throws(ClientError) in try connection.control().scene(of: session) }
    }

    /// Subscribes to rejections, and warns where that fails.
    func watchRejections(of recording: Recording) -> RejectionWatch? {
        do throws(ClientError) {
            return try RejectionWatch(recording, connection)
        } catch {
            Console.printError("rejections will not be reported: \(error)")
            return nil
        }
    }
}

extension Control {
    /// The scene of an open session; nil: there is no such session, or it is too large to export,
    /// and the caller can do without.
    func scene(of session: String) throws(ClientError) -> Node? {
        do throws(ClientError) {
            let reply = try request(
                "export", [Node.Member("session", Node(.string(session)))])
            return reply["document"]?["scene"]
        } catch {
            if case .refused = error { return nil }
            throw error
        }
    }
}
