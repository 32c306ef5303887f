import CWebSockets
import Glibc

extension Target {
    /// All that a WebSocket client sends behind its handshake, to a real server on loopback. The
    /// server passes on nothing but UTF-8 within the bounds, and goes on.
    static let socket = Target(name: "socket") { bytes in
        guard let server = Server.shared else { fatalError("no server") }
        // The first byte says whether messages may be deflated.
        let mayDeflate = (bytes.first ?? 0) & 1 == 1
        server.serve(Array(bytes.dropFirst()), deflated: mayDeflate)
    }
}

/// A server and its client. It may be shared, since libFuzzer has one thread.
@safe private final class Server: @unchecked Sendable {
    /// Bounds, small so that they are met.
    static let messageMax = 2_000
    static let fragmentsMax = 8
    /// Turns of the server's loop for one input; without them a bug would wait forever.
    static let turnsMax = 10_000

    static let shared = Server()

    private let server: OpaquePointer
    private let port: UInt16
    private var isOpen = false
    private var hasEnded = false
    private var messages = 0

    private init?() {
        var settings = unsafe gw_settings()
        unsafe settings.connections_max = 4
        unsafe settings.message_max = Self.messageMax
        unsafe settings.fragments_max = CInt(Self.fragmentsMax)
        unsafe settings.answers_max = 100_000
        unsafe settings.http_seconds = 10
        unsafe settings.answer_seconds = 10
        unsafe settings.ping_seconds = 60
        unsafe settings.hangup_seconds = 90
        unsafe settings.close_seconds = 1
        var reason = [CChar](repeating: 0, count: 200)
        let made = unsafe "127.0.0.1".withCString { address in
            unsafe settings.address = address
            var calls = unsafe Self.calls
            return unsafe gw_open(&settings, &calls, &reason, reason.count)
        }
        guard let made = unsafe made else { return nil }
        unsafe server = made
        port = UInt16(unsafe gw_port(made))
    }

    private static var calls: gw_calls {
        var calls = unsafe gw_calls()
        // The handshake of this client is what libwebsockets may see.
        unsafe calls.requested = { owner, connection, head, count in
            unsafe gw_upgrade(Server.shared?.server, connection, head, count)
        }
        unsafe calls.opened = { _, _ in Server.shared?.isOpen = true }
        unsafe calls.received = { _, _, bytes, count, cost in
            expect(cost >= count, "\(count) bytes cost \(cost)")
            let text = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
            Server.shared?.take(text)
        }
        unsafe calls.holds = { _, _, _ in }
        unsafe calls.writable = { _, _ in }
        unsafe calls.closed = { _, _ in Server.shared?.hasEnded = true }
        unsafe calls.broken = { _, _, code in expect((1000..<1016).contains(code), "\(code)") }
        unsafe calls.refused = { _ in }
        unsafe calls.cut = { _, _ in }
        unsafe calls.readable = { _, _ in }
        unsafe calls.ticked = { _ in }
        return unsafe calls
    }

    private func take(_ text: [UInt8]) {
        messages += 1
        expect(text.count <= Self.messageMax, "\(text.count) bytes were received")
        expect(String(validating: text, as: UTF8.self) != nil, "no text: \(text)")
    }

    func serve(_ bytes: [UInt8], deflated: Bool) {
        (isOpen, hasEnded) = (false, false)
        let client = connect()
        send(Array(Self.handshake(deflated: deflated).utf8), on: client)
        turn { isOpen || hasEnded }
        send(bytes, on: client)
        // Then nothing more comes, and the connection ends.
        shutdown(client, CInt(SHUT_WR))
        turn { hasEnded }
        close(client)
        turn { unsafe gw_connections(server) == 0 }
    }

    private func turn(until isDone: () -> Bool) {
        for _ in 0..<Self.turnsMax where !isDone() {
            unsafe gw_hurry(server)
            expect(unsafe gw_serve(server) == 0, "the server cannot go on")
        }
        expect(isDone(), "the server waits")
    }

    private static func handshake(deflated: Bool) -> String {
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            + (deflated ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : "") + "\r\n"
    }

    private func connect() -> CInt {
        let client = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(client, $0, size)
            }
        }
        expect(result == 0, "no connection: \(errno)")
        return client
    }

    /// The inputs are shorter than what the kernel takes without waiting.
    private func send(_ bytes: [UInt8], on client: CInt) {
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
    }
}
