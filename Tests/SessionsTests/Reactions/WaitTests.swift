import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// `after`: reactions that wait.
@Suite struct WaitTests {
    private let likes = Reaction.Cause.notification(kind: "spare")

    /// 0.1 s are 12 steps; less than a step is one.
    @Test(arguments: [(0.1, 12), (0.001, 1), (1.0, 120)])
    func aWaitEndsAtItsStep(seconds: Double, steps: Int) {
        var theater = Theater(reacting: .select(likes, .integer(2), after: seconds))
        theater.step(7)
        theater.notify("spare")
        #expect(theater.session.nextWake(interest: []) == theater.session.clock + steps)
        theater.step(steps - 1)
        #expect(theater.selected == 0)
        theater.step()
        #expect(theater.selected == 2)
        theater.command("tabs", "select", index: 1)
        theater.step(300)
        #expect(theater.selected == 1, "it waits once")
    }

    @Test func theSameReactionRestartsItsWait() {
        var theater = Theater(
            reacting: .push(.transition("tabs", "select"), "$item", after: 0.5),
            .select(likes, .integer(4), after: 0.5))
        theater.command("tabs", "select", index: 1)
        theater.notify("spare")
        theater.step(40)
        theater.command("tabs", "select", index: 2)
        theater.step(20)
        #expect(theater.selected == 4, "the other one waits for itself")
        #expect(theater.stack == ["dashboard"] && !theater.isPushing)
        // It selected another item, which restarts the wait once more.
        theater.step(59)
        #expect(!theater.isPushing)
        theater.step()
        #expect(theater.isPushing)
        theater.step(100)
        #expect(theater.stack == ["dashboard", "profile"])
    }

    @Test func aClosedSessionWaitsNoMore() {
        var theater = Theater(reacting: .select(likes, .integer(2), after: 0.1))
        theater.notify("spare")
        theater.session.end(.closed)
        let count = theater.told().count
        theater.flush()
        #expect(theater.told().count == count + 1)
    }

    /// Its time stands still while it is stored: what was left of the wait is left when it returns.
    @Test func aRestoredSessionGoesOnWaiting() throws {
        var theater = Theater(reacting: .select(likes, .integer(2), after: 0.1))
        theater.notify("spare")
        theater.step(5)
        let record = try #require(theater.session.record())
        theater.session = Session(
            id: "alice", epoch: "e.2", scene: theater.session.scene, opened: Theater.opened,
            frameRate: 60, beginning: .restored(record, marks: []))
        theater.step(6)
        #expect(theater.selected == 0)
        theater.step(1)
        #expect(theater.selected == 2)
    }

    /// Encoded at any step of the wait, with what happened.
    @Test(arguments: [1, 30, 59]) func anExportGoesOnWaiting(passed: Int) throws {
        var theater = Theater(reacting: .push(likes, "$kind", after: 0.5))
        theater.notify("spare")
        theater.step(passed)
        let state = try Node(encoding: theater.session.state).decode(SessionSnapshot.self)
        for continuation in [
            Continuation.same, .moved(epoch: "e.2", opened: Theater.opened, version: 0),
        ] {
            var other = theater
            other.session = try Session(
                state, id: "alice", scene: theater.session.scene, frameRate: 60, key: 0,
                continuing: continuation)
            other.step(59 - passed)
            #expect(!other.isPushing)
            other.step()
            #expect(other.isPushing)
            other.step(100)
            #expect(other.stack == ["dashboard", "spare"])
        }
    }

    @Test func aSnapshotWithoutWaitsHasNoneToTell() {
        var theater = Theater(reacting: .push(likes, "$kind", after: 0.5))
        #expect(Node(encoding: theater.session.state)["reactions"]?.isNull != false)
        theater.notify("spare")
        #expect(Node(encoding: theater.session.state)["reactions"]?.array?.count == 1)
    }

    @Test func aHostileWaitIsRefused() {
        var theater = Theater(reacting: .push(likes, "$kind", after: 0.5), .push(likes, "b"))
        theater.notify("spare")
        let sound = theater.session.reacting.waits[0]
        func isTaken(_ change: (inout [ReactionState.Wait]) -> Void) -> Bool {
            var waits = [sound]
            change(&waits)
            return waits.areSound(theater.session.scene, now: theater.session.motion)
        }
        #expect(isTaken { _ in })
        #expect(!isTaken { $0[0].reaction = 2 })
        #expect(!isTaken { $0[0].reaction = -1 })
        #expect(!isTaken { $0[0].reaction = 1 }, "that one does not wait")
        #expect(!isTaken { $0[0].due = Step(-1) })
        #expect(!isTaken { $0[0].due = .never })
        #expect(!isTaken { $0[0].facts.kind = .text("two words") })
        #expect(!isTaken { $0.append($0[0]) })
    }

    /// The scene becomes another one, in which components and reactions stand elsewhere.
    @Test func aWaitGoesOnInAnotherScene() {
        var theater = Theater(
            reacting: .push(.transition("tabs", "select"), "kept", after: 1).marked(7),
            .push(.phase("toss", "dragging"), "changed", after: 1), .push(likes, "gone", after: 1))
        theater.command("tabs", "select", index: 1)
        theater.pan("toss", .began, 160, 223)
        theater.notify("spare")
        #expect(theater.session.reacting.waits.count == 3)
        let former = theater.session.scene
        var scene = former
        scene.components.swapAt(0, Scene.index("tabs"))
        scene.components.swapAt(1, Scene.index("toss"))
        let tabs = Reaction.Cause.transition(
            .init(component: 0, name: "select", event: .began))
        scene.reactions = [
            .push(likes, "new", after: 1), .push(tabs, "kept", after: 1).marked(7),
            .push(.phase(component: 1, phase: "dragging"), "changed", after: 1).marked(8),
        ]
        scene.components[1].id = "other"
        let carried = theater.session.reacting.carried(
            from: former, to: scene, at: theater.session.motion)
        #expect(carried.waits.map(\.reaction) == [1])
        #expect(carried.waits.first?.due == theater.session.reacting.waits.first?.due)
        #expect(carried.earliestWait == carried.waits.first?.due)
    }

    /// After a stall reactions that wait for each other are made up as motion is.
    @Test func waitsAreMadeUpWithinTheBoundOfSteps() {
        var theater = Theater(.circle(after: 0.001))
        theater.command("tabs", "select", index: 1)
        #expect(!theater.session.isMoving)
        #expect(theater.session.advance(to: theater.session.clock + 30) == 0)
        let jumped = theater.session.advance(to: theater.session.clock + 432_000)
        #expect(jumped == 432_000 - Limits.stepsMadeUpMax)
        #expect(theater.session.advance(to: theater.session.clock + 30) == 0)
    }

    /// One wait for each of 64 reactions, and no more.
    @Test func waitsAreBounded() {
        let scene = Scene.reacting(
            (0..<Limits.reactionsMax).map { _ in .select(likes, .integer(1), after: 1) })
        var theater = Theater(scene)
        for _ in 0..<300 { theater.notify("spare") }
        #expect(theater.session.reacting.waits.count == Limits.reactionChainMax)
    }
}

extension Theater {
    fileprivate var isPushing: Bool { picture("navigation").phase == "transitioning" }
}
