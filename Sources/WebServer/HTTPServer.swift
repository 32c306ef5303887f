import CWebSockets
import Web

/// One connection of a browser or another client, for as long as it lasts.
typealias ConnectionNumber = UInt64

struct HTTPAnswer {
    var status: Int
    /// Names in lower case.
    var head: [(name: String, value: String)]
    var body: [UInt8]
}

/// Why a connection without a WebSocket was cut.
enum CutReason: String, CaseIterable {
    /// It was the oldest that had sent no whole request, and there was no room for another.
    case room
    /// It sent no request in time.
    case late
    /// It did not take its answer in time.
    case slow
}

/// The events of a server, on its thread, from within `serve`.
protocol HTTPHandler: AnyObject {
    /// Nil: the answer comes later, or the WebSocket opens.
    func answer(_ request: RequestHead, from connection: ConnectionNumber) -> HTTPAnswer?
    /// The answer to what is no request.
    func refuse(_ flaw: RequestHead.Flaw) -> HTTPAnswer
    func opened(_ connection: ConnectionNumber)
    /// `cost`: the larger one of its bytes and those that came for it.
    func received(_ message: [UInt8], from connection: ConnectionNumber, cost: Int)
    /// So many bytes are held for a message that has not come as a whole, or waits for its turn.
    func holds(_ connection: ConnectionNumber, _ count: Int)
    /// There is room for one message.
    func writable(_ connection: ConnectionNumber)
    func closed(_ connection: ConnectionNumber)
    /// A message broke a bound; the connection is being closed with the code.
    func broke(_ connection: ConnectionNumber, code: Int)
    /// A connection was refused, since there are too many and none may be cut.
    func refusedConnection()
    /// A connection without a WebSocket was cut.
    func cutConnection(_ reason: CutReason)
    func ticked()
}

/// The server of HTTP and WebSocket, the only calls of libwebsockets. For one thread.
@safe final class HTTPServer {
    struct Settings {
        /// Nil: all addresses.
        var address: String?
        var port: Int
        var connectionsMax, messageBytesMax, fragmentsMax, answerBytesMax: Int
        var pingSeconds: Int
    }

    struct Failure: Error {
        var reason: String
    }

    /// Seconds for a request's head, and between two requests of one connection.
    private static let httpSeconds = 10
    /// Seconds until the daemon must have said what an answer needs.
    private static let answerSeconds = 5
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
            unsafe bounds.answers_max = settings.answerBytesMax
            unsafe bounds.answer_seconds = CInt(Self.answerSeconds)
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

    /// The address by which other machines find this one.
    static var ownAddress: String {
        var text = [CChar](repeating: 0, count: 64)
        let room = text.count
        unsafe gw_own_address(&text, room)
        return String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

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
        let head = answer.headBytes
        unsafe gw_respond(
            server, connection, head, head.count, answer.body, answer.body.count)
    }

    private func take(_ head: [UInt8], from connection: ConnectionNumber) {
        guard let handler else { return }
        do throws(RequestHead.Flaw) {
            let request = try RequestHead(head)
            unsafe gw_expect(
                server, connection, request.method == .head ? 1 : 0, request.isLast ? 1 : 0)
            if let answer = handler.answer(request, from: connection) {
                respond(answer, to: connection)
            } else if request.isUpgrade {
                let handshake = request.handshake
                unsafe gw_upgrade(server, connection, handshake, handshake.count)
            }
        } catch {
            // Nothing behind it can be trusted.
            unsafe gw_expect(server, connection, 0, 1)
            respond(handler.refuse(error), to: connection)
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
        unsafe calls.requested = { owner, connection, bytes, count in
            let head = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
            unsafe HTTPServer.of(owner)?.take(head, from: connection)
        }
        unsafe calls.cut = { owner, why in
            let reason: CutReason =
                switch why {
                case gw_cut_late: .late
                case gw_cut_slow: .slow
                default: .room
                }
            unsafe HTTPServer.of(owner)?.handler?.cutConnection(reason)
        }
        unsafe calls.opened = { unsafe HTTPServer.of($0)?.handler?.opened($1) }
        unsafe calls.received = { owner, connection, bytes, count, cost in
            let message = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
            unsafe HTTPServer.of(owner)?.handler?.received(message, from: connection, cost: cost)
        }
        unsafe calls.holds = { unsafe HTTPServer.of($0)?.handler?.holds($1, $2) }
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

extension HTTPAnswer {
    /// The status line and all fields but `connection`.
    fileprivate var headBytes: [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n"
        for (name, value) in head { text += "\(name): \(value)\r\n" }
        if status != 304 { text += "content-length: \(body.count)\r\n" }
        return Array(text.utf8)
    }

    private static let reasons = [
        200: "OK", 303: "See Other", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 413: "Content Too Large",
        414: "URI Too Long", 421: "Misdirected Request", 426: "Upgrade Required",
        431: "Request Header Fields Too Large", 503: "Service Unavailable",
        505: "HTTP Version Not Supported",
    ]
}
