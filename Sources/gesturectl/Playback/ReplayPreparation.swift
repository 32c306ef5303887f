import Codec
import GesturedClient
import Notation
import Recordings
import Sessions

/// Prepares the daemon for a recording: the steps before the first event.
extension Context {
    /// Sessions with another scene that are named; more are only counted.
    private static let namedMax = 10

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
        guard let scene = recording.scene else { return recording }
        try open(recording.sessionsToOpen, scene)
        // The daemon's scene of that name may differ from the one here.
        guard needsViewport, let shown = try self.viewport(of: session),
            shown != viewport ?? (ReadingOptions().viewport)
        else { return recording }
        return try source.reading(of: content, viewport: shown).recording
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
