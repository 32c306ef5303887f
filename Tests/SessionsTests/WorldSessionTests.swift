import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// A world in a session: raw contacts, frames, and what is counted.
@Suite struct WorldSessionTests {
    private func theater(_ table: Sheet, frameRate: Int = 60) throws -> Theater {
        let world = try WorldParameters(table.node)
        var theater = Theater(.single("world", .init(world)), frameRate: frameRate)
        theater.flush()
        return theater
    }

    private let card: Sheet = [
        "items": [["id": "card", "center": [160, 284], "size": [100, 100]]]
    ]

    @Test func aContactDragsWhatItLandedOn() throws {
        var theater = try theater(card)
        #expect(theater.pointer("world", .began, 1, 205, 284) == .applied)
        #expect(theater.phase == "resting")
        #expect(theater.pointer("world", .changed, 1, 216, 284) == .applied)
        #expect(theater.phase == "dragging" && theater.recognizer == .text("pan"))
        for x in 217...260 {
            theater.pointer("world", .changed, 1, Double(x), 284)
            theater.step()
        }
        #expect(try #require(theater.pictures[0].views["card"]).center.x > 200)
        theater.pointer("world", .ended, 1, 260, 284)
        #expect(theater.phase == "moving" && theater.recognizer == nil)
    }

    @Test func twoContactsScaleAndTurnAtOnce() throws {
        var theater = try theater(card)
        theater.pointer("world", .began, 1, 140, 284)
        theater.pointer("world", .began, 2, 180, 284)
        for step in 1...60 {
            let angle = Double(step) / 60
            let (sine, cosine) = Angle.sineCosine(angle)
            let arm = Vector(cosine, sine) * (20 + Double(step) / 2)
            theater.pointer("world", .changed, 1, 160 - arm.x, 284 - arm.y)
            theater.pointer("world", .changed, 2, 160 + arm.x, 284 + arm.y)
            theater.step()
        }
        let view = try #require(theater.pictures[0].views["card"])
        #expect(theater.phase == "dragging")
        // From 40 to 100 points apart, of which the way up to the beginning is lost.
        #expect(view.scale > 1.9 && view.scale < 2.5, "\(view)")
        #expect(view.rotation > 0.85 && view.rotation < 0.95, "\(view)")
        theater.pointer("world", .ended, 1, 120, 284)
        theater.pointer("world", .ended, 2, 200, 284)
        #expect(theater.phase != "dragging")
    }

    @Test func aContactBesideTheItemsIsRefused() throws {
        var theater = try theater(card)
        theater.pointer("world", .began, 1, 10, 10)
        guard case .refused(let rejection) = theater.pointer("world", .changed, 1, 30, 10) else {
            Issue.record("a pan beside everything was taken")
            return
        }
        #expect(rejection.code == .badValue)
        #expect(theater.phase == "resting")
        #expect(theater.pointer("world", .changed, 1, 160, 284) != .applied)
    }

    /// Raw contacts that were dragging are silent for 3 s: the item is let go, not thrown.
    @Test func aLostContactLetsGo() throws {
        var theater = try theater(card)
        theater.pointer("world", .began, 1, 160, 284)
        theater.pointer("world", .changed, 1, 180, 284)
        theater.step(360)
        #expect(theater.phase != "dragging")
    }

    @Test func worldsPutToRestAreCounted() throws {
        var table = card
        table["behaviors"] = [
            ["id": "slick", "kind": "item", "items": ["card"], "resistance": 0]
        ]
        var theater = try theater(table)
        let members = (["item": "card", "dx": 9, "dy": 0] as Sheet).members
        theater.receive(
            .command(component: "world", ComponentCommand("add-velocity", members)))
        var forced = 0
        for _ in 0..<(61 * 120) {
            let frame = theater.session.renderFrame(
                at: theater.session.clock + 1, interest: .all, into: &theater.log)
            forced += frame.restsForced
        }
        #expect(forced == 1 && theater.phase == "resting")
    }

    /// Every rate shows the same motion, and so does a session that nobody watches.
    @Test(arguments: [30, 120])
    func everyRateShowsTheSameMotion(frameRate: Int) throws {
        var table = card
        table["behaviors"] = [
            ["id": "gravity", "kind": "gravity", "items": ["card"], "dx": 0.1, "dy": 1],
            ["id": "walls", "kind": "collision", "items": ["card"], "bounds": true],
            ["id": "bounce", "kind": "item", "items": ["card"], "elasticity": 0.7],
        ]
        var (one, other) = (
            try theater(table), try theater(table, frameRate: frameRate)
        )
        var unwatched = try theater(table)
        unwatched.interest = []
        for step in 1...600 {
            one.step()
            other.step()
            #expect(one.pictures == other.pictures, "step \(step)")
        }
        unwatched.session.advance(to: Step(15))
        while unwatched.session.clock < Step(600) {
            unwatched.session.advance(to: unwatched.session.clock + 15)
        }
        #expect(unwatched.pictures == one.pictures)
        #expect(one.told("transition/world").count > 4)
    }

    /// A group that no collision names leaves the collisions as they are; the world is read again
    /// as it was saved all the same.
    @Test(arguments: [true, false])
    func aGroupBesideACollisionIsReadAgain(isLater: Bool) throws {
        let items = ["a", "b", "c"].enumerated().map { place, id -> Sheet in
            ["id": Sheet(id), "center": [Sheet(80 * Double(place + 1)), 200], "size": [40, 40]]
        }
        let walls: Sheet = ["id": "walls", "kind": "collision", "items": ["a"], "bounds": true]
        let pair: Sheet = ["id": "pair", "kind": "group", "items": ["b", "c"]]
        var one = try theater([
            "items": Sheet(items), "behaviors": isLater ? [walls] : [pair, walls],
        ])
        func command(_ name: String, _ members: Sheet, _ theater: inout Theater) {
            theater.receive(
                .command(component: "world", ComponentCommand(name, members.members)))
        }
        if isLater { command("add-behavior", ["behavior": pair], &one) }
        command("add-velocity", ["item": "a", "dx": 900, "dy": 0], &one)
        one.step(4)
        var other = one
        let state = Node(encoding: one.session.state)
        other.session = try Session(
            try state.decode(SessionSnapshot.self), id: "alice", scene: one.session.scene,
            frameRate: 60, key: 0, continuing: .same)
        one.step(60)
        other.step(60)
        #expect(other.pictures == one.pictures)
    }
}
