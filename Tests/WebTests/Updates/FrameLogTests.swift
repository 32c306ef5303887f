import Geometry
import Notation
import Protocol
import Testing

@testable import Web

/// Several clients that wait for the frames of one topic.
struct FrameLogTests {
    /// A picture, as a client puts it together.
    private struct Picture: Equatable {
        var states: [String: Int] = [:]
        var transitions: [Int] = []
        var badge: Int?
        var touches: [Int] = []
        var seq: Int?
        var gaps = 0

        mutating func show(_ message: [UInt8]) throws {
            let body = try #require(try Document.json(message)["body"])
            let seq = try #require(body["seq"]?.int)
            if let known = self.seq, (body["since"]?.int ?? seq) > known + 1 { gaps += 1 }
            self.seq = seq
            for state in body["states"]?.array ?? [] {
                states[try #require(state["component"]?.string)] = state["value"]?.int
            }
            transitions += (body["transitions"]?.array ?? []).compactMap(\.int)
            badge = body["badge"]?.int ?? badge
            touches = body["touches"]?.array?.compactMap(\.int) ?? touches
        }
    }

    private func frame(
        _ seq: Int, states: [String: Int], transitions: [Int] = [], badge: Int? = nil,
        touches: [Int]? = nil
    ) -> Update {
        let states = states.map { #"{"component":"\#($0.key)","value":\#($0.value)}"# }
        var body = #"{"epoch":"e.1","seq":\#(seq),"t":\#(seq),"states":["#
        body += states.joined(separator: ",") + "]"
        if !transitions.isEmpty { body += #","transitions":\#(transitions)"# }
        if let badge { body += #","badge":\#(badge)"# }
        if let touches { body += #","touches":\#(touches)"# }
        return Update(topic: Array("frame/a".utf8), body: Array("\(body)}".utf8))
    }

    /// Whatever each client reads and when, all come to the picture of one that reads at once.
    @Test(arguments: [3, 4, 5] as [UInt64])
    func clientsThatReadAtDifferentTimesSeeTheSame(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        var logs = FrameLogs()
        var queues = [ClientQueue](repeating: ClientQueue(), count: 4)
        var pictures = [Picture](repeating: Picture(), count: 4)
        for seq in 1...3_000 {
            var states: [String: Int] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &dice) {
                states["c\(Int.random(in: 0..<6, using: &dice))"] = seq
            }
            var update = frame(
                seq, states: states, transitions: seq % 7 == 0 ? [seq, -seq] : [],
                badge: seq % 11 == 0 ? seq : nil,
                touches: seq % 13 == 0 ? Array(0..<seq % 4) : nil)
            logs.take(&update)
            for reader in queues.indices {
                queues[reader].append(update, with: &logs)
                // The first one reads at once, the others more and more rarely.
                let rarity = [1, 3, 20, 400][reader]
                guard Int.random(in: 0..<rarity, using: &dice) == 0 else { continue }
                while let message = queues[reader].popFirst() {
                    try pictures[reader].show(message)
                }
                #expect(pictures[reader] == pictures[0])
            }
            if seq % 100 == 0 { logs.sweep() }
        }
        #expect(pictures[0].gaps == 0 && queues[0].mergedCount == 0)
        #expect(queues[3].mergedCount > 1_000)
    }

    @Test func aLogEndsWithTheLastClientThatWaits() {
        var (logs, one, other) = (FrameLogs(), ClientQueue(), ClientQueue())
        for seq in 1...5 {
            var update = frame(seq, states: ["x": seq])
            logs.take(&update)
            one.append(update, with: &logs)
            other.append(update, with: &logs)
        }
        #expect(logs.count == 1)
        _ = one.popFirst()
        logs.sweep()
        #expect(logs.count == 1)
        other.end()
        logs.sweep()
        #expect(logs.count == 0)
    }

    @Test func aClientThatMissedFramesSeesTheGap() throws {
        var (logs, steady, other) = (FrameLogs(), ClientQueue(), ClientQueue())
        var picture = Picture()
        for seq in 1...9 {
            var update = frame(seq, states: ["x": seq])
            logs.take(&update)
            steady.append(update, with: &logs)
            // It has no subscription meanwhile.
            if !(2...6).contains(seq) { other.append(update, with: &logs) }
        }
        while let message = other.popFirst() { try picture.show(message) }
        #expect(picture.states == ["x": 9] && picture.gaps == 1)
    }

    /// No daemon of ours says so; their sums have no room.
    @Test(arguments: [
        ("9223372036854775807", "1", nil), ("-9223372036854775808", "1", nil), ("-1", "1", nil),
        ("5", "-9223372036854775808", 5), ("5", "9223372036854775807", 5), ("5", "4", 4),
    ])
    func numbersBeyondAllReasonAreNone(seq: String, since: String, wanted: Int?) {
        let body = #"{"epoch":"e.1","seq":\#(seq),"since":\#(since),"t":1,"states":[]}"#
        let update = Update(topic: Array("frame/a".utf8), body: Array(body.utf8))
        #expect(FrameParts(update.bytes, in: update.bodyRange)?.since == wanted)
        #expect((FrameLog(update, update) == nil) == (wanted == nil))
    }

    /// Time for clients that read nothing: each frame is read once, however many they are.
    @Test func waitingClientsShareOneReading() {
        var logs = FrameLogs()
        var queues = [ClientQueue](repeating: ClientQueue(), count: 100)
        let text = String(repeating: "1234567890", count: 1_000)
        let start = ContinuousClock.now
        for seq in 1...200 {
            let body =
                #"{"epoch":"e","seq":\#(seq),"t":1,"states":[{"component":"x","y":"\#(text)"}]}"#
            var update = Update(topic: Array("frame/a".utf8), body: Array(body.utf8))
            logs.take(&update)
            for reader in queues.indices { queues[reader].append(update, with: &logs) }
        }
        // 20,000 frames of 10 KB that no client reads: to read each takes above a minute.
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(queues.allSatisfy { $0.count == 1 && $0.byteCount < 20_000 })
    }
}
