import Codec
import Membership
import Notation
import Platform
import Store
import ZeroMQ

/// How the daemon stands among several that share a database.
struct ClusterOptions: Equatable, Sendable {
    /// libpq's URL or words of the database; empty: there is none, and no cluster. It may have a
    /// password, so no message has it.
    var url = ""
    /// The member's name; empty: the host's.
    var name = ""
    /// The host under which other machines reach the tcp endpoints; empty: there are no others.
    var advertise = ""
    /// Only a new database takes it.
    var shards = 256
    var leaseSeconds = 1.5
    var weight = 1
    /// The file of the database's passwords, as libpq reads it; nil: libpq's own.
    var passFile: String?
}

extension Configuration {
    /// The credential with the passwords of databases, as a file that libpq takes. Looked for once:
    /// a service has the same credentials until it ends, and a copy stays open as long.
    private static let passFile = Result { () throws(StartError) -> String? in
        let name = "gestured.pgpass"
        guard let folder = Host.variable("CREDENTIALS_DIRECTORY"),
            Files.exists("\(folder)/\(name)")
        else { return nil }
        do throws(StartError) {
            return try Files.private("\(folder)/\(name)")
        } catch {
            throw StartError("credential \(name): \(error.message)")
        }
    }

    /// The daemon's name, in a cluster and by itself.
    var memberName: String {
        if !cluster.name.isEmpty { return cluster.name }
        let host = Host.name
        // Only a host without a cluster may have another name: `checkCluster` refuses it.
        return Name.isValid(host) ? host : "gestured"
    }

    mutating func readCluster(
        _ node: Node, _ keys: inout ConfigurationKeys
    ) throws(TableError) {
        var table = try TableReader(node, path: "cluster")
        cluster.name = try table.string("name", default: cluster.name)
        guard cluster.name.isEmpty || Name.isValid(cluster.name) else {
            throw table.error("name", "must be \(Name.rule)")
        }
        cluster.advertise = try table.string("advertise", default: cluster.advertise)
        if let flaw = Self.flaw(ofHost: cluster.advertise) { throw table.error("advertise", flaw) }
        cluster.shards = try table.whole(
            "shards", default: cluster.shards, in: 1...Limits.shardsMax)
        cluster.leaseSeconds = try table.number(
            "lease", default: cluster.leaseSeconds,
            in: NumberRange(1...60, rule: "from 1 to 60 (seconds)"))
        cluster.weight = try table.whole(
            "weight", default: cluster.weight, in: 0...Assignment.weightMax)
        try keys.finish(table)
    }

    /// Why others cannot reach a host of that name; nil: they may.
    private static func flaw(ofHost host: String) -> String? {
        guard !host.isEmpty else { return nil }
        guard !["*", "0.0.0.0", "[::]"].contains(host) else {
            return "must be the address or the name of this machine alone"
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let inner = isBracketed ? host.dropFirst().dropLast() : host[...]
        let isFit = inner.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            case 0x3A, 0x25: isBracketed
            default: false
            }
        }
        guard isFit, !inner.isEmpty, host.utf8.count <= Limits.hostBytesMax else {
            return "must be the host of an endpoint, as db1.example.org, 192.0.2.7 or "
                + "[2001:db8::7], without its port"
        }
        return nil
    }

    /// The daemon must be able to be a member, and is not told how to be one of no cluster.
    mutating func checkCluster(
        _ node: Node, _ file: String, _ faults: inout ConfigurationFaults
    ) {
        func error(_ table: String, _ key: String, _ message: String) -> StartError {
            let line = node[table]?[key]?.line ?? node[table]?.line
            return StartError("\(Self.place(file, line)) \(table), key \(key): \(message)")
        }
        guard !faults.wrongKeys.contains("store.url") else { return }
        guard !cluster.url.isEmpty else {
            let defaults = ClusterOptions()
            let given = [
                ("name", cluster.name != defaults.name),
                ("advertise", cluster.advertise != defaults.advertise),
                ("shards", cluster.shards != defaults.shards),
                ("lease", cluster.leaseSeconds != defaults.leaseSeconds),
                ("weight", cluster.weight != defaults.weight),
            ]
            for (key, isGiven) in given where isGiven {
                let message = "needs url in [store], the database that the members share"
                faults.note(error("cluster", key, message))
            }
            return
        }
        if let flaw = PostgresTarget.flaw(of: cluster.url) {
            faults.note(error("store", "url", flaw))
        }
        if durability == .off {
            let message = "must be \"full\" or \"normal\": url names a database"
            faults.note(error("store", "durability", message))
        }
        if cluster.name.isEmpty, !Name.isValid(Host.name),
            !faults.wrongKeys.contains("cluster.name")
        {
            let message = "is needed: the host's name is not \(Name.rule)"
            faults.note(error("cluster", "name", message))
        }
        if !faults.wrongKeys.contains("cluster.advertise") {
            checkAdvertised(node, file, &faults)
        }
        faults.collect { () throws(StartError) in cluster.passFile = try Self.passFile.get() }
    }

    /// Other members' machines must be able to reach each socket.
    private func checkAdvertised(
        _ node: Node, _ file: String, _ faults: inout ConfigurationFaults
    ) {
        for (key, endpoints) in namedEndpoints(node, faults) {
            if cluster.advertise.isEmpty {
                let open = endpoints.first { !Endpoint.isOfThisMachine($0) }
                guard let open else { continue }
                faults.note(
                    StartError(
                        "\(Self.place(file, node["cluster"]?.line)) cluster, key advertise: is "
                            + "needed, since \(options[key] ?? "key \(key)") has \"\(open)\": "
                            + "the host under which others reach it"))
                continue
            }
            // Without a push endpoint events come by the events endpoint.
            guard cluster.advertised(endpoints).isEmpty, key != "sockets.push" else { continue }
            faults.note(
                StartError(
                    "\(place(of: key, in: node, file)): no endpoint is reached from "
                        + "other machines, as \(cluster.advertise), the advertise of [cluster], "
                        + "says"))
        }
    }
}

extension ClusterOptions {
    /// The endpoints that clients of all members are told, of those that are bound.
    ///
    /// Without `advertise` all members are on one machine: those endpoints serve there. Otherwise
    /// they are the tcp endpoints that other machines reach, with the host that is advertised.
    func advertised(_ endpoints: [String]) -> [String] {
        guard !advertise.isEmpty else { return endpoints }
        let isOfThisMachine = Endpoint.isOfThisMachine("tcp://\(advertise):1")
        var told: [String] = []
        for endpoint in endpoints where isOfThisMachine || !Endpoint.isOfThisMachine(endpoint) {
            let other = Endpoint.withHost(advertise, endpoint) ?? endpoint
            if !told.contains(other) { told.append(other) }
        }
        return told
    }
}

extension Limits {
    /// Shards of a cluster: each member reads all rows when one has changed hands.
    static let shardsMax = 4_096
    /// Bytes of a host's name: DNS has no longer ones.
    static let hostBytesMax = 253
}
