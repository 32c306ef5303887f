import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// `frame/<session>`: one message with all that changed.
@Suite struct FrameMessageTests {
    private let all = ["tips", "toss", "navigation", "profile", "list", "reader", "tabs"]

    @Test func theFirstFrameHasEverything() {
        var theater = Theater(.phone())
        theater.flush()
        #expect(theater.log.frames.count == 1 && theater.log.scenes.count == 1)
        #expect(theater.log.frames[0].states == all)
        #expect(theater.log.frames[0].badge == nil)
        #expect(theater.log.frames[0].transitions.count == 1)
        #expect(theater.log.frames[0].stamp.seq == 1)
    }

    /// Each flush has the same states on their own topics and in its frame.
    @Test func aFrameHasTheStatesThatGoOutWithIt() {
        var theater = Theater(.phone())
        theater.step(400)
        theater.pan("toss", .began, 160, 223)
        theater.notify("likes")
        theater.flush()
        theater.pan("toss", .changed, 200, 223)
        theater.step(60)
        var topics: [Int: Set<String>] = [:]
        for told in theater.told() where told.topic.hasPrefix("state/") {
            topics[told.stamp.instant.nanoseconds, default: []].insert(told.topic)
        }
        var frames: [Int: Set<String>] = [:]
        for frame in theater.log.frames where !frame.states.isEmpty {
            frames[frame.stamp.instant.nanoseconds, default: []]
                .formUnion(frame.states.map { "state/\($0)" })
        }
        #expect(topics == frames && topics.count > 60)
        #expect(theater.log.frames.contains { $0.badge != nil })
        #expect(theater.log.frames.map(\.stamp.seq) == Array(1...theater.log.frames.count))
    }

    @Test func whatNobodyWantsIsNotTold() {
        var theater = Theater(.phone(), interest: .all.subtracting([.frame, .scene]))
        theater.step(100)
        #expect(theater.log.frames.isEmpty && theater.log.scenes.isEmpty)
        #expect(theater.session.seq(of: .frame) == 0)
    }

    /// A subscriber is answered with all states and the counts, and no transition.
    @Test func aFrameIsResentWhole() {
        var theater = Theater(.phone())
        theater.step(400)
        let count = theater.log.frames.count
        theater.session.answer(.frame)
        theater.flush()
        #expect(theater.log.frames.count == count + 1)
        let frame = theater.log.frames[count]
        #expect(frame.states == all && frame.badge != nil && frame.transitions.isEmpty)
        #expect(frame.stamp.seq == count + 1)
        theater.session.answer(.scene)
        theater.flush()
        #expect(theater.log.scenes.map(\.seq) == [1, 1], "an unchanged scene keeps its number")
    }

    @Test func aTransitionComesInOrderBesideAResend() {
        var theater = Theater(.phone())
        theater.step(400)
        let count = theater.log.frames.count
        theater.session.answer(.frame)
        theater.command("tips", "dismiss")
        theater.flush()
        let frames = theater.log.frames[count...]
        #expect(frames.map { $0.transitions.isEmpty } == [false, true])
        #expect(frames.last?.states == all)
    }

    /// A transition that takes time is told with each state until it ends.
    @Test func whatRunsIsToldUntilItEnds() {
        var theater = Theater(.phone())
        theater.step(400)
        #expect(theater.session.notes(of: 0).running.isEmpty)
        theater.command("tips", "dismiss")
        let running = theater.session.notes(of: 0).running
        #expect(running.map(\.transition.name) == ["dismiss"])
        #expect(running.first?.began == theater.session.clock)
        theater.step(60)
        #expect(theater.session.notes(of: 0).running.isEmpty)
    }
}
