import GesturedClient
import Glibc

/// Finds out whether a daemon listens, so that a command without one says so at once.
enum DaemonProbe {
    enum Finding: Equatable {
        case listening
        case nobody
        /// Only connecting will tell: a name to look up, a host that is slow.
        case unknown
    }

    /// How long a daemon may take to start, where the person names no timeout.
    static let patienceSeconds = 0.8
    private static let pauseMilliseconds: UInt32 = 25
    private static let connectMilliseconds: Int32 = 200

    /// Throws where nobody listens at any of the three endpoints for that long.
    static func requireDaemon(
        at endpoints: Endpoints, instance: String?, within limit: Duration
    ) throws(Failure) {
        let end = ContinuousClock.now + limit
        let all = [endpoints.control, endpoints.updates, endpoints.events]
        while all.allSatisfy({ probe($0) == .nobody }) {
            if end <= .now {
                let unit = "gestured" + (instance.map { "@\($0)" } ?? "")
                throw .daemon(
                    """
                    no daemon listens at \(endpoints.control)
                    Start one with 'systemctl start \(unit)', or with 'gestured --config FILE'.
                    """)
            }
            usleep(pauseMilliseconds * 1_000)
        }
    }

    /// Connects to an endpoint and closes the connection again.
    static func probe(_ endpoint: String) -> Finding {
        if endpoint.hasPrefix("ipc://") { return probe(path: String(endpoint.dropFirst(6))) }
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":"),
            let port = UInt16(endpoint[endpoint.index(after: colon)...])
        else { return .unknown }
        let host = endpoint[..<colon].dropFirst(6)
        return probe(host: host == "localhost" ? "127.0.0.1" : String(host), port: port)
    }

    /// IPv4 addresses alone: a name may take long to look up.
    private static func probe(host: String, port: UInt16) -> Finding {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return .unknown }
        return unsafe withUnsafeBytes(of: &address) { unsafe connect(AF_INET, to: $0) }
    }

    private static func probe(path: String) -> Finding {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            unsafe room.copyBytes(from: bytes)
            return true
        }
        // A name that begins with @ is not in the file system.
        guard fits, !bytes.isEmpty, bytes.first != UInt8(ascii: "@") else { return .unknown }
        return unsafe withUnsafeBytes(of: &address) { unsafe connect(AF_UNIX, to: $0) }
    }

    private static func connect(_ family: Int32, to address: UnsafeRawBufferPointer) -> Finding {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0, let base = address.baseAddress else { return .unknown }
        defer { close(descriptor) }
        let status = unsafe Glibc.connect(
            descriptor, base.assumingMemoryBound(to: sockaddr.self),
            socklen_t(address.count))
        var code = status == 0 ? 0 : errno
        if code == EINPROGRESS {
            var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&place, 1, connectMilliseconds) == 1 else { return .unknown }
            var size = socklen_t(MemoryLayout<Int32>.size)
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        }
        switch code {
        case 0, EAGAIN: return .listening
        case ECONNREFUSED, ENOENT, ENOTDIR: return .nobody
        default: return .unknown
        }
    }
}
