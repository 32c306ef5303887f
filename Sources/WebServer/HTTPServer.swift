import CWebSockets

/// One connection of a browser or another client, for as long as it lasts.
typealias ConnectionNumber = UInt64

struct HTTPRequest {
    enum Method { case get, head, other }

    var method: Method
    /// It asks for a WebSocket.
    var isUpgrade: Bool
    var path: String
    /// Empty if they are absent.
    var host, origin, noneMatch: String
}

struct HTTPAnswer {
    var status: Int
    /// Names in lower case.
    var head: [(name: String, value: String)]
    var body: [UInt8]
}

/// The events of a server, on its thread, from within `serve`.
protocol HTTPHandler: AnyObject {
    /// Nil: the answer comes later, or the WebSocket opens.
    func answer(_ request: HTTPRequest, from connection: ConnectionNumber) -> HTTPAnswer?
    func opened(_ connection: ConnectionNumber)
    func received(_ message: [UInt8], from connection: ConnectionNumber)
    /// There is room for one message.
    func writable(_ connection: ConnectionNumber)
    func closed(_ connection: ConnectionNumber)
    /// A message broke a bound; the connection is being closed with the code.
    func broke(_ connection: ConnectionNumber, code: Int)
    /// A connection was refused, since there are too many.
    func refusedConnection()
    func ticked()
}

/// The server of HTTP and WebSocket, the only calls of libwebsockets. For one thread.
@safe final class HTTPServer {
    struct Settings {
        /// Nil: all addresses.
        var address: String?
        var port: Int
        var connectionsMax, messageBytesMax, fragmentsMax: Int
        var pingSeconds: Int
    }

    struct Failure: Error {
        var reason: String
    }

    /// Seconds for a request's head, and between two requests of one connection.
    private static let httpSeconds = 10
    /// Seconds until a closed client that reads nothing is cut.
    private static let closeSeconds = 3

    private var server: OpaquePointer?
    private weak var handler: (any HTTPHandler)?

    init(_ settings: Settings, handler: any HTTPHandler) throws(Failure) {
        self.handler = handler
        var reason = [CChar](repeating: 0, count: 256)
        var calls = unsafe Self.calls
        unsafe calls.owner = Unmanaged.passUnretained(self).toOpaque()
        let address = settings.address.map { Array($0.utf8CString) }
        unsafe (address ?? [0]).withUnsafeBufferPointer { text in
            var bounds = unsafe gw_settings()
            unsafe bounds.address = address == nil ? nil : text.baseAddress
            unsafe bounds.port = CInt(settings.port)
            unsafe bounds.connections_max = CInt(settings.connectionsMax)
            unsafe bounds.message_max = settings.messageBytesMax
            unsafe bounds.fragments_max = CInt(settings.fragmentsMax)
            unsafe bounds.http_seconds = CInt(Self.httpSeconds)
            unsafe bounds.ping_seconds = CInt(settings.pingSeconds)
            unsafe bounds.hangup_seconds = CInt(settings.pingSeconds + settings.pingSeconds / 2 + 1)
            unsafe bounds.close_seconds = CInt(Self.closeSeconds)
            unsafe server = gw_open(&bounds, &calls, &reason, reason.count)
        }
        guard unsafe server != nil else {
            throw Failure(
                reason: String(
                    decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
                    as: UTF8.self))
        }
    }

    deinit { if unsafe server != nil { unsafe gw_close_server(server) } }

    var port: Int { unsafe Int(gw_port(server)) }
    var connectionCount: Int { unsafe Int(gw_connections(server)) }

    /// Lets a descriptor wake `serve`. It must stay open as long as the server.
    func watch(descriptor: CInt) throws(Failure) {
        guard unsafe gw_watch(server, descriptor) == 0 else {
            throw Failure(reason: "cannot watch a descriptor")
        }
    }

    func tick(everyMilliseconds time: Int) { unsafe gw_tick(server, CInt(time)) }

