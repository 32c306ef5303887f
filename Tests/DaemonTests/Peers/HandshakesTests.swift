import Security
import Testing
import ZeroMQ

@testable import Daemon

/// The test asks as libzmq does, and every peer is welcome.
struct HandshakesTests {
    /// The status that libzmq gets.
    private func status(_ mechanism: String, key: [UInt8]?) throws -> String? {
        let context = try Context()
        var handshakes = try Handshakes(in: context)
        let asker = try Socket(.dealer, in: context, .lingerMilliseconds(0))
        try asker.connect(Handshakes.endpoint)
        var frames = ["", "1.0", "7", "updates", "127.0.0.1", "", mechanism].map { Array($0.utf8) }
        if let key { frames.append(key) }
        let isSent = try asker.send(frames: frames)
        var frame = Message()
        guard isSent, let question = try handshakes.next(by: &frame) else { return nil }
        try handshakes.answer(question, .welcome(client: nil))
        guard let answer = try asker.receiveMessage(), answer.count > 3 else { return nil }
        return String(decoding: answer[3], as: UTF8.self)
    }

    @Test func whoNeedsNoKeyOrShowsOneIsLetIn() throws {
        let withoutKey = try status("NULL", key: nil)
        #expect(withoutKey == "200")
        let withKey = try status("CURVE", key: [UInt8](repeating: 7, count: CurveKey.byteCount))
        #expect(withKey == "200")
    }

    /// As one that needs no key, it would have every right.
    @Test(arguments: [nil, 0, CurveKey.byteCount - 1, CurveKey.byteCount + 1] as [Int?])
    func whoShowsNoKeyWhereOneIsAskedForIsRefused(count: Int?) throws {
        let answer = try status("CURVE", key: count.map { [UInt8](repeating: 7, count: $0) })
        #expect(answer == "300")
    }
}
