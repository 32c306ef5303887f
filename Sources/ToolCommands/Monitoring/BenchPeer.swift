import Commands
import GesturedClient
import Notation
import ZeroMQ

/// Sessions of the benchmark's own, with one profile each, and the sockets that drive them.
///
/// An event is a scroll to the offset that is its number; its state has that offset. So a state
/// tells up to which event its session has come, and nothing is asked of the daemon but its work.
final class BenchPeer {
    /// An answer: a session's state, and the number of the last event in it.
    struct Answer {
        var session: Int
        var number: Int
    }

    /// Numbers of one session; a scroll's offset may be larger.
    static let numbersMax = 900_000
    private static let mark = Array("\"offset\":".utf8)

    let names: [String]
    private let prefix: [UInt8]
    private let control: Control
    private let publisher: Publisher
    private var updates: PeerConnection
    private let topics: [[UInt8]]
    private let timeout: Duration
    /// The number of each session's last event, and that of its last state.
    private var sent: [Int]
    private var shown: [Int]
    private var topic = Message()
    private var body = Message()

    /// Opens the sessions, and waits until their states would be heard. Throws where a session
    /// cannot be opened; those before are closed again.
    init(_ context: Commands.Context, sessions: Int) throws(Failure) {
        let word = String(UInt32.random(in: 0 ... .max), radix: 36)
        names = (1...sessions).map { "bench-\(word)-\($0)" }
        sent = Array(repeating: 0, count: sessions)
        shown = sent
        topics = names.map { Array("gesture/\($0)/profile".utf8) }
        prefix = Array("state/bench-\(word)-".utf8)
        timeout = .milliseconds(context.connection.timeoutMilliseconds)
        control = try daemon { () throws(ClientError) in try context.connection.control() }
        publisher = try daemon { () throws(ClientError) in try context.connection.publisher() }
        do throws(ZeroMQError) {
            updates = try PeerConnection(
                .sub, in: ZeroMQ.Context(), to: context.connection.endpoints.updates,
                keys: context.connection.keys?.options ?? [], .lingerMilliseconds(0),
                .receiveHighWaterMark(100_000), .messageBytesMax(1_048_576))
            for name in names { try updates.socket.set(.subscribe(Array("state/\(name)/".utf8))) }
        } catch {
            throw .usage("\(error)")
        }
        do throws(Failure) {
            try waitForSync(word)
            for name in names { try open(name) }
        } catch {
            close()
            throw error
        }
    }

    private func open(_ name: String) throws(Failure) {
        let scene = Node(
            .object([
                .init("viewport", Node(.array([Node(.integer(320)), Node(.integer(568))]))),
                .init(
                    "components",
                    Node(
                        .array([
                            Node(
                                .object([
                                    .init("id", Node(.string("profile"))),
                                    .init("kind", Node(.string("profile"))),
                                ]))
                        ]))),
            ]))
        _ = try request(
            "open", [.init("session", Node(.string(name))), .init("scene", scene)])
    }

    private func request(
        _ operation: String, _ fields: [Node.Member]
    ) throws(Failure) -> Node {
        try daemon { () throws(ClientError) in try control.request(operation, fields) }
    }

    /// Closes the sessions, whatever happened. A daemon that restarts has kept them and gets a
    /// second chance; where none answers, standard error names what is left.
    func close() {
        waitForStates()
        var hasWaited = false
        var next = 0
        while next < names.count {
            do throws(ClientError) {
                _ = try control.request("close", [.init("session", Node(.string(names[next])))])
                next += 1
            } catch .refused {
                // It was not opened yet.
                next += 1
            } catch {
                if hasWaited {
                    Console.printError(
                        "gesturectl: \(names[next]) to \(names.count) may be left: close each, "
                            + "as by 'gesturectl close \(names[next])'")
                    return
                }
                hasWaited = true
            }
        }
    }

