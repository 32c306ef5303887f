/// Which pages may use the bridge, and by which names it may be called.
///
/// A browser names the page in `Origin`; other programs leave it out and are trusted, as they are
/// by the daemon. The names guard against pages whose own name leads to this machine.
package struct OriginRule: Sendable {
    private let origins: Set<String>
    private let hosts: Set<String>

    /// - Parameters:
    ///   - origins: further pages, as `https://example.org`.
    ///   - names: names of this machine, beside `localhost` and addresses.
    package init(origins: [String], names: [String]) {
        self.origins = Set(origins.map { $0.lowercased() })
        let ofOrigins = origins.compactMap { Self.authority($0) }.compactMap { Authority($0)?.name }
        hosts = Set(names.map { $0.lowercased() } + ofOrigins)
    }

    /// An origin's host and port: what stands behind `://`. Nil if it is no origin.
    package static func authority(_ origin: String) -> String? {
        guard origin.hasPrefix("http://") || origin.hasPrefix("https://"),
            let slashes = origin.firstRange(of: "://")
        else { return nil }
        let authority = origin[slashes.upperBound...]
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else {
            return nil
        }
        return String(authority)
    }

    /// Whether a request that calls the bridge by this `Host` is answered.
    package func allows(host: String) -> Bool {
        guard let host = Authority(host) else { return false }
        let name = host.name
        return host.isAddress || name == "localhost" || name.hasSuffix(".localhost")
            || hosts.contains(name)
    }

    /// Whether a page of this `Origin` may use the bridge; an empty one is no page.
    package func allows(origin: String, host: String) -> Bool {
        if origin.isEmpty || isAdded(origin) { return true }
        guard let authority = Self.authority(origin.lowercased()) else { return false }
        return authority == host.lowercased()
    }

    /// Whether `--origin` names it.
    private func isAdded(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }
}
