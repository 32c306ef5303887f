import Testing
import ZeroMQ

/// A peer with CURVE, and a handler of ZAP that answers as a test wants.
private final class Guarded {
    let context: Context
    let socket: Socket
    let endpoint: String
    let zap: Socket
    let server: (publicKey: String, secretKey: String)

    init(_ context: Context) throws {
        self.context = context
        zap = try Socket(.router, in: context)
        try zap.bind("inproc://zeromq.zap.01")
        server = try Curve.makeKeys()
        socket = try Socket(.router, in: context, .zapDomain("test"))
        try socket.set(.curveSecretKey(z85(server.secretKey)))
        try socket.set(.curveServer(true))
        endpoint = try socket.bind("tcp://127.0.0.1:*")
    }

    /// Answers the handshakes that wait; returns how many.
    func answer(_ status: String) throws -> Int {
        var count = 0
        while let frames = try zap.receiveMessage(framesMax: 12) {
            // The route back, an empty frame, the version and the number of the question.
            let head = Array(frames.prefix(4))
            let words = [status, "", "", ""].map { Array($0.utf8) }
            _ = try zap.send(frames: head + words)
            count += 1
        }
        return count
    }

    func options() throws -> [SocketOption] {
        let own = try Curve.makeKeys()
        return [
            .curvePublicKey(z85(own.publicKey)), .curveSecretKey(z85(own.secretKey)),
            .curveServerKey(z85(server.publicKey)),
        ]
    }
}

/// libzmq takes the 40 characters as well as the 32 bytes, but not without the zero at the end.
private func z85(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

@Suite struct PeerConnectionTests {
    /// Until a condition holds, at most five seconds.
    private func wait(_ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(5)
        while try !condition() { try #require(.now < end, "nothing happened within 5 s") }
    }

    @Test func aRefusedKeyIsToldAndLetInLater() throws {
        let peer = try Guarded(try Context())
        // A context of its own: there is one handler of ZAP in each.
        var connection = try PeerConnection(
            .dealer, in: try Context(), to: peer.endpoint, keys: try peer.options(),
            .lingerMilliseconds(0))
        try wait {
            _ = try peer.answer("400")
            return try connection.check() == .refused(status: 400)
        }
        // It goes on trying by itself, and is refused again and again.
        var refused = 0
        try wait {
            refused += try peer.answer("400")
            try connection.check()
            return refused >= 2
        }
        #expect(connection.fault == .refused(status: 400))
        try wait {
            _ = try peer.answer("200")
            try connection.check()
            _ = try connection.socket.send(Array("hello".utf8))
            return try peer.socket.receiveMessage()?.last == Array("hello".utf8)
        }
    }

    @Test func aRevivedLinkForgetsItsFault() throws {
        let peer = try Guarded(try Context())
        var connection = try PeerConnection(
            .dealer, in: try Context(), to: peer.endpoint, keys: try peer.options(),
            .lingerMilliseconds(0))
        try wait {
            _ = try peer.answer("400")
            return try connection.check() != nil
        }
        let before = ContinuousClock.now
        try connection.revive()
        #expect(connection.fault == nil && .now - before < .seconds(1))
    }

    @Test func ipcGoesWithoutKeys() throws {
        let context = try Context()
        let peer = try Guarded(context)
        let open = try Socket(.router, in: context)
        let endpoint = try open.bind(endpoint("ipc"))
        defer { removeFile(of: endpoint) }
        let connection = try PeerConnection(
            .dealer, in: context, to: endpoint, keys: try peer.options())
        #expect(try !connection.hasKeys && connection.socket.send(Array("hello".utf8)))
        #expect(try next(of: open).last == Array("hello".utf8))
    }

    /// Each refusal ends a session of libzmq, and each attempt begins one.
    @Test func aHundredRefusalsLeaveItSound() throws {
        let peer = try Guarded(try Context())
        var connection = try PeerConnection(
            .dealer, in: try Context(), to: peer.endpoint, keys: try peer.options(),
            .lingerMilliseconds(0))
        for _ in 0..<100 {
            try wait {
                _ = try peer.answer("400")
                return try connection.check() != nil
            }
            try connection.move(to: peer.endpoint)
            #expect(connection.fault == nil)
        }
    }
}
