import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// Sessions that become other scenes, at chosen moments.
@Suite struct SceneChangeTests {
    private func scene(_ ids: String..., rate: Int? = nil) -> Scene {
        var scene = Scene.phone(frameRate: rate)
        scene.components = ids.compactMap { id in scene.components.first { $0.id == id } }
        return scene
    }

    private func become(_ scene: Scene) -> Event.Payload {
        .change(.update(.inline(InlineScene(scene))))
    }

    @Test func theSameSceneAgainLeavesAllAsItWas() throws {
        var theater = Theater(.phone())
        theater.step(30)
        theater.command("tabs", "select", index: 2)
        theater.step(4)
        let before = theater.session.machines.map { AnyHashable($0) }
        let (scenes, frames) = (theater.log.scenes.count, theater.log.frames.count)
        #expect(theater.receive(become(theater.session.scene)) == .applied)
        #expect(theater.session.machines.map { AnyHashable($0) } == before)
        #expect(theater.session.revision == 2)
        theater.flush()
        #expect(theater.log.scenes.count == scenes + 1)
        #expect(theater.log.frames.count == frames + 1)
        #expect(theater.log.frames.last?.states == Scene.phone().components.map(\.id))
        #expect(theater.session.isMoving, "the arrow runs on")
    }

    /// Two editors have read the same scene: the first changes it, and the second is refused.
    @Test func anUpdateOfAFormerRevisionIsRefused() {
        var theater = Theater(.phone())
        theater.step(3)
        func update(_ scene: Scene, of revision: Int) -> Event.Payload {
            .change(.update(.inline(InlineScene(scene)), ofRevision: revision))
        }
        #expect(theater.receive(update(scene("toss"), of: 1)) == .applied)
        #expect(
            theater.receive(update(scene("list"), of: 1))
                == .refused(
                    Rejection(
                        .badValue,
                        "key revision: the scene was changed meanwhile, and has revision 2 now")))
        #expect(theater.session.revision == 2)
        #expect(theater.session.scene.components.map(\.id) == ["toss"])
        #expect(theater.receive(update(scene("list"), of: 2)) == .applied)
        #expect(theater.session.scene.components.map(\.id) == ["list"])
    }

    /// A finger holds the item while it becomes the first of two, then the only one.
    @Test func contactsNotesAndNumbersMoveWithTheirComponent() throws {
        var theater = Theater(scene("list", "toss"))
        theater.step(10)
        theater.pointer("toss", .began, 1, 160, 223)
        theater.pointer("toss", .changed, 1, 190, 223)
        theater.flush()
        let seq = theater.session.seq(of: .state(component: 1))
        let dragged = theater.picture("toss")
        #expect(dragged.phase == "dragging" && seq > 1)
        theater.receive(become(scene("toss", "reader", "list")))
        #expect(theater.session.seq(of: .state(component: 0)) == seq)
        #expect(theater.picture("toss") == dragged)
        theater.flush()
        theater.receive(become(scene("toss")))
        #expect(theater.pointer("toss", .changed, 1, 220, 223) == .applied)
        theater.flush()
        #expect(theater.told("state/toss").map(\.stamp.seq) == Array(1...seq + 2))
        #expect(theater.pointer("toss", .ended, 1, 220, 223) == .applied)
        #expect(theater.picture("toss").phase != "dragging")
    }

    @Test func aContactOfAClosedComponentIsCancelled() throws {
        var theater = Theater(scene("toss", "list"))
        let sample = Pointer(phase: .began, pointer: 1, location: Vector(160, 30))
        #expect(theater.receive(.gesture(component: nil, .pointer(sample))) == .applied)
        #expect(theater.session.answer == .hit(NamedHit(component: "list", view: "row-0")))
        theater.receive(become(scene("toss")))
        var moved = sample
        moved.phase = .changed
        #expect(theater.receive(.gesture(component: nil, .pointer(moved))) == .applied)
        #expect(theater.session.answer == .hit(nil))
        #expect(theater.session.trackings.isEmpty)
        let onList = Event.Payload.gesture(component: "list", .pointer(moved))
        #expect(theater.receive(onList) != .applied)
    }

    @Test func transitionsThatWaitAreToldOfTheComponentsThatStay() {
        var theater = Theater(scene("list", "tabs"))
        theater.flush()
        theater.command("tabs", "select", index: 1)
        theater.receive(become(scene("tabs", "list")))
        theater.flush()
        #expect(theater.told("transition/tabs").count == 1)
        theater.command("tabs", "select", index: 2)
        theater.receive(become(scene("list")))
        theater.flush()
        #expect(theater.told("transition/tabs").count == 1)
        theater.receive(become(scene("tabs")))
        theater.command("tabs", "select", index: 3)
        theater.flush()
        #expect(theater.told("transition/tabs").map(\.stamp.seq) == [1, 2])
    }

    /// A component of the same id and another kind is another component.
    @Test func numbersAndCutsGoOnWhenAnIDComesBack() {
        var theater = Theater(scene("list"))
        theater.flush()
        var other = scene("toss")
        other.components[0].id = "list"
        for round in 1...3 {
            theater.receive(become(other))
            theater.flush()
            theater.receive(become(scene("list")))
            theater.flush()
            #expect(theater.session.notes(of: 0).cutFloor == 2 * round)
        }
        #expect(theater.told("state/list").map(\.stamp.seq) == Array(1...7))
    }

    @Test func numbersOfForgottenIDsAreFloors() {
        var topics = ClosedTopics()
        for number in 0...Limits.closedNumbersMax {
            topics.close(
                "c\(number)", ClosedTopics.Numbers(state: 9 - number % 9, transition: 1, cut: 2))
        }
        #expect(topics.open("c128").state == 7)
        let forgotten = ClosedTopics.Numbers(state: 9, transition: 1, cut: 2)
        #expect(topics.open("c0") == forgotten && topics.open("never") == forgotten)
        #expect(topics.open("c1") == ClosedTopics.Numbers(state: 8, transition: 1, cut: 2))
    }

    @Test func theNewSceneSaysHowOftenFramesCome() {
        var theater = Theater(scene("toss"), frameRate: 60)
        for (rate, steps) in [(30, 4), (nil, 2), (120, 1)] as [(Int?, Int)] {
            theater.receive(become(scene("toss", rate: rate)))
            #expect(theater.session.frameSteps == steps)
            #expect(theater.session.sceneDescription.frameRate == 120 / steps)
        }
    }

    @Test func velocitiesAreMeasuredAsBefore() {
        var theater = Theater(scene("toss"))
        var other = scene("toss", "list")
        other.velocity = .leastSquares
        theater.receive(become(other))
        #expect(theater.session.scene.velocity == .uikit)
    }

    @Test func theRevisionIsKeptByRecordsAndExports() throws {
        var theater = Theater(.phone())
        _ = theater.session.takeDirtyParts()
        _ = theater.session.takeUsed()
        for _ in 0..<3 { theater.receive(become(.phone())) }
        #expect(theater.session.takeDirtyParts() == .all && theater.session.takeUsed() == .all)
        let record = try #require(theater.session.record())
        #expect(record.revision == 4)
        let restored = Session(
            id: "alice", epoch: "e.2", scene: .phone(), opened: Theater.opened, frameRate: 60,
            beginning: .restored(record, marks: []))
        #expect(restored.revision == 4)
        let imported = try Session(
            theater.session.state, id: "bob", scene: .phone(), frameRate: 60, key: 0,
            continuing: .moved(epoch: "f.1", opened: Theater.opened, version: 0))
        #expect(imported.revision == 4)
    }

    /// A scene that was made without a text cannot be read again.
    @Test func aSceneWithoutATextCannotBeRevised() {
        var theater = Theater(.phone())
        let before = Node(encoding: theater.session.state)
        let resize = SceneRevision.resize(viewport: Size(10, 10), insets: nil)
        let values = ComponentValues(component: "list", values: [])
        for revision in [resize, .set(values)] {
            guard case .refused(let rejection) = theater.receive(.change(.revise(revision)))
            else {
                Issue.record("a scene without a text was changed")
                return
            }
            #expect(rejection.code == .internal)
        }
        #expect(Node(encoding: theater.session.state) == before)
    }

    @Test func worldsKeepTheirBoundTogether() throws {
        let items = (0..<64).map { number -> Sheet in
            ["id": Sheet("i\(number)"), "center": [5, 5], "size": [1, 1]]
        }
        let world = try WorldParameters((["items": Sheet(items)] as Sheet).node)
        func scene(_ count: Int) -> Scene {
            Scene(
                name: nil, viewport: .phone,
                components: (0..<count).map {
                    Scene.Component(id: "w\($0)", parameters: .init(world), filling: .phone)
                })
        }
        var theater = Theater(scene(1))
        #expect(theater.receive(become(scene(2))) == .applied)
        guard case .refused(let rejection) = theater.receive(become(scene(3))) else {
            Issue.record("too many items were taken")
            return
        }
        #expect(rejection.code == .badScene && rejection.message.contains("128 items"))
        #expect(theater.session.machines.count == 2 && theater.session.revision == 2)
    }
}
