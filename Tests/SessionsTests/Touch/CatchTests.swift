import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// A contact that lands on what carries a list through the air stops that, and does nothing to the
/// list: neither is it a tap, nor does it open a row or scroll.
@Suite struct CatchTests {
    /// The list's holder, and how it moves when the finger lands on it.
    enum Carrier: String, CaseIterable {
        case card, turningCard, thrown, returning, entering, swingingBack

        /// The component and its view.
        var names: (component: String, view: String) {
            switch self {
            case .card, .turningCard: ("world", "card")
            case .thrown, .returning: ("toss", "item")
            case .entering, .swingingBack: ("tips", "tip")
            }
        }
    }

    private func theater(_ carrier: Carrier, drag: Bool = true) throws -> Theater {
        let names = carrier.names
        var scene = NestedScene()
        switch carrier {
        case .card, .turningCard:
            let card: Sheet = ["id": "card", "center": [160, 284], "size": [220, 300]]
            let world: Sheet = ["items": [card], "drag": drag ? true : false]
            scene = scene.with("world", try WorldParameters(world.node))
        case .thrown, .returning: scene = scene.with("toss", TossParameters(viewport: .phone))
        case .entering, .swingingBack: scene = scene.with("tips", TipsParameters.counting(3))
        }
        let slot = "\(names.component)/\(names.view)"
        return Theater(scene.with("list", ListParameters(rows: 40), in: slot).scene)
    }

    private func push(_ theater: inout Theater, _ dx: Double, _ dy: Double, turn: Double = 0) {
        theater.receive(
            .command(
                component: "world",
                ComponentCommand(
                    "add-velocity",
                    [
                        .init("item", .init(.string("card"))), .init("dx", .init(.number(dx))),
                        .init("dy", .init(.number(dy))),
                        .init("angular", .init(.number(turn))),
                    ])))
    }

    /// Sets the carrier in motion.
    private func move(_ theater: inout Theater, _ carrier: Carrier) {
        switch carrier {
        case .card, .turningCard:
            theater.step(10)
            push(&theater, 200, -300, turn: carrier == .card ? 0 : 3)
            theater.step(6)
        case .thrown, .returning:
            let isThrown = carrier == .thrown
            theater.pan("toss", .began, 160, 223)
            theater.pan("toss", .changed, 200, 260)
            theater.step(60)
            theater.pan("toss", .ended, 200, 260, velocity: isThrown ? Vector(0, 1_400) : .zero)
            theater.step(10)
        case .entering: theater.step(72)
        case .swingingBack:
            theater.step(600)
            theater.pan("tips", .began, 160, 284)
            theater.pan("tips", .changed, 230, 284)
            theater.step(60)
            theater.pan("tips", .ended, 230, 284)
            theater.step(4)
        }
    }

    private func center(_ theater: Theater, _ carrier: Carrier) -> Vector {
        theater.picture(carrier.names.component).views[carrier.names.view]?.center ?? .zero
    }

    private func isUntouched(_ theater: Theater) -> Bool {
        let list = theater.picture("list")
        return list.phase == "closed" && list.fields["selected"] == .null
            && list.fields["offset"] == .points(0) && list.fields["recognizer"] == nil
    }

    @Test(arguments: Carrier.allCases)
    func aTapThatStopsItSelectsNothing(carrier: Carrier) throws {
        var theater = try theater(carrier)
        move(&theater, carrier)
        let before = center(theater, carrier)
        let finger = Finger(landing: before + Vector(10, 20), on: &theater)
        #expect(theater.hit?.hasPrefix("list/row") == true, "\(theater.hit ?? "")")
        theater.step(7)
        finger.lift(&theater)
        theater.step(4)
        #expect(isUntouched(theater))
        // The next one, at rest, is a tap.
        theater.step(600)
        let place = center(theater, carrier)
        let second = Finger(landing: place + Vector(10, 20), on: &theater)
        theater.step(7)
        second.lift(&theater)
        #expect(theater.picture("list").fields["selected"] != .null)
    }

