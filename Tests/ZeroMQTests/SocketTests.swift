import Glibc
import Testing
import ZeroMQ

/// Waits for the next message of a socket, at most five seconds.
func next(of socket: borrowing Socket) throws -> [[UInt8]] {
    var poller = Poller()
    poller.watch(socket)
    try #require(try poller.wait(milliseconds: 5_000) == 1, "nothing came within 5 s")
    return try #require(try socket.receiveMessage())
}

/// An endpoint to bind to that is free.
func endpoint(_ transport: String) -> String {
    switch transport {
    case "tcp": "tcp://127.0.0.1:*"
    default: "ipc:///tmp/gestured-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    }
}

/// libzmq 4.3.4 leaves the file of an ipc endpoint behind.
func removeFile(of endpoint: String) {
    if endpoint.hasPrefix("ipc://") { unsafe unlink(String(endpoint.dropFirst(6))) }
}

@Suite struct SocketTests {
    @Test(arguments: ["tcp", "ipc"])
    func framesArriveAsTheyWereSent(transport: String) throws {
        let context = try Context()
        let a = try Socket(.pair, in: context)
        let b = try Socket(.pair, in: context)
        let bound = try a.bind(endpoint(transport))
        defer { removeFile(of: bound) }
        #expect(!bound.hasSuffix("*") && bound.hasPrefix(transport))
        try b.connect(bound)

        let frames: [[UInt8]] = [Array("topic".utf8), [], [UInt8](repeating: 7, count: 100_000)]
        #expect(try b.send(frames: frames, wait: true))
        #expect(try next(of: a) == frames)
        #expect(try a.send(Array("back".utf8)))
        #expect(try next(of: b) == [Array("back".utf8)])
    }

    @Test func nothingThereIsNoError() throws {
        let socket = try Socket(.dealer, in: try Context())
        var message = Message(copying: [1, 2, 3])
        #expect(try socket.receive(into: &message) == false)
        let (count, hasMore) = (message.count, message.hasMore)
        #expect(count == 0)
        #expect(!hasMore)
        #expect(try socket.receiveMessage() == nil)
    }

    @Test func aMessageIsReceivedIntoAgainAndAgain() throws {
        let context = try Context()
        let a = try Socket(.pair, in: context)
        let b = try Socket(.pair, in: context)
        try b.connect(try a.bind("tcp://127.0.0.1:*"))
        let sent: [[UInt8]] = (0..<50).map { [UInt8](repeating: UInt8($0), count: $0 * 7) }
        for frame in sent { #expect(try b.send(frame, wait: true)) }

        var message = Message()
        var poller = Poller()
        poller.watch(a)
        for frame in sent {
            while try !a.receive(into: &message) {
                try #require(try poller.wait(milliseconds: 5_000) == 1)
            }
            let received = unsafe message.withBytes { unsafe Array($0) }
            #expect(received == frame)
        }
    }

    @Test func aFrameGoesOnWithoutACopy() throws {
        let context = try Context()
        let a = try Socket(.pair, in: context)
        let b = try Socket(.pair, in: context)
        try b.connect(try a.bind("tcp://127.0.0.1:*"))
        var first = Message(copying: Array("one".utf8))
        var second = Message(copying: Array("two".utf8))
        #expect(try b.send(&first, more: true, wait: true))
        #expect(try b.send(&second))
        let count = first.count
        #expect(count == 0)
        #expect(try next(of: a) == [Array("one".utf8), Array("two".utf8)])
    }

    @Test func aDealerWithoutAPeerRefusesTheFrame() throws {
        let socket = try Socket(.dealer, in: try Context())
        var message = Message(copying: [1, 2, 3])
        #expect(try socket.send([1, 2, 3]) == false)
        #expect(try socket.send(&message) == false)
        let rest = message.bytes
        #expect(rest == [1, 2, 3])
        #expect(try socket.send(frames: [[1], [2]]) == false)
    }

    @Test func aFullPeerRefusesUntilThereIsRoom() throws {
        let context = try Context()
        let a = try Socket(.pair, in: context, .receiveHighWaterMark(2))
        let b = try Socket(.pair, in: context, .sendHighWaterMark(2), .lingerMilliseconds(0))
        try b.connect(try a.bind("inproc://full"))
        var sent = 0
        while sent < 100, try b.send([UInt8(sent)]) { sent += 1 }
        #expect(sent == 4)
        for number in 0..<sent { #expect(try next(of: a) == [[UInt8(number)]]) }
        var poller = Poller()
        poller.watch(b, for: .writable)
        #expect(try poller.wait(milliseconds: 5_000) == 1)
        #expect(poller.ready(at: 0) == .writable)
        #expect(try b.send([9]))
    }

    @Test func aRouterSaysThatAPeerIsNotThere() throws {
        let router = try Socket(.router, in: try Context(), .mandatoryRouting(true))
        try router.bind("tcp://127.0.0.1:*")
        let error = #expect(throws: ZeroMQError.self) {
            _ = try router.send(Array("nobody".utf8), more: true)
        }
        #expect(error?.isHostUnreachable == true)
        #expect(error?.operation == "zmq_send")
    }

    @Test func aRouterAnswersByIdentity() throws {
        let context = try Context()
        let router = try Socket(.router, in: context, .mandatoryRouting(true))
        let dealer = try Socket(.dealer, in: context, .identity(Array("d1".utf8)))
        try dealer.connect(try router.bind("tcp://127.0.0.1:*"))
        #expect(try dealer.send(frames: [[], Array("ask".utf8)], wait: true))
        #expect(try next(of: router) == [Array("d1".utf8), [], Array("ask".utf8)])
        #expect(try router.send(frames: [Array("d1".utf8), [], Array("answer".utf8)]))
        #expect(try next(of: dealer) == [[], Array("answer".utf8)])
    }

    @Test func anEndpointThatIsTakenIsNamed() throws {
        let context = try Context()
        let a = try Socket(.router, in: context)
        let b = try Socket(.router, in: context)
        let bound = try a.bind("tcp://127.0.0.1:*")
        let error = #expect(throws: ZeroMQError.self) { try b.bind(bound) }
        #expect(error?.isAddressInUse == true)
        #expect(error?.endpoint == bound)
        let said = error?.description ?? ""
        #expect(said.hasPrefix("zmq_bind \(bound): the endpoint is in use by another program"))
        let port = try #require(Endpoint.tcpPort(of: bound))
        #expect(said.contains("(ss -ltnp 'sport = :\(port)' shows whose it is)"), "\(said)")
        let bad = #expect(throws: ZeroMQError.self) { try b.connect("tcp:/x") }
        #expect(bad?.endpoint == "tcp:/x")
    }

    @Test func optionsReachTheSocket() throws {
        let context = try Context()
        let options: [SocketOption] = [
            .sendHighWaterMark(10), .receiveHighWaterMark(10), .lingerMilliseconds(0),
            .messageBytesMax(1_048_576), .handshakeMilliseconds(3_000), .immediate(true),
            .reconnectMilliseconds(50), .reconnectMillisecondsMax(1_000), .ipv6(true),
            .sendTimeoutMilliseconds(100), .identity(Array("me".utf8)),
        ]
        let socket = try Socket(.router, in: context)
        for option in options { try socket.set(option) }
        try socket.set(.mandatoryRouting(true))
        #expect(throws: ZeroMQError.self) { try socket.set(.verboseSubscriptions(true)) }
        #expect(throws: ZeroMQError.self) { try socket.set(.subscribe([])) }
    }

    @Test func theContextOutlivesItsOwnerWhileASocketLives() throws {
        func make() throws -> Socket { try Socket(.pair, in: try Context()) }
        let socket = try make()
        #expect(try socket.bind("tcp://127.0.0.1:*").hasPrefix("tcp://127.0.0.1:"))
    }
}
