import CFuzz
import Glibc

extension Target {
    /// The payload of WebSocket frames: UTF-8 is judged as Swift judges it, a deflated message
    /// stays within its bound, and what was deflated here is inflated as it was.
    static let frames = Target(name: "frames") { bytes in
        let isText = unsafe bytes.withUnsafeBufferPointer {
            unsafe gf_is_utf8($0.baseAddress, $0.count) != 0
        }
        let isTextHere = String(validating: bytes, as: UTF8.self) != nil
        expect(isText == isTextHere, "another judgement of UTF-8: \(bytes)")
        for forgets in [false, true] {
            let peer = Peer(forgets: forgets)
            // The window of one message is that of the next one.
            for _ in 0..<2 { peer.expectInflated(bytes) }
            let open = Peer(forgets: forgets)
            for part in bytes.split(separator: 0, maxSplits: 3) {
                guard case .some(let message) = open.inflate(Array(part)) else { continue }
                expect(message.count <= Peer.messageMax, "\(message.count) bytes were inflated")
            }
        }
    }
}

/// One connection whose messages are deflated.
@safe private final class Peer {
    /// Bytes of a message, inflated; a small bound is met sooner.
    static let messageMax = 10_000

    private let deflate: OpaquePointer

    init(forgets: Bool) {
        guard let deflate = unsafe gf_deflate_open(forgets ? 1 : 0) else { fatalError("no memory") }
        unsafe self.deflate = deflate
    }

    deinit { unsafe gf_deflate_close(deflate) }

    /// Nil where it is refused.
    func inflate(_ bytes: [UInt8]) -> [UInt8]? {
        var start: UnsafeMutablePointer<UInt8>?
        var count = 0
        let status = unsafe bytes.withUnsafeBufferPointer {
            unsafe gf_inflate(deflate, $0.baseAddress, $0.count, Self.messageMax, &start, &count)
        }
        defer { unsafe free(start) }
        guard status == 0 else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    }

    func expectInflated(_ bytes: [UInt8]) {
        var room = [UInt8](repeating: 0, count: gf_deflated_max(bytes.count))
        let count = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe room.withUnsafeMutableBufferPointer { room in
                guard let start = room.baseAddress else { return 0 }
                return unsafe gf_deflate_message(deflate, bytes.baseAddress, bytes.count, start)
            }
        }
        guard count > 0, bytes.count <= Self.messageMax else { return }
        expect(inflate(Array(room.prefix(count))) == bytes, "another message: \(bytes)")
    }
}
