extension RequestHead {
    /// Whether the browser speaks TLS with a proxy that passes its requests on; nil: nothing says
    /// it. It is for advice alone: anyone can write these fields.
    package var isFromTLS: Bool? {
        let schemes = ["x-forwarded-proto", "x-forwarded-scheme", "x-url-scheme"]
        for scheme in schemes.compactMap(first) + [forwardedScheme].compactMap({ $0 }) {
            if ["https", "wss"].contains(scheme) { return true }
            if ["http", "ws"].contains(scheme) { return false }
        }
        if ["x-forwarded-ssl", "front-end-https"].contains(where: { first($0) == "on" }) {
            return true
        }
        if let port = first("x-forwarded-port"), ["80", "443"].contains(port) {
            return port == "443"
        }
        // The page's own address, or the one that links to it.
        if let origin = first("origin"), origin != "null" { return origin.hasPrefix("https:") }
        // Browsers send it to pages that are secure, and to those of their own machine.
        return first("sec-fetch-mode") != nil && !isOfOwnMachine ? true : nil
    }

    /// Bytes of a first element that is looked at: that of `Forwarded` names three addresses.
    private static let firstBytesMax = 512

    /// The first element of a field, in lower case. Nil: there is none, or it is too long.
    private func first(_ name: String) -> String? {
        let values = list(name)?.utf8.drop { $0 == UInt8(ascii: ",") }
        guard let first = values?.prefix(Self.firstBytesMax + 1).prefix(while: { $0 != 0x2C }),
            !first.isEmpty, first.count <= Self.firstBytesMax
        else { return nil }
        return Self.plain(Substring(first))
    }

    /// The first `proto` of `Forwarded` (RFC 7239).
    private var forwardedScheme: String? {
        guard let first = first("forwarded") else { return nil }
        let pairs = first.split(separator: ";").map(Self.plain)
        return pairs.first { $0.hasPrefix("proto=") }.map { pair in
            String(pair.dropFirst("proto=".count).filter { $0 != "\"" })
        }
    }

    private static func plain(_ text: some StringProtocol) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let begin = text.drop(while: isSpace)
        return String(begin.reversed().drop(while: isSpace).reversed()).lowercased()
    }

    private var isOfOwnMachine: Bool {
        let host = first("host") ?? ""
        let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
        return name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("127.")
            || name.hasPrefix("[::1]")
    }
}
