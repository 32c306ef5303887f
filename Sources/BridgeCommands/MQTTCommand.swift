import Bridges
import Commands
import GesturedClient
import Glibc
import Manual
import Notation
import Platform

func bridgeMQTT(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    try arguments.requirePositionals([])
    let sessions = try arguments.sessions()
    let prefix = arguments.values["--prefix"] ?? "gestured"
    guard let topics = HouseTopics(prefix: prefix) else {
        throw .usage(
            "--prefix must be levels of a topic, at most \(HouseTopics.prefixBytesMax) bytes, "
                + "not '\(prefix)'")
    }
    let discovery = arguments.values["--discovery"] ?? "homeassistant"
    guard HouseTopics(prefix: discovery) != nil else {
        throw .usage("--discovery must be levels of a topic, not '\(discovery)'")
    }
    let broker = try arguments.broker()
    let path = try arguments.ledgerPath(broker)
    try context.run("mqtt") { (daemon) throws(Failure) in
        let mirror = HouseMirror(
            topics: topics, sessions: sessions,
            discovery: arguments.has("--no-discovery") ? nil : discovery,
            version: Version.text, formerDiscovery: discovery, identity: broker.identity)
        daemon.follow(mirror.prefixes)
        return try MQTTBridge(
            broker, topics, sessions: sessions, mirror, ledgerPath: path)
    }
}

extension Arguments {
    /// The names of `--session`, none for all.
    fileprivate func sessions() throws(Failure) -> [String] {
        guard let text = values["--session"] else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy(Name.isValid), names.count <= HouseMirror.sessionsMax else {
            throw .usage(
                "--session must be names of sessions, at most \(HouseMirror.sessionsMax), "
                    + "not '\(text)'")
        }
        return names
    }

    fileprivate func broker() throws(Failure) -> Broker {
        let given = values["--broker"] ?? "localhost"
        let (scheme, address) = Self.schemeAndRest(given)
        let isTLS = has("--tls") || has("--tls-ca") || scheme == "mqtts"
        guard [nil, "mqtt", "mqtts"].contains(scheme),
            let (host, port) = Self.hostAndPort(address, in: 1...65_535)
        else {
            throw .usage(
                "--broker must be HOST, HOST:PORT, mqtt://HOST:PORT or mqtts://HOST:PORT (a user "
                    + "is named by --username), not '\(given)'")
        }
        let identity = values["--client-id"] ?? "gestured-\(Self.hostName())"
        // libmosquitto's log is read for a mark, which no name may bear.
        guard Name.isValid(identity) else {
            throw .usage("--client-id must be \(Name.rule), not '\(identity)'")
        }
        let usual = isTLS ? 8_883 : 1_883
        var broker = Broker(host: host, port: port ?? usual, identity: identity)
        broker.username = values["--username"]
        broker.authorities = values["--tls-ca"] ?? (isTLS ? "" : nil)
        if let path = values["--password-file"] {
            guard broker.username != nil else { throw .usage("--password-file needs --username") }
            let line = try readFile(path).prefix { $0 != 0x0A && $0 != 0x0D }
            guard !line.isEmpty else { throw .file("\(path): its first line is empty") }
            broker.password = String(decoding: line, as: UTF8.self)
        }
        if let path = values["--tls-ca"], unsafe access(path, R_OK) != 0 {
            throw .file("\(path): \(Console.words(for: errno))")
        }
        return broker
    }

    private static func hostName() -> String {
        String(Host.name.prefix { $0 != "." }.prefix(48))
    }

    /// The option's file, or that of the client's name in the state folder, which is made.
    fileprivate func ledgerPath(_ broker: Broker) throws(Failure) -> String {
        if let path = values["--ledger"] { return path }
        let home = Host.variable("HOME") ?? ""
        let states = Host.variable("XDG_STATE_HOME") ?? "\(home)/.local/state"
        let folder = Host.variable("STATE_DIRECTORY") ?? "\(states)/gestured"
        guard Folder.make(folder) == 0 else {
            throw .file("\(folder): cannot be made; name a file by --ledger")
        }
        return "\(folder)/mqtt-\(broker.identity)"
    }
}
