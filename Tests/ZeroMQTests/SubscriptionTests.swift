import Testing
import ZeroMQ

@Suite struct SubscriptionTests {
    @Test(arguments: ["tcp", "ipc"])
    func subscriptionsTakeEffectInOrder(transport: String) throws {
        let context = try Context()
        let xpub = try Socket(.xpub, in: context, .verboseSubscriptions(true))
        let sub = try Socket(.sub, in: context)
        let bound = try xpub.bind(endpoint(transport))
        defer { removeFile(of: bound) }
        try sub.connect(bound)
        for topic in ["state/alice", "state/alice", "sync/1"] {
            try sub.set(.subscribe(Array(topic.utf8)))
        }
        #expect(try next(of: xpub) == [[1] + Array("state/alice".utf8)])
        #expect(try next(of: xpub) == [[1] + Array("state/alice".utf8)])
        #expect(try next(of: xpub) == [[1] + Array("sync/1".utf8)])

        #expect(try xpub.send(frames: [Array("state/bob/toss".utf8), [1]]))
        #expect(try xpub.send(frames: [Array("state/alice/toss".utf8), [2]]))
        #expect(try next(of: sub) == [Array("state/alice/toss".utf8), [2]])
    }

    @Test func everySubscriptionToOneTopicIsReported() throws {
        let context = try Context()
        let xpub = try Socket(.xpub, in: context, .verboseSubscriptions(true))
        let bound = try xpub.bind("tcp://127.0.0.1:*")
        let first = try Socket(.sub, in: context, .subscribe([65]))
        try first.connect(bound)
        #expect(try next(of: xpub) == [[1, 65]])
        let second = try Socket(.sub, in: context, .subscribe([65]))
        try second.connect(bound)
        #expect(try next(of: xpub) == [[1, 65]])
        try first.set(.unsubscribe([65]))
        try second.set(.unsubscribe([65]))
        // Only the last one that leaves a topic is told.
        #expect(try next(of: xpub) == [[0, 65]])
        #expect(try xpub.receiveMessage() == nil)
    }

    @Test func aPublisherThatHoldsLosesNothing() throws {
        let context = try Context()
        let xpub = try Socket(
            .xpub, in: context, .holdsWhenFull(true), .sendHighWaterMark(2),
            .sendTimeoutMilliseconds(50))
        let sub = try Socket(.sub, in: context, .receiveHighWaterMark(2), .subscribe([]))
        try sub.connect(try xpub.bind("inproc://holds"))
        #expect(try next(of: xpub) == [[1]])
        var sent = 0
        while sent < 100, try xpub.send(frames: [[1], [UInt8(sent)]], wait: true) { sent += 1 }
        #expect(sent > 0 && sent < 100)
        for number in 0..<sent { #expect(try next(of: sub) == [[1], [UInt8(number)]]) }
        #expect(try xpub.send(frames: [[1], [200]], wait: true))
        #expect(try next(of: sub) == [[1], [200]])
    }
}
