import GesturedClient
import Glibc
import Manual
import Platform
import Supervision
import Web
import ZeroMQ

/// Why the program cannot start: one clear line.
struct StartError: Error {
    var message: String

    init(_ message: String) { self.message = message }
}

/// The request of the command line.
enum Invocation {
    case run(Arguments)
    case version
    case help
}

/// The options of a run.
struct Arguments {
    /// Nil: all addresses.
    var address: String? = "127.0.0.1"
    var port = 7480
    /// Nil: not named.
    var events: String?
    var updates: String?
    /// One daemon's control socket, or those of some members of a cluster; empty: not named.
    var control: [String] = []
    /// The file of the secret certificate, and the daemon's key or its file.
    var key: String?
    var serverKey: String?
    var files: String?
    var origins: [PageOrigin] = []
    var isReadOnly = false
    var isOpenToNetwork = false
    var tokenFile: String?
    var pingSeconds = 20

    /// The names by which browsers may call it: this machine's own, beside those of `--origin`.
    var names: [String] {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return [] }
        let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        let own = String(decoding: bytes, as: UTF8.self)
        return own.isEmpty ? [] : [own, "\(own).local"]
    }

    /// Where the daemon is, or the cluster.
    var daemons: Endpoints {
        let usual = Endpoints()
        let (events, updates) = (events ?? usual.events, updates ?? usual.updates)
        return control.count > 1
            ? Endpoints(cluster: control, events: events, updates: updates)
            : Endpoints(events: events, updates: updates, control: control.first ?? usual.control)
    }

    var shownAddress: String {
        guard let address else { return "0.0.0.0" }
        return address.contains(":") ? "[\(address)]" : address
    }
}

extension Invocation {
    /// Parses what follows the program's name. Variables name the endpoints that no option names.
    /// Throws one clear line.
    init(_ words: [String], variable: (String) -> String?) throws(StartError) {
        var arguments = Arguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let long = ["-h": "--help", "-V": "--version"]
            let flag = long[String(parts[0])] ?? String(parts[0])
            guard let option = Program.gestureWeb.options.first(where: { $0.name == flag }) else {
                throw StartError("unknown argument \"\(word)\"; --help lists what there is")
            }
            guard option.value != nil else {
                if parts.count > 1 { throw StartError("\(flag) takes no value") }
                switch flag {
                case "--help":
                    self = .help
                    return
                case "--version":
                    self = .version
                    return
                case "--open-to-network": arguments.isOpenToNetwork = true
                default: arguments.isReadOnly = true
                }
                continue
            }
            let attached = parts.count > 1 ? String(parts[1]) : nil
            guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                throw StartError("\(flag) needs a value")
            }
            try arguments.set(flag, value)
        }
        try arguments.checkReach()
        try arguments.takeEndpoints(variable: variable)
        self = .run(arguments)
    }
}

extension Arguments {
    private static let pingSecondsRange = 1...3_600

    fileprivate mutating func set(_ flag: String, _ value: String) throws(StartError) {
        switch flag {
        case "--listen": try setListen(value)
        case "--files": files = value
        case "--token-file": tokenFile = value
        case "--control": try setControl(value, by: flag)
        case "--key": key = value
        case "--server-key": serverKey = value
        case "--origin":
            do throws(PageOrigin.Flaw) {
                origins.append(try PageOrigin(value))
            } catch {
                throw StartError("--origin: \"\(value)\" \(error.message)")
            }
        case "--ping":
            guard let seconds = Int(value), Self.pingSecondsRange.contains(seconds) else {
                throw StartError("--ping: \"\(value)\" is no number of seconds from 1 to 3600")
            }
            pingSeconds = seconds
        case "--events": events = try Self.endpoint(value, by: flag)
        default: updates = try Self.endpoint(value, by: flag)
        }
    }