    /// An event that is still under way would open its session again, once that is closed.
    private func waitForStates() {
        let end = ContinuousClock.now + timeout
        do throws(Failure) {
            while sent != shown, .now < end {
                if try answer() == nil { try wait(milliseconds: 20) }
            }
        } catch {
            // Nothing more is heard: the requests say whether the daemon is there.
        }
    }

    /// The daemon answers a subscription to `sync/<nonce>` once those before it are in force.
    private func waitForSync(_ word: String) throws(Failure) {
        let nonce = Array("sync/\(word)".utf8)
        let end = ContinuousClock.now + timeout
        var fault: HandshakeFault?
        do throws(ZeroMQError) {
            try updates.socket.set(.subscribe(nonce))
            while end > .now {
                while let frames = try updates.receiveMessage() {
                    if frames[0] == nonce {
                        try updates.socket.set(.unsubscribe(nonce))
                        return
                    }
                }
                if let found = try updates.check() {
                    fault = found
                    break
                }
                var poller = Poller()
                updates.watch(in: &poller)
                try poller.wait(milliseconds: 20)
            }
        } catch {
            throw .daemon("\(error)")
        }
        if let fault { throw Failure(ClientError(fault, of: updates)) }
        throw .silence("the daemon does not answer at its updates", endpoint: updates.endpoint)
    }

    // MARK: Events

    /// Sends a session's next event, and returns its number. Numbers begin anew after the last one.
    func send(to session: Int) throws(Failure) -> Int {
        let number = sent[session] % Self.numbersMax + 1
        let body = #"{"gesture":"scroll","phase":"changed","offset":\#(number)}"#
        try daemon { () throws(ClientError) in
            try publisher.publish(topic: topics[session], body: Array(body.utf8))
        }
        sent[session] = number
        return number
    }

    /// Sends a notification and waits until it is stored.
    func acknowledge(_ number: Int, by session: Int) throws(Failure) {
        _ = try request(
            "publish",
            [
                .init("topic", Node(.string("notification/\(names[session])"))),
                .init(
                    "body",
                    Node(
                        .object([
                            .init("kind", Node(.string("bench"))),
                            .init("id", Node(.string("\(number)"))),
                        ]))),
            ])
    }

    /// The next answer that is there; nil: none.
    func answer() throws(Failure) -> Answer? {
        do throws(ZeroMQError) {
            while try updates.socket.receive(into: &topic) {
                guard topic.hasMore, try updates.socket.receive(into: &body) else { continue }
                if let answer = read() { return answer }
            }
        } catch {
            throw .daemon("\(error)")
        }
        return nil
    }

    /// Waits until an answer may be there.
    func wait(milliseconds: Int) throws(Failure) {
        var poller = Poller()
        poller.watch(updates.socket)
        do throws(ZeroMQError) {
            try poller.wait(milliseconds: milliseconds)
        } catch {
            throw .daemon("\(error)")
        }
    }

    private func read() -> Answer? {
        let session = unsafe topic.withBytes { bytes in
            unsafe Self.number(in: bytes, from: prefix.count)
        }
        let number = unsafe body.withBytes { bytes in
            unsafe Self.place(of: Self.mark, in: bytes).flatMap { place in
                unsafe Self.number(in: bytes, from: place)
            }
        }
        guard let session, let number, names.indices.contains(session - 1) else { return nil }
        shown[session - 1] = number
        return Answer(session: session - 1, number: number)
    }

    /// The place behind the first occurrence of some bytes.
    private static func place(of mark: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        for start in 0...(bytes.count - mark.count) where unsafe bytes[start] == mark[0] {
            if mark.indices.allSatisfy({ unsafe bytes[start + $0] == mark[$0] }) {
                return start + mark.count
            }
        }
        return nil
    }

    private static func number(in bytes: UnsafeRawBufferPointer, from place: Int) -> Int? {
        var number = 0
        var digits = 0
        for index in place..<max(place, bytes.count) {
            let byte = unsafe bytes[index]
            guard byte >= 48, byte <= 57, digits < 15 else { break }
            number = number * 10 + Int(byte - 48)
            digits += 1
        }
        return digits > 0 ? number : nil
    }
}
