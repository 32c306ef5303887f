import Notation
import Protocol
import Testing

@testable import Web

struct InboxTests {
    private func update(_ topic: String, _ body: String = "{}") -> Update {
        Update(topic: Array(topic.utf8), body: Array(body.utf8))
    }

    private func frame(_ session: String, _ seq: Int, transition: Bool = true) -> Update {
        let transitions = transition ? #","transitions":[\#(seq)]"# : ""
        return update(
            "frame/\(session)",
            #"{"epoch":"e.1","seq":\#(seq),"t":\#(seq),"states":[{"component":"c","v":\#(seq)}]"#
                + transitions + "}")
    }

    private func topics(_ inbox: inout Inbox) -> [String] {
        var found: [String] = []
        while let update = inbox.popFirst() {
            found.append(String(decoding: update.topic, as: UTF8.self))
        }
        return found
    }

    @Test func eachTopicThatMovesHasOneTurnHoweverFastItMoves() throws {
        var inbox = Inbox()
        for seq in 1...50 {
            for session in 0..<20 { inbox.append(frame("s\(session)", seq)) }
        }
        #expect(inbox.count == 20 && inbox.gatheredCount == 49 * 20)
        for session in 0..<20 {
            let first = inbox.popFirst()
            let update = try #require(first)
            #expect(update.topic == Array("frame/s\(session)".utf8))
            let body = try #require(try Document.json(update.bytes)["body"])
            #expect(body["since"]?.int == 1 && body["seq"]?.int == 50)
            #expect(body["transitions"]?.array?.compactMap(\.int) == Array(1...50))
            #expect(body["states"]?.array?.count == 1)
        }
        #expect(inbox.isEmpty && inbox.byteCount == 0)
    }

    @Test func aFrameThatWaitsKeepsItsTurnWhenANewerOneComes() {
        var inbox = Inbox()
        for session in ["a", "b", "c"] { inbox.append(frame(session, 1)) }
        inbox.append(frame("a", 2))
        #expect(topics(&inbox) == ["frame/a", "frame/b", "frame/c"])
    }