    /// It holds it for as long as it stays, whatever it says meanwhile.
    @Test(arguments: Carrier.allCases, [true, false])
    func aStillFingerHoldsIt(carrier: Carrier, repeats: Bool) throws {
        var theater = try theater(carrier)
        move(&theater, carrier)
        let finger = Finger(landing: center(theater, carrier) + Vector(10, 20), on: &theater)
        for _ in 0..<30 {
            theater.step(2)
            if repeats { finger.tell(.changed, &theater) }
        }
        let held = center(theater, carrier)
        theater.step(40)
        finger.tell(.changed, &theater)
        #expect((center(theater, carrier) - held).length < 1, "it goes on")
        #expect(isUntouched(theater))
        #expect(theater.picture(carrier.names.component).phase == "dragging")
        finger.lift(&theater)
        theater.step(600)
        #expect(isUntouched(theater))
        switch carrier {
        case .card, .turningCard: #expect((center(theater, carrier) - held).length < 1)
        case .thrown, .returning: #expect(center(theater, carrier) == Vector(160, 223))
        case .entering, .swingingBack:
            #expect(center(theater, carrier) == Vector(160, 284))
            #expect(theater.picture("tips").fields["index"] == .whole(0))
        }
    }

    /// From its landing on, without the slop of a pan, and whichever way it goes.
    @Test(arguments: [Carrier.card, .thrown, .returning], [Vector(0, 4), Vector(-5, 1)])
    func itDragsWhatItStopped(carrier: Carrier, way: Vector) throws {
        var theater = try theater(carrier)
        move(&theater, carrier)
        let before = center(theater, carrier)
        var finger = Finger(landing: before, on: &theater)
        finger.move(by: way, samples: 20, &theater)
        theater.step(60)
        #expect((center(theater, carrier) - (before + 20 * way)).length < 1)
        #expect(isUntouched(theater))
    }

    /// A tip that leaves has been decided on: it goes, and the list in it is left alone.
    @Test func aTipThatLeavesIsNotStopped() throws {
        var theater = try theater(.entering)
        theater.step(600)
        theater.pan("tips", .began, 160, 284)
        theater.pan("tips", .changed, 20, 284)
        theater.step(20)
        theater.pan("tips", .ended, 20, 284)
        theater.step(8)
        #expect(theater.picture("tips").phase == "leaving")
        let finger = Finger(landing: center(theater, .entering), on: &theater)
        theater.step(7)
        finger.lift(&theater)
        #expect(theater.picture("tips").phase == "leaving" && isUntouched(theater))
    }

    /// On the list's own topic nothing takes the contact from it, but it is no tap either.
    @Test(arguments: Carrier.allCases)
    func norDoesItOnTheListsOwnTopic(carrier: Carrier) throws {
        var theater = try theater(carrier)
        move(&theater, carrier)
        theater.pointer("list", .began, 1, 110, 100)
        theater.step(7)
        theater.pointer("list", .ended, 1, 110, 100)
        #expect(isUntouched(theater))
    }

    @Test func twoFingersMayPinchWhatOneHasStopped() throws {
        var theater = try theater(.card)
        move(&theater, .card)
        let place = center(theater, .card)
        let one = Finger(landing: place, on: &theater)
        theater.step(6)
        var other = Finger(landing: place + Vector(0, 60), on: &theater, pointer: 2)
        other.move(by: Vector(0, 4.5), samples: 14, &theater)
        #expect(theater.picture("world").fields["recognizer"] == .text("pinch"))
        let scale = try #require(theater.picture("world").views["card"]?.scale)
        #expect(scale > 1.5)
        other.lift(&theater)
        one.lift(&theater)
        theater.step(4)
        #expect(theater.picture("world").phase != "dragging" && isUntouched(theater))
    }

