import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Whatever comes whenever, what does not move is cut, and what was gone returns cut.
@Suite struct CutPropertyTests {
    /// A step moves a body at most 200 pt, and corrects it three times by 20 pt. An item that
    /// hangs on a finger turns as the finger jumps.
    private static let body = 260.0

    @Test func tipsMoveOrAreCut() {
        var growths = 0
        for seed in 0..<UInt64(60) {
            let stage = tipsStage(Int(seed % 3) + 1) {
                $0.fade = seed % 4 == 0 ? 0 : 0.3
                $0.exitDuration = seed % 5 == 0 ? 0 : 0.2
            }
            var storm = CutStorm(stage, seed: seed)
            let reach = CutStorm<Tips>.Reach(distance: Self.body, turn: 2, alpha: 0.1)
            for _ in 0..<60 {
                let place = storm.place()
                switch storm.random.whole(in: 0...7) {
                case 0: storm.play("present") { s throws(Rejection) in try s.command("present") }
                case 1: storm.play("dismiss") { s throws(Rejection) in try s.command("dismiss") }
                case 2...4: storm.pan(.began, place)
                case 5: storm.pan(.changed, place)
                default: storm.pan(.ended, place)
                }
                for _ in 0..<storm.pick([0, 0, 1, 5, 30, 90]) { storm.step(within: reach) }
            }
            #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
            growths += storm.growths
        }
        #expect(growths > 100)
    }

    @Test func tossMovesOrIsCut() {
        var growths = 0
        for seed in 0..<UInt64(60) {
            let stage = tossStage(seed: seed) {
                $0.returnDuration = seed % 4 == 0 ? 0 : 0.45
                $0.returnDelay = seed % 5 == 0 ? 0 : 0.4
            }
            var storm = CutStorm(stage, seed: seed)
            for _ in 0..<60 {
                let place = storm.place()
                switch storm.random.whole(in: 0...7) {
                case 0: storm.play("reset") { s throws(Rejection) in try s.command("reset") }
                case 1...3: storm.pan(.began, place)
                case 4, 5: storm.pan(.changed, place)
                case 6: storm.pan(.cancelled, place)
                default: storm.pan(.ended, place)
                }
                // The way back takes 54 steps, however long it is.
                let far = (storm.stage.item?.center ?? tossHome) - tossHome
                let reach = CutStorm<Toss>.Reach(
                    distance: Self.body + (far.length + 9_600) / 27, turn: 7)
                for _ in 0..<storm.pick([0, 0, 1, 5, 30, 90]) { storm.step(within: reach) }
            }
            #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
            growths += storm.growths
        }
        #expect(growths > 10)
    }

    @Test func screensMoveOrAreCut() throws {
        var growths = 0
        for seed in 0..<UInt64(60) {
            let duration = seed % 4 == 0 ? 0 : 0.3
            let stage = try navigationStage {
                ($0.duration, $0.removalLead) = (duration, min(duration, 0.02))
                // Nobody sees the screens between several transitions that take no time.
                if duration == 0 { $0.queue = 0 }
            }
            var storm = CutStorm(stage, seed: seed)
            // The steepest part of the curves, 2 heights or scales in 36 steps.
            let reach = CutStorm<Navigation>.Reach(distance: 568 / 12, scale: 1 / 12)
            for _ in 0..<60 {
                let screen = storm.pick(["dashboard", "posts", "likes", "more"])
                let transition = storm.pick(NavigationStage.transitions)
                let place = storm.place()
                let phase = storm.pick([Phase.began, .changed, .changed, .ended])
                switch storm.random.whole(in: 0...9) {
                case 0...3:
                    // The screen is where the finger is, at most a width off.
                    let x = phase == .began ? place.x / 20 : place.x
                    storm.play("\(phase)", within: .init(distance: 320)) { s throws(Rejection) in
                        try s.pan(phase, x, place.y)
                    }
                case 4: storm.play("down") { $0.touch(.down(place)) }
                case 5: storm.play("up") { $0.touch(.up) }
                case 6:
                    storm.play("back") { s throws(Rejection) in try s.back() }
                default:
                    storm.play(transition) { s throws(Rejection) in
                        try s.present(screen, transition)
                    }
                }
                for _ in 0..<storm.pick([0, 0, 1, 5, 30, 90]) { storm.step(within: reach) }
            }
            #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
            growths += storm.growths
        }
        #expect(growths > 100)
    }

    @Test func itemsMoveOrAreCut() throws {
        var growths = 0
        for seed in 0..<UInt64(60) {
            var storm = CutStorm(try worldStage(Self.world), seed: seed)
            // Made smaller, it may swing about a finger that is 170 pt away.
            let reach = CutStorm<World>.Reach(distance: Self.body + 340, turn: 7)
            for _ in 0..<60 {
                storm.playInWorld()
                for _ in 0..<storm.pick([0, 0, 1, 5, 30]) { storm.step(within: reach) }
            }
            #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
            growths += storm.growths
        }
        #expect(growths > 100)
    }

    private static let world: Sheet = [
        "items": [
            ["id": "a", "center": [80, 100], "size": [60, 60]],
            ["id": "b", "center": [240, 100], "size": [80, 40]],
        ],
        "behaviors": [
            ["id": "gravity", "kind": "gravity", "items": ["a", "b"]],
            ["id": "walls", "kind": "collision", "items": ["a", "b"], "bounds": true],
        ],
    ]
}

extension CutStorm<World> {
    fileprivate mutating func playInWorld() {
        let place = place()
        let (item, center) = (
            Sheet(pick(["a", "b", "c"])), Sheet([Sheet(place.x), Sheet(place.y)])
        )
        let phase = pick([Phase.began, .changed, .changed, .ended])
        let amount = random.unit() * 3
        switch random.whole(in: 0...9) {
        case 0...2: pan(phase, place)
        case 3:
            play("pinch", within: .any) { stage throws(Rejection) in
                try stage.pinch(phase, place, amount)
            }
        case 4:
            play("turn", within: .any) { stage throws(Rejection) in
                try stage.turn(phase, place, amount)
            }
            fingerWay += 1_000
        case 5: command("remove-item", ["item": item])
        case 6: command("add-item", ["item": ["id": item, "center": center, "size": [50, 50]]])
        case 7: command("set", ["item": item, "values": ["center": center]])
        case 8:
            let values: Sheet = ["rotation": Sheet(amount), "scale": Sheet(0.5 + amount)]
            command("set", ["item": item, "values": values])
        default:
            command("add-velocity", ["item": item, "dx": Sheet(place.x * 4), "dy": 200])
        }
    }

    private mutating func command(_ name: String, _ body: Sheet) {
        play(name) { stage throws(Rejection) in try stage.command(name, body) }
        // The finger that holds what was set or turned pulls it back in the next step.
        if name == "set" { fingerWay += 1_000 }
    }
}
