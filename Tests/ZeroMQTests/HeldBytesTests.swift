import Testing
import ZeroMQ

struct HeldBytesTests {
    private static let bytes = [UInt8](repeating: 7, count: 5_000)

    private static func frame(in held: HeldBytes, counting cost: Int = 5_100) -> Message {
        let place = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { unsafe place.deallocate() }
        unsafe place.copyBytes(from: bytes)
        return unsafe Message(
            copying: UnsafeRawBufferPointer(place), counting: cost, in: held)
    }

    @Test func aFrameCountsUntilItsPeerHasIt() throws {
        let context = try Context()
        let one = try Socket(.pair, in: context, .lingerMilliseconds(0))
        let other = try Socket(.pair, in: context)
        try one.connect(try other.bind("inproc://held"))
        let whole = HeldBytes()
        let held = HeldBytes(partOf: whole)
        var sent = Self.frame(in: held)
        #expect(try one.send(&sent))
        #expect(held.count == 5_100 && whole.count == 5_100)
        var received = Message()
        #expect(try other.receive(into: &received))
        let isSame = received.bytes == Self.bytes
        #expect(isSame && held.count == 5_100)
        received.release()
        #expect(held.count == 0 && whole.count == 0)
    }

    /// The subscribers share its bytes.
    @Test func aFrameForManyCountsOnceUntilTheLastHasIt() throws {
        let context = try Context()
        let publisher = try Socket(.xpub, in: context, .verboseSubscriptions(true))
        let place = try publisher.bind("inproc://held-by-many")
        let first = try Socket(.sub, in: context, .subscribe([]))
        let second = try Socket(.sub, in: context, .subscribe([]))
        try first.connect(place)
        try second.connect(place)
        for _ in 0..<2 { #expect(try next(of: publisher) == [[1]]) }
        let held = HeldBytes()
        var sent = Self.frame(in: held)
        #expect(try publisher.send(&sent))
        #expect(held.count == 5_100)
        var received = Message()
        #expect(try first.receive(into: &received))
        received.release()
        #expect(held.count == 5_100)
        #expect(try second.receive(into: &received))
        received.release()
        #expect(held.count == 0)
    }

    /// libzmq has a copy of it where the connection is encrypted.
    @Test func theLastFrameMayCountUntilTheNextOneOrUntilItIsSettled() {
        let whole = HeldBytes()
        let held = HeldBytes(partOf: whole, keepsLast: true)
        for cost in [100, 300] {
            do { _ = Self.frame(in: held, counting: cost) }
            #expect(held.count == cost && whole.count == cost && held.isUnsettled)
        }
        held.settle()
        #expect(held.count == 0 && whole.count == 0 && !held.isUnsettled)
    }

    @Test func whatIsRefusedOrForNobodyCountsNoLonger() throws {
        let context = try Context()
        let held = HeldBytes()
        do {
            let alone = try Socket(.dealer, in: context)
            var frame = Self.frame(in: held)
            #expect(try alone.send(&frame) == false)
            #expect(held.count == 5_100)
        }
        #expect(held.count == 0)
        let publisher = try Socket(.xpub, in: context)
        var frame = Self.frame(in: held)
        #expect(try publisher.send(&frame))
        #expect(held.count == 0)
    }
}
