/// Which pages may use the bridge, and by which names it may be called.
///
/// A browser names the page in `Origin`; other programs leave it out and are trusted, as they are
/// by the daemon. The names guard against pages whose own name leads to this machine.
package struct OriginRule: Sendable {
    private let origins: Set<PageOrigin>
    private let hosts: Set<String>

    /// - Parameters:
    ///   - origins: further pages.
    ///   - names: names of this machine, beside `localhost` and addresses.
    package init(origins: [PageOrigin], names: [String]) {
        self.origins = Set(origins)
        hosts = Set(names.map { $0.lowercased() } + origins.map(\.name))
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
        if origin.isEmpty { return true }
        guard let page = try? PageOrigin(origin) else { return false }
        return origins.contains(page) || Authority(host).map(page.isServed) == true
    }
}