    /// It has stopped the list, so it does not open a row of it; the next one does.
    @Test func aSwipeThatStopsAListOpensNothing() {
        var theater = Theater(NestedScene().with("list", ListParameters(rows: 200)).scene)
        func stroke(_ way: Vector, pointer: Int) {
            var finger = Finger(landing: Vector(200, 400), on: &theater, pointer: pointer)
            finger.move(by: way, samples: 5, &theater)
            finger.lift(&theater)
        }
        stroke(Vector(0, -32), pointer: 1)
        theater.step(12)
        stroke(Vector(-20, 0), pointer: 2)
        #expect(theater.picture("list").phase == "closed")
        theater.step(60)
        stroke(Vector(-20, 0), pointer: 3)
        #expect(theater.picture("list").phase == "opening")
    }

    // MARK: Nothing catches it

    /// Fingers may not drag the card: it goes on, and the list in it is used as ever.
    @Test func whatNoFingerMayDragGoesOn() throws {
        var theater = try theater(.card, drag: false)
        theater.step(10)
        push(&theater, 120, 0)
        theater.step(2)
        let before = center(theater, .card)
        let finger = Finger(landing: Vector(160, 240), on: &theater)
        theater.step(2)
        for _ in 0..<30 {
            theater.step(2)
            finger.tell(.changed, &theater)
        }
        #expect(center(theater, .card).x > before.x + 20)
        #expect(isUntouched(theater), "a still finger is still")
        finger.lift(&theater)
        #expect(theater.picture("list").fields["selected"] == .whole(1))
    }

    /// Someone else drags the card under a finger that rests on the list in it.
    @Test(arguments: [Vector(4, 0), Vector(0, 4), Vector(-3, -3)])
    func aStillFingerIsStillWhileItsCardIsDragged(way: Vector) throws {
        var theater = try theater(.card)
        theater.step(10)
        let finger = Finger(landing: Vector(160, 284), on: &theater)
        theater.step(4)
        var place = Vector(120, 240)
        theater.pan("world", .began, place.x, place.y)
        for _ in 0..<30 {
            theater.step(2)
            place += way
            theater.pan("world", .changed, place.x, place.y)
            finger.tell(.changed, &theater)
            #expect(isUntouched(theater))
        }
    }

    /// A finger that scrolls a list throws it as fast as it went, not as fast as the card.
    @Test func theCardsWayIsNoVelocity() throws {
        var theater = try theater(.card)
        theater.step(10)
        var finger = Finger(landing: Vector(160, 284), on: &theater)
        finger.move(by: Vector(0, -5), samples: 6, &theater)
        finger.stay(steps: 60, &theater)
        var place = Vector(120, 240)
        theater.pan("world", .began, place.x, place.y)
        for _ in 0..<20 {
            theater.step(2)
            place += Vector(0, 6)
            theater.pan("world", .changed, place.x, place.y)
            finger.tell(.changed, &theater)
        }
        let before = theater.picture("list").fields["offset"]
        #expect(before == .points(20))
        finger.lift(&theater)
        theater.step(30)
        #expect(theater.picture("list").fields["offset"] == before)
    }

    /// A list whose rows hold lists: one that opens takes a finger along.
    @Test func aStillFingerOnARowThatOpensDoesNothing() throws {
        var outer = ListParameters(rows: 9)
        outer.rowHeight = 300
        var theater = Theater(
            NestedScene().with("outer", outer)
                .with("list", ListParameters(rows: 20), in: "outer/row-1").scene)
        theater.receive(
            .gesture(
                component: "outer",
                .swipe(Swipe(direction: .left, target: .row(1)))))
        theater.step(2)
        let finger = Finger(landing: Vector(160, 400), on: &theater)
        for _ in 0..<12 {
            theater.step(2)
            finger.tell(.changed, &theater)
        }
        finger.lift(&theater)
        #expect(isUntouched(theater) && theater.picture("outer").fields["selected"] == .null)
    }
}
