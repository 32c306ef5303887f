import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// Taps on what a toss, a world and tips show.
@Suite struct ItemTapTests {
    private func world(drag: Bool = true) throws -> WorldParameters {
        let table: Sheet = [
            "drag": Sheet(booleanLiteral: drag),
            "items": [
                ["id": "a", "center": [60, 60], "size": [80, 80]],
                ["id": "b", "center": [200, 60], "size": [80, 80]],
            ],
        ]
        return try WorldParameters(table.node)
    }

    /// A contact that lands, moves so far, and lifts. Returns the items of the taps that it made.
    private func tap(
        _ theater: inout Theater, _ x: Double, _ y: Double, move: Double = 0
    ) -> [String] {
        theater.touch(.began, x, y)
        theater.step(6)
        theater.touch(.changed, x, y + move)
        theater.step(6)
        theater.touch(.ended, x, y + move)
        let told = theater.session.outgoing.transitions.map(\.transition).filter {
            $0.name == "tap"
        }
        #expect(told.map(\.event) == (told.isEmpty ? [] : [.began, .ended]))
        theater.step(2)
        return told.prefix(1).map { tap in
            [tap.item, tap.index.map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test func aShortContactOnAnItemIsATap() throws {
        var theater = Theater(
            NestedScene().with("world", try world())
                .with("toss", TossParameters(viewport: .phone)).scene)
        theater.step(10)
        #expect(tap(&theater, 60, 60) == ["a"])
        #expect(tap(&theater, 200, 70, move: 4) == ["b"])
        #expect(tap(&theater, 160, 223) == ["item"])
        #expect(theater.picture("toss").phase == "resting")
    }

    @Test func aDragIsNone() {
        var theater = Theater(
            NestedScene().with("toss", TossParameters(viewport: .phone)).scene)
        #expect(tap(&theater, 160, 223, move: 30) == [])
        _ = theater.stepsToRest()
        // And neither is a contact that catches what moves.
        theater.pan("toss", .began, 160, 223)
        theater.pan("toss", .ended, 160, 223, velocity: Vector(0, -2_000))
        theater.step(3)
        let pose = theater.picture("toss").views["item"]?.center ?? .zero
        #expect(tap(&theater, pose.x, pose.y) == [])
    }

    /// The founding walk-through's view: a finger pulls it from anywhere.
    @Test func aTossMayBePulledFromAnywhere() {
        var parameters = TossParameters(viewport: .phone)
        parameters.reach = .all
        var theater = Theater(NestedScene().with("toss", parameters).scene)
        theater.touch(.began, 20, 500)
        for part in 1...6 {
            theater.step()
            theater.touch(.changed, 20 + 5 * Double(part), 500)
        }
        #expect(theater.picture("toss").phase == "dragging")
        theater.touch(.ended, 50, 500)
        _ = theater.stepsToRest()
        #expect(tap(&theater, 20, 500) == [], "a tap beside it is none, and no mistake")
        #expect(theater.touch(.began, 20, 500) == .applied)
        #expect(theater.touch(.ended, 20, 500) == .applied)
    }

    @Test func aTipTellsItsNumber() {
        var theater = Theater(NestedScene().with("tips", TipsParameters.counting(3)).scene)
        _ = theater.stepsToRest()
        #expect(tap(&theater, 160, 284) == ["tip 0"])
        // The backdrop takes the contact, and is no item.
        #expect(tap(&theater, 5, 5) == [] && theater.told().allSatisfy { $0.topic != "rejected" })
    }

    /// A finger may tap what it must not drag.
    @Test func aWorldThatIsNotDraggedIsTapped() throws {
        var theater = Theater(NestedScene().with("world", try world(drag: false)).scene)
        theater.step(10)
        #expect(tap(&theater, 60, 60) == ["a"])
    }

    /// A contact that a former version listened to goes on with what that listened for.
    @Test func aContactOfAFormerVersionIsTaken() throws {
        var theater = Theater(
            NestedScene().with("toss", TossParameters(viewport: .phone)).scene)
        theater.touch(.began, 160, 223)
        let written = Node(encoding: theater.session.state)
        let old = Int(Recognizers([.pan, .tap]).rawValue)
        let members = (written.members ?? []).map { member in
            member.name == "hands"
                ? Node.Member("hands", member.value.replacingNumber(old, by: 1)) : member
        }
        let state = try Node(.object(members)).decode(SessionSnapshot.self)
        let session = try Session(
            state, id: "alice", scene: theater.session.scene, frameRate: 60, key: 0,
            continuing: .same)
        #expect(session.scene == theater.session.scene)
    }
}

extension Node {
    /// The same with another number in the place of each one of this value.
    fileprivate func replacingNumber(_ old: Int, by new: Int) -> Node {
        switch value {
        case .integer(old): return Node(.integer(new))
        case .array(let elements):
            return Node(.array(elements.map { $0.replacingNumber(old, by: new) }))
        case .object(let members):
            return Node(
                .object(
                    members.map { Node.Member($0.name, $0.value.replacingNumber(old, by: new)) }))
        default: return self
        }
    }
}
