import Notation

/// The origin of a page: the scheme, the host and the port of its address.
///
/// Equal origins are equal however they are written: letters' case, the scheme's own port and a
/// slash at the end say nothing (RFC 6454, and the URL standard's "origin").
package struct PageOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Why a text is no origin, and what would be right; it follows the text.
    package struct Flaw: Error, Hashable {
        package var message: String
    }

    /// The schemes of pages, with the ports that they leave out.
    private static let ports = ["http": 80, "https": 443]
    /// The port of a page's address, as TCP has it.
    private static let portRange = 1...65_535

    private let scheme: String
    /// The name or address of its host, in lower case; of IPv6 without brackets.
    package let name: String
    private let isBracketed: Bool
    private let port: Int

    /// Reads an origin as a person or a browser writes it.
    package init(_ text: String) throws(Flaw) {
        guard let slashes = text.range(ofFirst: "://") else {
            throw text == "null"
                ? Flaw(message: "is what pages of files and sandboxes say; no option lets it in")
                : Flaw(message: "is no origin, as https://example.org")
        }
        let scheme = text[..<slashes.lowerBound].lowercased()
        guard let usual = Self.ports[scheme] else {
            throw Flaw(message: "is no origin of a page: http:// or https:// must begin it")
        }
        let rest = text[slashes.upperBound...]
        let end = rest.firstIndex(where: { "/?#".contains($0) }) ?? rest.endIndex
        guard rest[..<end].utf8.allSatisfy({ $0 < 0x80 }) else {
            throw Flaw(message: "must have its name as browsers send it, in xn--")
        }
        guard let host = Authority(String(rest[..<end])),
            host.port.map(Self.portRange.contains) ?? true
        else { throw Flaw(message: "is no origin, as https://example.org") }
        self.scheme = scheme
        (name, isBracketed) = (host.name, host.isBracketed)
        port = host.port ?? usual
        if !["", "/"].contains(rest[end...]) {
            throw Flaw(message: "has more than an origin; the origin in it is \(self)")
        }
    }

    /// Whether a request that calls a server by this `Host` goes to the page's own origin. A
    /// `Host` without a port has that of the page's scheme: a proxy may have taken TLS away.
    func isServed(by called: Authority) -> Bool {
        called.name == name && called.isBracketed == isBracketed
            && (called.port ?? Self.ports[scheme]) == port
    }

    package var description: String {
        let host = isBracketed ? "[\(name)]" : name
        return "\(scheme)://\(host)\(port == Self.ports[scheme] ? "" : ":\(port)")"
    }
}