    /// Waits for something to happen, and does it.
    func serve() throws(Failure) {
        guard unsafe gw_serve(server) == 0 else { throw Failure(reason: "the loop failed") }
    }

    /// Makes the next `serve` return without waiting.
    func hurry() { unsafe gw_hurry(server) }

    func respond(_ answer: HTTPAnswer, to connection: ConnectionNumber) {
        let texts = answer.head.flatMap { [$0.name + ":", $0.value] }.map { Array($0.utf8CString) }
        var place = 0
        var offsets: [Int] = []
        for text in texts {
            offsets.append(place)
            place += text.count
        }
        let joined = texts.flatMap { $0 }
        unsafe joined.withUnsafeBufferPointer { joined in
            let pointers = unsafe (offsets.map(Optional.some) + [nil]).map { offset in
                unsafe offset.flatMap { place in unsafe joined.baseAddress.map { unsafe $0 + place }
                }
            }
            unsafe gw_respond(
                server, connection, CInt(answer.status), pointers, answer.body, answer.body.count)
        }
    }

    func wantWritable(_ connection: ConnectionNumber) {
        unsafe gw_want_writable(server, connection)
    }

    /// Sends one message, from `writable` alone. Returns false if the connection has failed.
    func send(_ message: [UInt8], to connection: ConnectionNumber) -> Bool {
        unsafe gw_send(server, connection, message, message.count) == 0
    }

    /// Whether the kernel takes one more message of a connection at once.
    func hasRoom(_ connection: ConnectionNumber) -> Bool {
        unsafe gw_has_room(server, connection) != 0
    }

    /// Closes a WebSocket; a reason has at most 120 bytes.
    func close(_ connection: ConnectionNumber, code: Int, reason: String) {
        unsafe gw_close(server, connection, CInt(code), reason)
    }

    /// The C side's calls; each finds the server by the owner that it passes.
    private static var calls: gw_calls {
        var calls = unsafe gw_calls()
        unsafe calls.requested = { owner, connection, request in
            guard let request = unsafe request?.pointee,
                let handler = unsafe HTTPServer.of(owner)?.handler
            else { return 0 }
            let asked = unsafe HTTPRequest(request)
            if let answer = handler.answer(asked, from: connection) {
                unsafe HTTPServer.of(owner)?.respond(answer, to: connection)
                return 0
            }
            return asked.isUpgrade ? 1 : 0
        }
        unsafe calls.opened = { unsafe HTTPServer.of($0)?.handler?.opened($1) }
        unsafe calls.received = { owner, connection, bytes, count in
            let message = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
            unsafe HTTPServer.of(owner)?.handler?.received(message, from: connection)
        }
        unsafe calls.writable = { unsafe HTTPServer.of($0)?.handler?.writable($1) }
        unsafe calls.closed = { unsafe HTTPServer.of($0)?.handler?.closed($1) }
        unsafe calls.broken = { unsafe HTTPServer.of($0)?.handler?.broke($1, code: Int($2)) }
        unsafe calls.refused = { unsafe HTTPServer.of($0)?.handler?.refusedConnection() }
        unsafe calls.readable = { _, _ in }
        unsafe calls.ticked = { unsafe HTTPServer.of($0)?.handler?.ticked() }
        return unsafe calls
    }

    private static func of(_ owner: UnsafeMutableRawPointer?) -> HTTPServer? {
        unsafe owner.map { unsafe Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension HTTPRequest {
    fileprivate init(_ request: gw_request) {
        method =
            switch unsafe request.method {
            case gw_get: .get
            case gw_head: .head
            default: .other
            }
        isUpgrade = unsafe request.is_upgrade != 0
        path = unsafe String(cString: request.path)
        host = unsafe String(cString: request.host)
        origin = unsafe String(cString: request.origin)
        noneMatch = unsafe String(cString: request.none_match)
    }
}