    /// Takes the endpoints of variables for those that no option names, as gesturectl does. An
    /// empty variable names none.
    fileprivate mutating func takeEndpoints(
        variable: (String) -> String?
    ) throws(StartError) {
        func named(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if events == nil, let value = named("GESTURED_EVENTS") {
            events = try Self.endpoint(value, by: "GESTURED_EVENTS")
        }
        if updates == nil, let value = named("GESTURED_UPDATES") {
            updates = try Self.endpoint(value, by: "GESTURED_UPDATES")
        }
        if control.isEmpty, let value = named("GESTURED_CONTROL") {
            try setControl(value, by: "GESTURED_CONTROL")
        }
    }

    /// - Parameter name: of the option or the variable that named it.
    private static func endpoint(
        _ value: String, by name: String
    ) throws(StartError) -> String {
        if let flaw = Endpoint.flaw(value) { throw StartError("\(name): \(flaw)") }
        return value
    }

    private mutating func setControl(_ value: String, by name: String) throws(StartError) {
        guard let places = Endpoints.places(value) else {
            throw StartError(
                "\(name): \"\(value)\" is no list of 1 to \(Endpoints.seedsMax) endpoints")
        }
        for place in places { _ = try Self.endpoint(place, by: name) }
        control = places
    }

    private mutating func setListen(_ value: String) throws(StartError) {
        let flaw = StartError(
            "--listen: \"\(value)\" is no address, as 127.0.0.1:7480 or [::1]:7480")
        guard let colon = value.lastIndex(of: ":") else { throw flaw }
        let portText = value[value.index(after: colon)...]
        guard let port = portText == "*" ? 0 : UInt16(portText).map(Int.init) else { throw flaw }
        self.port = port
        let host = String(value[..<colon])
        switch host {
        case "*", "0.0.0.0": address = nil
        case "localhost": address = "127.0.0.1"
        case _ where host.hasPrefix("[") && host.hasSuffix("]"):
            address = String(host.dropFirst().dropLast())
            guard Self.isAddress(address ?? "", family: AF_INET6) else { throw flaw }
        default:
            address = host
            guard Self.isAddress(host, family: AF_INET) else { throw flaw }
        }
    }

    private static func isAddress(_ text: String, family: CInt) -> Bool {
        // Room for an address of either family.
        var bytes = [UInt8](repeating: 0, count: 16)
        return unsafe inet_pton(family, text, &bytes) == 1
    }

    /// The folder to serve; it must have a page.
    func folder() throws(StartError) -> String {
        if let files {
            guard Self.hasPage(files) else {
                throw StartError("--files \(files): there is no index.html")
            }
            return files
        }
        let program = CommandLine.arguments.first ?? ""
        let bin = Folder.above(File.target(ofLink: "/proc/self/exe") ?? program)
        var candidates = ["\(bin)/../share/gesture-web"]
        // A build stands some folders below the tree that it is made of.
        var folder = bin
        while folder.count > 1 {
            candidates.append("\(folder)/Clients/web")
            folder = Folder.above(folder)
        }
        guard let found = candidates.first(where: Self.hasPage) else {
            throw StartError("there is no page in \(candidates[0]); --files names its folder")
        }
        return found
    }

    /// The keys that options or the environment name; nil: none. It warns of a key open to all.
    func keys(variable: (String) -> String?) throws(StartError) -> ClientKeys? {
        func named(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        guard let file = key ?? named("GESTURED_KEY") else {
            if serverKey != nil { throw StartError("--server-key needs --key") }
            return nil
        }
        let server = serverKey ?? named("GESTURED_SERVER_KEY")
        do throws(ClientError) {
            let read = try ClientKeys.read(file, server: server)
            if read.isOpenToAll {
                StandardStreams.printLog("gesture-web: \(ClientKeys.warning(of: file))")
            }
            return read.keys
        } catch {
            throw StartError("\(error)")
        }
    }

    private static func hasPage(_ folder: String) -> Bool {
        File.isThere("\(folder)/index.html")
    }
}
