import Geometry
import Notation
import Testing

@testable import Web

struct ClientQueueTests {
    private func update(_ topic: String, _ body: String) -> Update {
        Update(topic: Array(topic.utf8), body: Array(body.utf8))
    }

    private func frame(
        _ seq: Int, _ components: String..., epoch: String = "e.1", more: String = ""
    ) -> Update {
        let states = components.map { #"{"component":"\#($0)","seq":\#(seq)}"# }
        return update(
            "frame/a",
            #"{"epoch":"\#(epoch)","seq":\#(seq),"t":\#(seq).5,"states":["#
                + states.joined(separator: ",") + "]\(more)}")
    }

    private func drain(_ queue: inout LoneQueue) -> [String] {
        var texts: [String] = []
        while let bytes = queue.popFirst() { texts.append(String(decoding: bytes, as: UTF8.self)) }
        return texts
    }

    @Test func messagesComeInTheirOrder() {
        var queue = LoneQueue()
        #expect(queue.isEmpty && queue.popFirst() == nil)
        for number in 0..<500 {
            queue.append(Array("\(number)".utf8))
            if number % 3 == 0 { #expect(queue.popFirst() != nil) }
        }
        let rest = drain(&queue)
        #expect(rest.first == "167" && rest.last == "499" && rest.count == 333)
        #expect(queue.isEmpty && queue.byteCount == 0)
    }

    @Test func aNewerStateReplacesTheOlderOneOfItsTopic() {
        var queue = LoneQueue()
        queue.append(update("state/a/x", "1"))
        queue.append(update("state/a/y", "2"))
        queue.append(update("state/a/x", "3"))
        queue.append(update("heartbeat", "4"))
        queue.append(update("heartbeat", "5"))
        #expect(queue.count == 3 && queue.replacedCount == 2)
        #expect(
            drain(&queue) == [
                #"{"topic":"state/a/y","body":2}"#, #"{"topic":"state/a/x","body":3}"#,
                #"{"topic":"heartbeat","body":5}"#,
            ])
        // One that has gone out is replaced no more.
        queue.append(update("state/a/x", "6"))
        #expect(queue.replacedCount == 2)
    }

    @Test(arguments: ["transition/a/x", "badge/a", "rejected/a", "session/a", "sync/1"])
    func otherUpdatesAllStay(topic: String) {
        var queue = LoneQueue()
        for number in 0..<3 { queue.append(update(topic, "\(number)")) }
        #expect(drain(&queue).count == 3)
    }

    @Test func framesAreMerged() {
        var queue = LoneQueue()
        queue.append(
            frame(
                5, "x", "y",
                more: #","transitions":[{"name":"one"}],"badge":{"version":1}"#))
        queue.append(frame(6, "y", "z", more: #","transitions":[{"name":"two"}]"#))
        queue.append(frame(7, "z"))
        #expect(queue.count == 1 && queue.mergedCount == 2)
        #expect(
            drain(&queue) == [
                #"{"topic":"frame/a","body":{"epoch":"e.1","seq":7,"since":5,"t":7.5,"states":["#
                    + #"{"component":"x","seq":5},{"component":"y","seq":6},"#
                    + #"{"component":"z","seq":7}],"#
                    + #""transitions":[{"name":"one"},{"name":"two"}],"badge":{"version":1}}}"#
            ])
        #expect(queue.byteCount == 0)
    }

    @Test func theNewestBadgeOfMergedFramesCounts() {
        var queue = LoneQueue()
        queue.append(frame(1, more: #","badge":{"version":1}"#))
        queue.append(frame(2, more: #","badge":{"version":2}"#))
        #expect(drain(&queue).first?.contains(#""badge":{"version":2}}"#) == true)
    }

    @Test func aLostFrameShowsInTheMergedOne() {
        var queue = LoneQueue()
        queue.append(frame(5, "x"))
        queue.append(frame(7, "y"))
        let text = drain(&queue).first ?? ""
        #expect(text.contains(#""seq":7,"t""#) && !text.contains("since"))
        #expect(text.contains(#""component":"x""#))
    }

    @Test func framesOfTwoEpochsStayApart() {
        var queue = LoneQueue()
        queue.append(frame(5, "x"))
        queue.append(frame(1, "y", epoch: "e.2"))
        queue.append(frame(2, "z", epoch: "e.2"))
        let texts = drain(&queue)
        #expect(texts.count == 2)
        #expect(texts.last?.contains(#""seq":2,"since":1"#) == true)
    }

    @Test(arguments: ["scene/a", "session/a"])
    func framesOfTwoScenesStayApart(topic: String) {
        var queue = LoneQueue()
        queue.append(frame(5, "x"))
        queue.append(update(topic, "1"))
        queue.append(frame(6, "y"))
        queue.append(frame(7, "y"))
        // The boundary lasts when entries move within the queue.
        for number in 0..<200 { queue.append(update("state/a/x", "\(number)")) }
        queue.append(frame(8, "y"))
        let texts = drain(&queue)
        #expect(texts.count == 4)
        #expect(texts.first?.contains(#""seq":5"#) == true)
        #expect(texts.last?.contains(#""seq":8,"since":6"#) == true)
        // Another session's scene is no boundary.
        queue.append(frame(1, "x"))
        queue.append(update("scene/b", "1"))
        queue.append(frame(2, "x"))
        #expect(drain(&queue).count == 2)
    }

    @Test func aFrameThatCannotBeReadIsKept() {
        var queue = LoneQueue()
        queue.append(update("frame/a", "nonsense"))
        queue.append(frame(2, "x"))
        queue.append(update("frame/a", "{}"))
        #expect(drain(&queue).count == 3)
    }

    @Test func aClientThatReadsNothingCostsNoMoreThanItsTopics() {
        var queue = LoneQueue()
        for number in 1...10_000 {
            queue.append(frame(number, "x", "y"))
            queue.append(update("state/a/x", "\(number)"))
        }
        #expect(queue.count == 2 && queue.byteCount < 400)
    }

    @Test func transitionsDoNotPileUpInOneFrame() {
        var queue = LoneQueue()
        let text = String(repeating: "x", count: 1_000)
        for number in 1...1_000 {
            queue.append(frame(number, "x", more: #","transitions":["\#(number) \#(text)"]"#))
        }
        #expect(queue.count > 10 && queue.count < 30)
        let texts = drain(&queue)
        #expect(texts.allSatisfy { $0.utf8.count < Limits.webMergedBytesMax + 2_000 })
        let numbers = texts.joined().split(separator: " xxx").dropLast().compactMap {
            $0.split(separator: "\"").last.flatMap { Int($0) }
        }
        #expect(numbers == Array(1...1_000), "none is lost, in their order")
        #expect(texts.dropFirst().allSatisfy { $0.contains("since") })
    }

    @Test func framesOfALargeSceneAreMergedAllTheSame() {
        var queue = LoneQueue()
        let more = #","more":"\#(String(repeating: "x", count: Limits.webMergedBytesMax))""#
        for number in 1...20 {
            let states = #"[{"component":"x"\#(more)},{"component":"y"\#(more)}]"#
            queue.append(
                update("frame/a", #"{"epoch":"e","seq":\#(number),"t":1,"states":\#(states)}"#))
        }
        #expect(queue.count == 1)
    }

    @Test func smallMessagesCountAsWhatTheyCost() {
        var queue = LoneQueue()
        for _ in 0..<1_000 { queue.append(Array("{}".utf8)) }
        #expect(queue.byteCount == 2_000)
        #expect(queue.cost == 2_000 + 1_000 * Limits.webQueueOverheadBytes)
        while queue.popFirst() != nil {}
        #expect(queue.cost == 0)
    }

    @Test func anEndedQueueTakesNothingMore() {
        var queue = LoneQueue()
        queue.append(update("state/a/x", "1"))
        queue.append(update("state/a/x", "2"))
        queue.append(update("badge/a", "3"))
        queue.end()
        for number in 0..<1_000 {
            queue.append(update("badge/a", "\(number)"))
            queue.append(update("frame/a", "\(number)"))
            queue.append(Array("reply".utf8))
        }
        #expect(queue.isEmpty && queue.byteCount == 0 && queue.popFirst() == nil)
        #expect(queue.replacedCount == 1, "counts never go back")
    }

    /// Against a model: a list of messages in which a newer one of a topic removes the older one.
    @Test func aLongMixtureAgreesWithAModel() {
        var dice = SplitMix64(seed: 0x19)
        var queue = LoneQueue()
        var model: [(topic: String, text: String)] = []
        for number in 0..<20_000 {
            if Int.random(in: 0..<10, using: &dice) < 4 {
                let text = queue.popFirst().map { String(decoding: $0, as: UTF8.self) }
                #expect(text == (model.isEmpty ? nil : model.removeFirst().text))
                continue
            }
            let kinds = ["state/a/x", "state/a/y", "badge/a", "scene/a", "transition/a/x"]
            let topic = kinds.randomElement(using: &dice) ?? ""
            queue.append(update(topic, "\(number)"))
            if topic.hasPrefix("s") { model.removeAll { $0.topic == topic } }
            model.append((topic, #"{"topic":"\#(topic)","body":\#(number)}"#))
            #expect(queue.byteCount == model.reduce(0) { $0 + $1.text.utf8.count })
        }
    }
}
