import Glibc

/// Why this machine cannot bind an endpoint, in words that say what to do. libzmq itself says "No
/// such device".
package struct BindingFlaw: Equatable, Sendable {
    package enum Kind: Sendable {
        case impossible
        /// Its folder below `/run` is missing, which a service manager makes at the start.
        case notYet
        /// Another program has it now.
        case taken
        /// This user may not; another may.
        case forbidden
    }

    package let kind: Kind
    /// Goes on after the endpoint.
    package let text: String

    private init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Nil: it can be bound. Asks the system, and binds nothing for longer than the question takes.
    /// The endpoint must be one that `Endpoint.flaw` takes.
    package static func found(in endpoint: String, ipv6: Bool) -> BindingFlaw? {
        if endpoint.hasPrefix("ipc://") {
            return ofFile(String(endpoint.dropFirst("ipc://".count)), endpoint)
        }
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else {
            return nil
        }
        let host = endpoint[..<colon].dropFirst("tcp://".count)
        let port = UInt16(endpoint[endpoint.index(after: colon)...]) ?? 0
        return ofAddress(String(host), port: port, ipv6: ipv6)
    }

    // MARK: tcp

    private static func ofAddress(_ host: String, port: UInt16, ipv6: Bool) -> BindingFlaw? {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let inner = isBracketed ? String(host.dropFirst().dropLast()) : host
        if host == "*" { return trial(sockaddr_in(port: port, in_addr()), port: port) }
        var address = in_addr()
        if unsafe inet_pton(AF_INET, inner, &address) == 1 {
            return trial(sockaddr_in(port: port, address), port: port)
        }
        var long = in6_addr()
        let isLong = unsafe inet_pton(AF_INET6, inner, &long) == 1
        if isLong, !ipv6 {
            return BindingFlaw(
                .impossible,
                "is an IPv6 address: set ipv6 = true in [sockets], or write an IPv4 one")
        }
        if isLong { return trial(sockaddr_in6(port: port, long), port: port) }
        // An interface's name, or an address of a link with its zone.
        let isInterface = unsafe if_nametoindex(inner) != 0
        if isInterface || inner.contains("%") { return nil }
        let mending =
            inner == "localhost"
            ? "write 127.0.0.1" : "write an address in numbers, an interface's name, or *"
        return BindingFlaw(
            .impossible,
            "cannot be bound: \"\(inner)\" is neither an address in numbers nor a network "
                + "interface of this machine; \(mending)")
    }

    private static func trial<Address>(_ address: Address, port: UInt16) -> BindingFlaw? {
        let family = address is sockaddr_in6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, size)
        var copy = address
        let status = unsafe withUnsafePointer(to: &copy) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        return status == 0 ? nil : of(errno, port: port)
    }

    /// The meaning of an error of the system for an endpoint; `port` is that of TCP.
    package static func of(_ code: CInt, port: UInt16?) -> BindingFlaw? {
        switch code {
        case EADDRINUSE: taken(port)
        case EADDRNOTAVAIL:
            BindingFlaw(
                .impossible,
                "cannot be bound: no network interface of this machine has that address (ip addr "
                    + "lists them)")
        case EACCES, EPERM:
            BindingFlaw(
                .forbidden,
                "may not be bound by this user: choose a port from 1024 up, or give the service "
                    + "CAP_NET_BIND_SERVICE")
        default: nil
        }
    }

    /// Why libzmq could not bind an endpoint; nil: its own words must do.
    static func of(_ error: ZeroMQError, at endpoint: String) -> BindingFlaw? {
        let port = Endpoint.tcpPort(of: endpoint).flatMap(UInt16.init(exactly:))
        return of(error.code, port: port) ?? found(in: endpoint, ipv6: error.code != ENODEV)
    }

    /// - Parameter port: nil for a path.
    private static func taken(_ port: UInt16?) -> BindingFlaw {
        let choice = port == nil ? "another path" : "another port"
        let look = port.map { "ss -ltnp 'sport = :\($0)'" } ?? "ss -lxp"
        return BindingFlaw(
            .taken,
            "is in use by another program, perhaps by another gestured: stop that one, or choose "
                + "\(choice) (\(look) shows whose it is)")
    }

    // MARK: ipc

    private static func ofFile(_ path: String, _ endpoint: String) -> BindingFlaw? {
        guard path.utf8.count <= pathBytesMax else {
            return BindingFlaw(
                .impossible,
                "cannot be bound: its path has \(path.utf8.count) bytes, and the system takes "
                    + "\(pathBytesMax) at most")
        }
        // Names without a file, and a new folder of libzmq's.
        if path.hasPrefix("@") || path == "*" { return nil }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                return BindingFlaw(.forbidden, "this user cannot see the folder \(folder)")
            }
            if errno == ENOENT && folder.hasPrefix("/run/") {
                return BindingFlaw(
                    .notYet,
                    "cannot be bound before there is a folder \(folder); systemd makes it as the "
                        + "service starts (RuntimeDirectory=)")
            }
            return BindingFlaw(
                .impossible, "cannot be bound: there is no folder \(folder); make it first")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return BindingFlaw(.impossible, "cannot be bound: \(folder) is no folder")
        }
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            return BindingFlaw(
                .impossible,
                "cannot be bound: \(path) is there and is no socket; name another, or remove it")
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            return BindingFlaw(.forbidden, "this user may not make a file in \(folder)")
        }
        return Endpoint.isListenedTo(endpoint) ? taken(nil) : nil
    }

    /// Bytes of the path of a socket's file: `sun_path` ends with a zero.
    private static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
}

extension sockaddr_in {
    fileprivate init(port: UInt16, _ address: in_addr) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        sin_addr = address
    }
}

extension sockaddr_in6 {
    fileprivate init(port: UInt16, _ address: in6_addr) {
        self.init()
        sin6_family = sa_family_t(AF_INET6)
        sin6_port = port.bigEndian
        sin6_addr = address
    }
}
