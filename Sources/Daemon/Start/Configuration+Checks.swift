import Notation
import ZeroMQ

/// Whether values that are good each by itself also go together.
extension Configuration {
    /// Throws where two sockets are to be bound to one endpoint; names the key that comes last.
    func checkEndpoints(_ node: Node, _ file: String) throws(StartError) {
        var bound: [(key: String, endpoint: String)] = []
        for (key, endpoints) in [("events", events), ("updates", updates), ("control", control)] {
            for endpoint in endpoints {
                guard let other = bound.first(where: { Endpoint.collide($0.endpoint, endpoint) })
                else {
                    bound.append((key, endpoint))
                    continue
                }
                // The default of the other key is not in the file.
                let named = node[key] == nil && node[other.key] != nil ? other.key : key
                let rest = named == key ? other : (key, endpoint)
                throw StartError(
                    "\(Self.place(file, node[named]?.line)) key \(named): "
                        + "\"\(named == key ? endpoint : other.endpoint)\" is in use by key "
                        + "\(rest.0), which has \"\(rest.1)\"")
            }
        }
    }

    /// Throws where the store would let go of sessions before memory does.
    func checkRetention(_ node: Node, _ file: String) throws(StartError) {
        guard retentionSeconds < idleTimeoutSeconds else { return }
        let table = node["sessions"]
        let isRetention = table?["retention"] != nil
        let key = isRetention ? "retention" : "idle_timeout"
        let rule =
            isRetention
            ? "must be at least idle_timeout, which is \(Self.seconds(idleTimeoutSeconds))"
            : "must be at most retention, which is \(Self.seconds(retentionSeconds))"
        throw StartError("\(Self.place(file, table?[key]?.line)) sessions, key \(key): \(rule)")
    }

    private static func seconds(_ value: Double) -> String {
        "\(Int(exactly: value).map { "\($0)" } ?? "\(value)") s"
    }
}
