import GesturedClient
import Glibc
import ZeroMQ

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

    /// Throws where nobody listens at any of the endpoints for that long.
    static func requireDaemon(
        at endpoints: Endpoints, instance: String?, within limit: Duration
    ) throws(Failure) {
        let end = ContinuousClock.now + limit
        let all =
            endpoints.seeds.isEmpty
            ? [endpoints.control, endpoints.updates, endpoints.eventsTaker] : endpoints.seeds
        while all.allSatisfy({ probe($0) == .nobody }) {
            if end <= .now {
                let unit = "gestured" + (instance.map { "@\($0)" } ?? "")
                throw .daemon(
                    """
                    no daemon listens at \(endpoints.asked)
                    Start one with 'systemctl start \(unit)', or with 'gestured --config FILE'.
                    """)
            }
            usleep(pauseMilliseconds * 1_000)
        }
    }

    /// The mechanism that a peer of ZMTP 3 at a `tcp://` endpoint names, `NULL` or `CURVE`; nil: it
    /// names none soon.
    static func mechanism(at endpoint: String) -> String? {
        guard let (host, port) = tcpAddress(of: endpoint) else { return nil }
        return unsafe withAddress(host, port) { address in
            unsafe withConnection(AF_INET, to: address) { descriptor, code in
                code == 0 ? mechanism(of: descriptor) : nil
            }
        } ?? nil
    }

    /// Reads the greeting of ZMTP 3 (ZeroMQ RFC 23): 64 bytes, with the mechanism behind twelve of
    /// them, filled up with zeros to 20. Only these twelve go out: libzmq closes at once where the
    /// mechanisms differ, and may not have sent its own yet.
    private static func mechanism(of descriptor: Int32) -> String? {
        let greeting: [UInt8] = [0xFF] + Array(repeating: 0, count: 8) + [0x7F, 3, 0]
        guard unsafe send(descriptor, greeting, greeting.count, Int32(MSG_NOSIGNAL)) > 0
        else { return nil }
        var answer: [UInt8] = []
        var room = [UInt8](repeating: 0, count: greetingBytes)
        while answer.count < greetingBytes {
            var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&place, 1, connectMilliseconds) == 1 else { return nil }
            let count = unsafe recv(descriptor, &room, greetingBytes - answer.count, 0)
            guard count > 0 else { return nil }
            answer += room.prefix(count)
        }
        return String(decoding: answer[12..<32].prefix { $0 != 0 }, as: UTF8.self)
    }

    private static let greetingBytes = 64

    /// A daemon refuses a key by silence, and ends that after 3 s.
    private static let handshakeLimit = Duration.milliseconds(3_500)

    /// Throws where a daemon is there, and keys keep both ends apart.
    ///
    /// libzmq would go on trying, and a command would wait for its whole timeout.
    static func requireHandshake(_ connection: Connection) throws(Failure) {
        let places = connection.endpoints
        let endpoints = places.seeds.isEmpty ? [places.control, places.eventsTaker] : places.seeds
        let isThere = { (endpoint: String) in
            endpoint.hasPrefix("tcp://") && probe(endpoint) == .listening
        }
        guard let endpoint = endpoints.first(where: isThere) else { return }
        let keys = connection.keys
        var fault: HandshakeFault?
        if keys == nil {
            fault = mechanism(at: endpoint) == "CURVE" ? .mismatch : nil
        } else {
            do throws(ZeroMQError) {
                fault = try PeerConnection.trial(
                    in: ZeroMQ.Context(), at: endpoint, keys: keys?.options ?? [],
                    within: min(.milliseconds(connection.timeoutMilliseconds), handshakeLimit))
            } catch {
                throw .usage("\(error)")
            }
            if fault == .lost, mechanism(at: endpoint) == "NULL" { fault = .mismatch }
        }
        guard let fault else { return }
        throw Failure(ClientError(fault, at: endpoint, hasKeys: keys != nil))
    }

    /// Connects to an endpoint and closes the connection again.
    static func probe(_ endpoint: String) -> Finding {
        if endpoint.hasPrefix("ipc://") { return probe(path: String(endpoint.dropFirst(6))) }
        guard let (host, port) = tcpAddress(of: endpoint) else { return .unknown }
        return unsafe withAddress(host, port) { unsafe connect(AF_INET, to: $0) } ?? .unknown
    }

    private static func tcpAddress(of endpoint: String) -> (host: String, port: UInt16)? {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":"),
            let port = UInt16(endpoint[endpoint.index(after: colon)...])
        else { return nil }
        let host = endpoint[..<colon].dropFirst(6)
        return (host == "localhost" ? "127.0.0.1" : String(host), port)
    }

    /// IPv4 addresses alone: a name may take long to look up.
    private static func withAddress<Result>(
        _ host: String, _ port: UInt16, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
        return unsafe withUnsafeBytes(of: &address) { unsafe body($0) }
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
        unsafe withConnection(family, to: address) { _, code in
            switch code {
            case 0, EAGAIN: .listening
            case ECONNREFUSED, ENOENT, ENOTDIR: .nobody
            default: .unknown
            }
        } ?? .unknown
    }

    /// Hands on a connection, and 0 or the errno that it met; nil: it took too long.
    private static func withConnection<Result>(
        _ family: Int32, to address: UnsafeRawBufferPointer, _ body: (Int32, Int32) -> Result?
    ) -> Result? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0, let base = address.baseAddress else { return nil }
        defer { close(descriptor) }
        let status = unsafe Glibc.connect(
            descriptor, base.assumingMemoryBound(to: sockaddr.self),
            socklen_t(address.count))
        var code = status == 0 ? 0 : errno
        if code == EINPROGRESS {
            var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&place, 1, connectMilliseconds) == 1 else { return nil }
            var size = socklen_t(MemoryLayout<Int32>.size)
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        }
        return body(descriptor, code)
    }
}
