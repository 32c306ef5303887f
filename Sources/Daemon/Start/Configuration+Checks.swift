import Notation
import Security
import ZeroMQ

/// Whether values that are good each by itself also go together.
extension Configuration {
    /// The endpoints that are bound, by key. Where an entry of a list is no endpoint, the others
    /// are looked at all the same.
    func goodEndpoints(
        _ node: Node, _ faults: ConfigurationFaults
    ) -> [(key: String, endpoints: [String])] {
        bound.map { key, endpoints in
            guard faults.wrongKeys.contains(key), options[key] == nil else {
                return (key, endpoints)
            }
            let texts = Self.entry(key, in: node)?.array?.compactMap(\.string) ?? []
            return (key, texts.filter { Endpoint.flaw($0) == nil })
        }
    }

    /// Those of them that the file, an option or a default names. An endpoint for a PUSH that lies
    /// beside one of `events` has the same address: an error of `events` names what is wrong.
    func namedEndpoints(
        _ node: Node, _ faults: ConfigurationFaults
    ) -> [(key: String, endpoints: [String])] {
        goodEndpoints(node, faults).filter {
            $0.key != "sockets.push" || isGiven($0.key, in: node)
        }
    }

    /// Two sockets cannot be bound to one endpoint; the key that comes last is named.
    func checkEndpoints(_ node: Node, _ file: String, _ faults: inout ConfigurationFaults) {
        var bound: [(key: String, endpoint: String)] = []
        for (key, endpoints) in goodEndpoints(node, faults) {
            for endpoint in endpoints {
                guard let other = bound.first(where: { Endpoint.collide($0.endpoint, endpoint) })
                else {
                    bound.append((key, endpoint))
                    continue
                }
                // The default of the other key is not in the file.
                let named =
                    !isGiven(key, in: node) && isGiven(other.key, in: node) ? other.key : key
                let rest = named == key ? other : (key, endpoint)
                faults.note(
                    StartError(
                        "\(place(of: named, in: node, file)): "
                            + "\"\(named == key ? endpoint : other.endpoint)\" is in use by "
                            + "\(options[rest.0] ?? "key \(rest.0)"), which has \"\(rest.1)\""))
            }
        }
    }

    /// Two groups of readers cannot be bound to one endpoint, nor one of them to an endpoint of
    /// all.
    func checkReaderEndpoints(
        _ node: Node, _ file: String, _ faults: inout ConfigurationFaults
    ) {
        var bound =
            goodEndpoints(node, faults).flatMap { key, endpoints in
                endpoints.map { (key: "key \(key)", group: nil, endpoint: $0) }
            } as [(key: String, group: ReaderGroupKey?, endpoint: String)]
        for name in security.grants.keys.sorted() {
            guard let grant = security.grants[name], let group = ReaderGroupKey(grant) else {
                continue
            }
            for endpoint in grant.updates {
                let other = bound.first {
                    $0.group != group && Endpoint.collide($0.endpoint, endpoint)
                }
                bound.append(("security.clients.\(name)", group, endpoint))
                guard let other else { continue }
                let line = node["security"]?["clients"]?[name]?["updates"]?.line
                faults.note(
                    StartError(
                        "\(Self.place(file, line)) security.clients.\(name), key updates: "
                            + "\"\(endpoint)\" is in use by \(other.key), which has "
                            + "\"\(other.endpoint)\"; clients share an endpoint where their read "
                            + "is the same, in the same order"))
            }
        }
    }

    /// The store cannot let go of sessions before memory does.
    func checkRetention(_ node: Node, _ file: String, _ faults: inout ConfigurationFaults) {
        guard retentionSeconds < idleTimeoutSeconds,
            faults.wrongKeys.isDisjoint(with: ["sessions.retention", "sessions.idle_timeout"])
        else { return }
        let table = node["sessions"]
        let isRetention = table?["retention"] != nil
        let key = isRetention ? "retention" : "idle_timeout"
        let rule =
            isRetention
            ? "must be at least idle_timeout, which is \(Self.seconds(idleTimeoutSeconds))"
            : "must be at most retention, which is \(Self.seconds(retentionSeconds))"
        faults.note(
            StartError("\(Self.place(file, table?[key]?.line)) sessions, key \(key): \(rule)"))
    }

    private static func seconds(_ value: Double) -> String {
        "\(Int(exactly: value).map { "\($0)" } ?? "\(value)") s"
    }
}
