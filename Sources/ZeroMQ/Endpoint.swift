import Glibc

/// Checks endpoints for errors that libzmq itself does not report.
package enum Endpoint {
    /// Nil: it may be bound or connected to. Otherwise its error.
    ///
    /// libzmq silently takes a port beyond 65535 for another one.
    package static func flaw(_ endpoint: String) -> String? {
        let form = "is no endpoint, as tcp://127.0.0.1:7411 or ipc:///run/gestured/events"
        if let path = endpoint.droppingPrefix("ipc://") {
            return path.isEmpty ? "\"\(endpoint)\" \(form)" : nil
        }
        guard let address = endpoint.droppingPrefix("tcp://"),
            let colon = address.lastIndex(of: ":"), colon > address.startIndex
        else { return "\"\(endpoint)\" \(form)" }
        return isPort(address[address.index(after: colon)...])
            ? nil : "\"\(endpoint)\": \(portForm)"
    }

    /// Whether two endpoints cannot both be bound: one path, or one port on addresses that overlap.
    ///
    /// A port that the system chooses is never taken twice.
    package static func collide(_ first: String, _ second: String) -> Bool {
        guard let (host, port) = hostAndPort(first), let (other, otherPort) = hostAndPort(second)
        else { return first == second && first.hasPrefix("ipc://") && first != "ipc://*" }
        let wildcards: Set<Substring> = ["*", "0.0.0.0", "[::]"]
        guard port == otherPort, port != 0 else { return false }
        return host == other || wildcards.contains(host) || wildcards.contains(other)
    }

    /// The port of a `tcp://` endpoint. Nil: it is another endpoint, or its port is no number.
    package static func tcpPort(of endpoint: String) -> Int? { hostAndPort(endpoint)?.port }

    /// Whether only this machine reaches it: `ipc://`, or `tcp://` on an address of loopback.
    package static func isOfThisMachine(_ endpoint: String) -> Bool {
        guard let address = endpoint.droppingPrefix("tcp://"),
            let colon = address.lastIndex(of: ":")
        else { return endpoint.hasPrefix("ipc://") || endpoint.hasPrefix("inproc://") }
        let host = address[..<colon]
        if ["localhost", "lo", "[::1]", "::1"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { UInt8($0) != nil }
    }

    /// The same address of a `tcp://` endpoint with a port that the system chooses; nil: it is
    /// another endpoint.
    package static func withFreePort(_ endpoint: String) -> String? {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else {
            return nil
        }
        return "\(endpoint[..<colon]):*"
    }

    /// Where a daemon that takes events at an endpoint takes those of a PUSH, if nothing else is
    /// said: port 7414 beside port 7411, and beside another port one that the system chooses; the
    /// file `push` beside a file `events`, and beside another file that name with `-push`. Nil: the
    /// path would be too long for a socket.
    package static func forPushes(beside endpoint: String) -> String? {
        guard let path = endpoint.droppingPrefix("ipc://") else {
            return tcpPort(of: endpoint) == 7411
                ? "\(endpoint.dropLast(4))7414" : withFreePort(endpoint)
        }
        if path == "*" { return endpoint }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let other = path.dropFirst(folder.count) == "events" ? "\(folder)push" : "\(path)-push"
        return other.utf8.count <= pathBytesMax ? "ipc://\(other)" : nil
    }

    /// Bytes of a socket's path that the system takes.
    private static let pathBytesMax = 107

    /// A `tcp://` endpoint with another host; nil: it is another endpoint.
    package static func withHost(_ host: String, _ endpoint: String) -> String? {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else {
            return nil
        }
        return "tcp://\(host)\(endpoint[colon...])"
    }

    /// Host and port of a `tcp://` endpoint whose port is a number.
    private static func hostAndPort(_ endpoint: String) -> (host: Substring, port: Int)? {
        guard let address = endpoint.droppingPrefix("tcp://"),
            let colon = address.lastIndex(of: ":"),
            let port = Int(address[address.index(after: colon)...])
        else { return nil }
        return (address[..<colon], port)
    }

    /// Throws if libzmq would take another port than the one that is named.
    static func check(_ endpoint: String, for operation: String) throws(ZeroMQError) {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return }
        let port = endpoint[endpoint.index(after: colon)...]
        if !port.isEmpty && port.utf8.allSatisfy(isDigit) && !isPort(port) {
            var error = ZeroMQError(operation, code: EINVAL, endpoint: endpoint)
            error.message = portForm
            throw error
        }
    }

    /// Whether something takes connections at an `ipc://` endpoint.
    ///
    /// libzmq removes the file of a socket even while somebody listens there.
    package static func isListenedTo(_ endpoint: String) -> Bool {
        guard let path = endpoint.droppingPrefix("ipc://"), !path.isEmpty,
            !["@", "*"].contains(path.prefix(1))
        else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isFit = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            unsafe room.copyBytes(from: bytes)
            return true
        }
        guard isFit else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // A full queue of connections has a listener too.
        return status == 0 || errno == EAGAIN
    }

    private static func isPort(_ port: Substring) -> Bool {
        port == "*" || port.utf8.allSatisfy(isDigit) && (Int(port) ?? .max) <= 65_535
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static let portForm = "the port must be * or a number from 0 to 65535"
}

extension String {
    fileprivate func droppingPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