    @Test func anUpdateWaitsForOneOfEachOtherSessionHoweverManyThereAre() {
        var inbox = Inbox()
        for count in 0..<1_000 { inbox.append(update("badge/flooded", "\(count)")) }
        inbox.append(update("state/a/c"))
        inbox.append(update("heartbeat"))
        inbox.append(update("state/b/c"))
        #expect(
            topics(&inbox).prefix(5) == [
                "badge/flooded", "state/a/c", "heartbeat", "state/b/c", "badge/flooded",
            ])
    }

    /// A flooded session keeps its newest updates, and no more than half of all bytes.
    @Test func aSessionThatIsFloodedLosesItsOldestUpdatesAndNoOthers() {
        var inbox = Inbox()
        let body = "\"\(String(repeating: "x", count: 1_000))\""
        inbox.append(update("badge/a", "1"))
        inbox.append(update("scene/flooded"))
        inbox.append(update("badge/flooded", "7"))
        let sent = 3 * Limits.webInboxBytesMax / 1_000
        for _ in 0..<sent { inbox.append(update("transition/flooded/c", body)) }
        inbox.append(update("transition/flooded/c", "\"last\""))
        #expect(!inbox.isFull)
        #expect(inbox.byteCount <= Limits.webInboxBytesMax / 2 + 2_000)
        #expect(inbox.droppedCount + inbox.count == sent + 4)
        inbox.append(update("badge/b", "2"))
        let found = topics(&inbox)
        #expect(found.prefix(4) == ["badge/a", "scene/flooded", "badge/b", "badge/flooded"])
        #expect(Set(found[4...]) == ["transition/flooded/c"])
        #expect(inbox.isEmpty && inbox.count == 0 && inbox.byteCount == 0)
    }

    /// Each of many flooded sessions has a share, and the room of the others stays.
    @Test func manyFloodedSessionsShareWhatThereIs() {
        var inbox = Inbox()
        let body = "\"\(String(repeating: "x", count: 1_000))\""
        for _ in 0..<Limits.webInboxBytesMax / 4_000 {
            for session in 0..<12 { inbox.append(update("transition/s\(session)/c", body)) }
        }
        #expect(!inbox.isFull && inbox.droppedCount > 0)
    }

    @Test func nothingPassesASceneOrAnEventOfItsSession() {
        var inbox = Inbox()
        inbox.append(frame("a", 1))
        inbox.append(update("state/a/c"))
        inbox.append(update("state/b/c"))
        inbox.append(update("scene/a"))
        inbox.append(update("state/a/c"))
        inbox.append(update("state/b/c"))
        inbox.append(frame("a", 2))
        inbox.append(update("session/a"))
        inbox.append(frame("a", 3))
        inbox.append(frame("a", 4))
        #expect(
            topics(&inbox) == [
                "frame/a", "state/b/c", "state/a/c", "scene/a", "state/a/c", "frame/a", "session/a",
                "frame/a",
            ])
    }

    @Test func whatLastsComesInItsOrderAndFillsIt() {
        var inbox = Inbox()
        let body = "\"\(String(repeating: "x", count: 100_000))\""
        var count = 0
        while !inbox.isFull {
            inbox.append(update("transition/s\(count)/c", body))
            count += 1
        }
        #expect(count <= Limits.webInboxFullBytes / 100_000 + 1)
        #expect(topics(&inbox) == (0..<count).map { "transition/s\($0)/c" })
        #expect(!inbox.isFull && inbox.byteCount == 0)
    }

    @Test func aFrameThatComesAgainForANewSubscriptionIsNoGap() throws {
        var inbox = Inbox()
        for seq in [1, 2, 2, 3] { inbox.append(frame("a", seq, transition: false)) }
        let first = inbox.popFirst()
        let update = try #require(first)
        let body = try #require(try Document.json(update.bytes)["body"])
        #expect(body["since"]?.int == 1 && body["seq"]?.int == 3 && inbox.isEmpty)
    }

    private func large(_ session: String, _ seq: Int) -> Update {
        let state = String(repeating: "x", count: 250_000)
        return update(
            "frame/\(session)",
            #"{"epoch":"e.1","seq":\#(seq),"t":\#(seq),"#
                + #""states":[{"component":"c","v":"\#(state)"}]}"#)
    }

    /// They come faster than they can be made one: what waits is bounded, and their newest stay.
    @Test func sessionsWithLargeFramesKeepTheirNewest() throws {
        var inbox = Inbox()
        inbox.append(update("transition/small/c", "1"))
        for seq in 1...20 {
            inbox.beginTurn()
            for session in 0..<20 { inbox.append(large("s\(session)", seq)) }
            #expect(!inbox.isFull)
        }
        inbox.append(update("transition/small/c", "2"))
        #expect(inbox.byteCount < 2 * Limits.webInboxBytesMax)
        #expect(inbox.droppedCount > 0 && inbox.gatheredCount < 20 * 20 / 4)
        var last: [String: Int] = [:]
        var small = 0
        while let update = inbox.popFirst() {
            let topic = String(decoding: update.topic, as: UTF8.self)
            if topic.hasPrefix("transition") { small += 1 }
            let body = try #require(try Document.json(update.bytes)["body"])
            if let seq = body["seq"]?.int {
                #expect(seq > last[topic] ?? 0)
                last[topic] = seq
            }
        }
        #expect(last.count == 20 && last.values.allSatisfy { $0 == 20 })
        #expect(small == 2, "a session with little loses nothing")
        #expect(inbox.isEmpty && inbox.byteCount == 0)
    }

    @Test func aSmallUpdateWaitsForOneLargeOneAtMost() {
        var inbox = Inbox()
        for session in 0..<20 { inbox.append(large("s\(session)", 1)) }
        var largeCount = 0
        for number in 1...10 {
            inbox.append(update("state/small/c", "\(number)"))
            while let update = inbox.popFirst() {
                if update.topic == Array("state/small/c".utf8) { break }
                largeCount += 1
            }
        }
        #expect(largeCount == 1)
        #expect(topics(&inbox).count == 19)
    }
}
