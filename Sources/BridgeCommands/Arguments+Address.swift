import Commands
import Notation

/// Addresses of a network in options.
extension Arguments {
    /// The scheme of an address in lower case, nil where it has none, and what stands behind it,
    /// without a slash at the end.
    static func schemeAndRest(_ text: String) -> (scheme: String?, rest: String) {
        guard let slashes = text.range(ofFirst: "://") else { return (nil, text) }
        let rest = text[slashes.upperBound...]
        let scheme = text[..<slashes.lowerBound].lowercased()
        return (scheme, String(rest.hasSuffix("/") ? rest.dropLast() : rest))
    }

    /// The host and the port of `HOST`, `HOST:PORT`, `[V6]` or `[V6]:PORT`; the port is nil where
    /// none is given.
    static func hostAndPort(
        _ text: String, in ports: ClosedRange<Int>
    ) -> (host: String, port: Int?)? {
        var rest = text[...]
        var host = rest
        if rest.first == "[", let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
        }
        guard !host.isEmpty, !host.contains(where: { "/?#@".contains($0) }) else { return nil }
        if rest.isEmpty { return (String(host), nil) }
        guard rest.first == ":", let port = Int(rest.dropFirst()), ports.contains(port)
        else { return nil }
        return (String(host), port)
    }

    /// Where to receive datagrams: `--listen` takes an address, and the form in which a bridge
    /// prints it, too.
    func datagramPlace(usualPort: Int) throws(Failure) -> (address: String, port: Int) {
        let ports = 0...65_535
        let given = values["--listen"] ?? "127.0.0.1"
        let port = try whole("--port", in: ports)
        let (scheme, rest) = Self.schemeAndRest(given)
        let isBareV6 = rest.first != "[" && rest.count { $0 == ":" } > 1
        let read = isBareV6 ? (rest, nil) : Self.hostAndPort(rest, in: ports)
        guard [nil, "udp"].contains(scheme), let (address, own) = read else {
            throw DatagramSocket.badAddress(given)
        }
        guard own == nil || port == nil else {
            throw .usage("--listen \(given) names a port, and --port too")
        }
        return (address, own ?? port ?? usualPort)
    }
}
