import Codec
import Notation
import Platform
import Protocol
package import Sessions
import Store
import ZeroMQ

/// The settings of a run, from its file and its flags.
///
/// Start passes in this order: `Arguments` reads the command line, `Configuration` the file and its
/// scenes, `Lifecycle` takes the lock of the state directory, opens store, lanes and sockets, and
/// runs the reactor. A reload (`Reload`, `Configuration+Reload`) goes the same way without the
/// parts that stay. A new key is a property here, one line in `read`, and one in the manual page.
package struct Configuration: Sendable {
    package var events = ["tcp://127.0.0.1:7411"]
    /// Publishers to which the events socket connects.
    package var eventsConnect: [String] = []
    package var updates = ["tcp://127.0.0.1:7412"]
    package var control = ["tcp://127.0.0.1:7413"]
    /// Where a PUSH may send events; nil: beside the events endpoints.
    package var push: [String]?
    /// The folder of the scene files.
    package var scenesFolder = "scenes"
    package var stateDirectory = ""
    /// The scene that a first event opens; empty: none.
    package var autoOpen = "phone"
    package var frameRate = 60
    /// Whether the contacts that are down are told.
    package var touches = true
    /// 0: as many as cores.
    package var lanes = 0
    package var sessionsMax = Limits.sessionsMax
    package var idleTimeoutSeconds = 1_800.0
    package var retentionSeconds = 2_592_000.0
    package var durability = Durability.full
    /// The file with the key of the ids' hashes; empty: none. A credential wins over it.
    package var keyFile = ""
    /// The key; nil: there is none.
    var secret: Secret?
    /// Where it came from, for messages.
    var secretPlace = ""
    package var sendHighWaterMark = 100_000
    package var receiveHighWaterMark = 1_000
    package var lingerMilliseconds = 500
    package var ipv6 = false
    package var logLevel = LogLevel.info
    var security = SecuritySettings()
    var cluster = ClusterOptions()
    /// The option that has replaced a key of the file, by the key: errors name what a person wrote.
    private(set) var options: [String: String] = [:]

    package enum Durability: String, CaseIterable, Sendable {
        case full, normal, off
    }

    package var scenes: [String: Scene] = [:]

    package enum LogLevel: String, CaseIterable, Sendable {
        case error, warning, info, debug
    }

    /// All defaults, without scenes.
    init() {}

    /// Reads the file that the flags name; the flags win over it.
    init(_ arguments: Arguments) throws(StartError) {
        guard let file = arguments.configuration else {
            throw StartError("--config FILE is needed; --help tells more")
        }
        try self.init(file: file, under: arguments)
    }

    /// Reads a file and the scenes that it names; flags win over it. Throws one line: file, line,
    /// key, what is wrong, and how much more is.
    package init(
        file: String, under arguments: Arguments = Arguments()
    ) throws(StartError) {
        self.init()
        var faults = ConfigurationFaults()
        try read(file: file, under: arguments, isCheck: false, &faults)
        if let error = faults.told(of: file) { throw error }
    }

    /// Reads a file for a check, which also looks for what a start would refuse. Notes all that is
    /// wrong.
    init(checking file: String, _ faults: inout ConfigurationFaults) throws(StartError) {
        self.init()
        try read(file: file, under: Arguments(), isCheck: true, &faults)
        checkStart(try Self.readNode(of: file), file, &faults)
    }

    /// Throws where the file cannot be read at all.
    private mutating func read(
        file: String, under arguments: Arguments, isCheck: Bool,
        _ faults: inout ConfigurationFaults
    ) throws(StartError) {
        let node = try Self.readNode(of: file)
        read(node, file, &faults)
        apply(arguments)
        // Where `events` is wrong, nothing is said of endpoints beside its default.
        push = faults.wrongKeys.contains("events") ? push ?? [] : pushEndpoints
        checkEndpoints(node, file, &faults)
        checkRetention(node, file, &faults)
        checkCluster(node, file, &faults)
        faults.collect { () throws(StartError) in try readSecret(node, file) }
        readKeys(node, file, isCheck: isCheck, &faults)
        checkReaderEndpoints(node, file, &faults)
        scenesFolder = Files.resolve(scenesFolder, beside: file)
        readScenes(node, file, &faults)
    }

    private static func readNode(of file: String) throws(StartError) -> Node {
        let bytes = try Files.read(file)
        do throws(DocumentError) {
            return try Document.toml(bytes)
        } catch {
            throw StartError("\(place(file, error.line)) \(error.message)")
        }
    }

    /// Reads the keys again and again, each time without what was wrong.
    private mutating func read(
        _ node: Node, _ file: String, _ faults: inout ConfigurationFaults
    ) {
        var rest = node
        while faults.errors.count < Limits.configurationErrorsMax {
            var read = Configuration()
            do throws(TableError) {
                var keys = ConfigurationKeys()
                try read.read(rest, noting: &keys)
                self = read
                return
            } catch {
                faults.note(error, in: file)
                guard let less = rest.without(whatIsWrong: error) else { return }
                rest = less
            }
        }
    }

    private mutating func readScenes(
        _ node: Node, _ file: String, _ faults: inout ConfigurationFaults
    ) {
        guard !faults.wrongKeys.contains("scenes") else { return }
        let place = Self.place(file, node["scenes"]?.line)
        guard Files.exists(scenesFolder) else {
            return faults.note(
                StartError("\(place) key scenes: there is no folder \(scenesFolder)"))
        }
        let survey = SceneFolder.survey(scenesFolder)
        scenes = survey.scenes
        for error in survey.errors {
            let isFolder = error.file == scenesFolder
            faults.note(StartError(isFolder ? "\(place) key scenes: \(error)" : "\(error)"))
        }
        if !autoOpen.isEmpty, !survey.names.contains(autoOpen),
            !survey.errors.contains(where: { $0.file == scenesFolder })
        {
            faults.note(
                StartError(
                    "\(Self.place(file, node["auto_open"]?.line)) key auto_open: there is no scene "
                        + "\"\(autoOpen)\" in \(scenesFolder), "
                        + knownNames(nearestTo: autoOpen, among: survey.names.sorted())))
        }
    }

    static func place(_ file: String, _ line: Int?) -> String {
        line.map { "\(file):\($0):" } ?? "\(file):"
    }

    /// Whether a person wrote the value of a key, in the file or as an option.
    func isGiven(_ key: String, in node: Node) -> Bool {
        options[key] != nil || Self.entry(key, in: node) != nil
    }

    /// Where a person wrote the value of a key at the top or of `bound`: the option, or the line of
    /// the file and the key.
    func place(of key: String, in node: Node, _ file: String) -> String {
        options[key] ?? "\(Self.place(file, Self.entry(key, in: node)?.line)) key \(key)"
    }

    mutating func read(
        _ node: Node, noting keys: inout ConfigurationKeys
    ) throws(TableError) {
        var table = try TableReader(node, path: "")
        events = try table.endpoints("events", default: events)
        eventsConnect = try table.endpoints("events_connect", default: eventsConnect, countMin: 0)
        updates = try table.endpoints("updates", default: updates)
        control = try table.endpoints("control", default: control)
        scenesFolder = try table.string("scenes", default: scenesFolder)
        stateDirectory = try table.string("state_dir", default: stateDirectory)
        autoOpen = try table.string("auto_open", default: autoOpen)
        frameRate = try table.frameRate("frame_rate") ?? frameRate
        touches = try table.bool("touches", default: touches)
        lanes = try table.whole("lanes", default: lanes, in: 0...64)
        let tables = (
            sessions: try table.table("sessions"), store: try table.table("store"),
            cluster: try table.table("cluster"), sockets: try table.table("sockets"),
            security: try table.table("security"), log: try table.table("log")
        )
        try keys.finish(table)
        if let node = tables.sessions { try readSessions(node, &keys) }
        if let node = tables.store {
            var store = try TableReader(node, path: "store")
            durability = try store.choice("durability", default: durability)
            keyFile = try store.string("key_file", default: keyFile)
            cluster.url = try store.string("url", default: cluster.url)
            try keys.finish(store)
        }
        if let node = tables.cluster { try readCluster(node, &keys) }
        if let node = tables.sockets { try readSockets(node, &keys) }
        if let node = tables.security { try readSecurity(node, &keys) }
        if let node = tables.log {
            var log = try TableReader(node, path: "log")
            logLevel = try log.choice("level", default: logLevel)
            try keys.finish(log)
        }
    }

    private mutating func readSessions(
        _ node: Node, _ keys: inout ConfigurationKeys
    ) throws(TableError) {
        var table = try TableReader(node, path: "sessions")
        sessionsMax = try table.whole("max", default: sessionsMax, in: 1...Limits.sessionsMax)
        idleTimeoutSeconds = try table.number(
            "idle_timeout", default: idleTimeoutSeconds,
            in: NumberRange(0.1...31_536_000, rule: "from 0.1 to 31,536,000 (seconds)"))
        retentionSeconds = try table.number(
            "retention", default: retentionSeconds,
            in: NumberRange(1...315_360_000, rule: "from 1 to 315,360,000 (seconds)"))
        try keys.finish(table)
    }

    private mutating func readSockets(
        _ node: Node, _ keys: inout ConfigurationKeys
    ) throws(TableError) {
        var table = try TableReader(node, path: "sockets")
        if table.has("push") { push = try table.endpoints("push", default: [], countMin: 0) }
        let messages = 1...10_000_000
        sendHighWaterMark = try table.whole(
            "send_high_water_mark", default: sendHighWaterMark, in: messages)
        receiveHighWaterMark = try table.whole(
            "receive_high_water_mark", default: receiveHighWaterMark, in: messages)
        lingerMilliseconds = try table.whole(
            "linger_ms", default: lingerMilliseconds, in: 0...10_000)
        ipv6 = try table.bool("ipv6", default: ipv6)
        try keys.finish(table)
    }

    /// The flags win over the file.
    package mutating func apply(_ arguments: Arguments) {
        if !arguments.events.isEmpty {
            events = arguments.events
            // The file's would be those of another daemon, whose ports are taken.
            push = nil
            options["events"] = "--events"
        }
        if !arguments.push.isEmpty {
            push = arguments.push
            options["sockets.push"] = "--push"
        }
        if !arguments.updates.isEmpty {
            updates = arguments.updates
            options["updates"] = "--updates"
        }
        if !arguments.control.isEmpty {
            control = arguments.control
            options["control"] = "--control"
        }
        if let folder = arguments.stateDirectory {
            stateDirectory = folder
            options["state_dir"] = "--state-dir"
        }
    }

    /// Where a PUSH may send events: where it is set, else beside each events endpoint.
    package var pushEndpoints: [String] { push ?? events.compactMap(Endpoint.forPushes(beside:)) }

    /// The endpoints to be bound, by the keys of the file.
    var bound: [(key: String, endpoints: [String])] {
        [
            ("events", events), ("updates", updates), ("control", control),
            ("sockets.push", pushEndpoints),
        ]
    }

    /// The place of a key of `bound` in a file; nil: it is not there.
    static func entry(_ key: String, in node: Node) -> Node? {
        key.split(separator: ".").reduce(node as Node?) { $0?[String($1)] }
    }

    /// The state directory: the one that is set, else systemd's, else the user's.
    var resolvedStateDirectory: String {
        if !stateDirectory.isEmpty { return stateDirectory }
        if let folder = Host.variable("STATE_DIRECTORY") { return folder }
        if let folder = Host.variable("XDG_STATE_HOME") { return "\(folder)/gestured" }
        return "\(Host.variable("HOME") ?? "/tmp")/.local/state/gestured"
    }
}

extension TableReader {
    fileprivate mutating func endpoints(
        _ key: String, default: [String], countMin: Int = 1
    ) throws(TableError) -> [String] {
        let read = try strings(key, countMax: 16) { _, text in Endpoint.flaw(text) }
        let endpoints = read ?? `default`
        if endpoints.count < countMin { throw error(key, "must name at least one endpoint") }
        return endpoints
    }
}

extension Limits {
    /// Sessions open at once: 100,000 of `phone` stay under 2 GiB.
    static let sessionsMax = 100_000
}
