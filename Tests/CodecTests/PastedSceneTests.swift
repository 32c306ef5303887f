import Geometry
import TestSupport
import Testing

/// The scenes of docs/dynamics.md are scenes, and behave as the lines above them say.
@Suite struct PastedSceneTests {
    private static let page = "docs/dynamics.md"

    /// The blocks of the page, by the names that they give themselves.
    private static func blocks() throws -> [String: String] {
        var blocks: [String: String] = [:]
        let parts = try Repository.text(page).split(separator: "```")
        for part in parts where part.hasPrefix("toml\n") {
            let text = String(part.dropFirst(5))
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("name = ") })
            let name = String(line.dropFirst(8).dropLast())
            #expect(blocks.updateValue(text, forKey: name) == nil, "two scenes named \(name)")
        }
        return blocks
    }

    /// The scenes, by what is claimed of each.
    enum Claim: String, CaseIterable {
        case spring, pendulum, lid, hinge, `switch`, cord, snap, pucks, stone, corner, clay, comet
        case leaf, hammer

        func check(_ play: inout Play) throws {
            switch self {
            case .spring: try PastedSceneTests.spring(&play)
            case .pendulum: try PastedSceneTests.pendulum(&play)
            case .lid: try PastedSceneTests.lid(&play)
            case .hinge: try PastedSceneTests.hinge(&play)
            case .switch: try PastedSceneTests.slot(&play)
            case .cord: try PastedSceneTests.cord(&play)
            case .snap: try PastedSceneTests.snap(&play)
            case .pucks: try PastedSceneTests.pucks(&play)
            case .stone: try PastedSceneTests.stone(&play)
            case .corner: try PastedSceneTests.corner(&play)
            case .clay: try PastedSceneTests.clay(&play)
            case .comet: try PastedSceneTests.comet(&play)
            case .leaf: try PastedSceneTests.leaf(&play)
            case .hammer: try PastedSceneTests.hammer(&play)
            }
        }
    }

    @Test func everySceneOfThePageIsTested() throws {
        #expect(try Self.blocks().keys.sorted() == Claim.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: Claim.allCases)
    func aPastedSceneDoesWhatItSays(claim: Claim) throws {
        let text = try #require(try Self.blocks()[claim.rawValue])
        var play = try Play(toml: text, file: Self.page)
        try claim.check(&play)
        play.watch(240) { play in #expect(play.picture.isFinite) }
    }

    fileprivate static func spring(_ play: inout Play) throws {
        var highest = 300.0
        try play.watch(60) { play in highest = min(highest, try play.center("card").y) }
        #expect(highest < 180)
        play.rest()
        #expect(try (play.center("card") - Vector(160, 200)).length < 0.5)
    }

    fileprivate static func pendulum(_ play: inout Play) throws {
        var leftmost = 260.0
        try play.watch(240) { play in
            let bob = try play.center("bob")
            leftmost = min(leftmost, bob.x)
            #expect(abs((bob - Vector(160, 100)).length - 100) < 1)
        }
        #expect(leftmost < 80)
    }

    fileprivate static func lid(_ play: inout Play) throws {
        var widest = 0.0
        try play.watch(120) { play in
            let (lid, handle) = (try play.center("lid"), try play.center("handle"))
            #expect(abs((lid - handle).length - 30) < 1)
            #expect(abs(try play.rotation("lid") - play.rotation("handle")) < 0.04)
            widest = max(widest, abs(try play.rotation("lid")))
        }
        #expect(widest > 0.5)
    }

    fileprivate static func hinge(_ play: inout Play) throws {
        try play.watch(240) { play in
            let rotation = try play.rotation("flap")
            #expect((-0.04...1.24).contains(rotation))
        }
        play.rest()
        #expect(abs(try play.rotation("flap") - 1.2) < 0.05)
    }

    fileprivate static func slot(_ play: inout Play) throws {
        try play.watch(120) { play in
            let knob = try play.center("knob")
            #expect((109.0...211).contains(knob.x) && abs(knob.y - 284) < 1)
        }
        play.rest()
        #expect(try play.center("knob").x > 205)
    }

    fileprivate static func cord(_ play: inout Play) throws {
        play.step(30)
        // As without a cord: after n steps of a fall, n·(n + 1)/2 · 1000/120² pt.
        #expect(abs(try play.center("bucket").y - (120 + 32.3)) < 0.5)
        play.rest()
        #expect(abs(try play.center("bucket").y - 250) < 1)
    }

    fileprivate static func snap(_ play: inout Play) throws {
        var highest = 480.0
        try play.watch(120) { play in highest = min(highest, try play.center("card").y) }
        #expect(highest < 195)
        play.rest()
        #expect(try (play.center("card") - Vector(160, 200)).length < 0.5)
        #expect(abs(try play.rotation("card")) < 0.01)
    }

    fileprivate static func pucks(_ play: inout Play) throws {
        play.step()
        #expect(abs(try play.center("hit").x - (100 + 100 / 120.0)) < 0.01)
        play.step(119)
        #expect((190...200).contains(try play.center("hit").x))
        #expect(try play.rotation("hit") < -0.5)
        #expect((145...150).contains(try play.center("blown").x))
        #expect(try play.rotation("blown") == 0)
    }

    fileprivate static func stone(_ play: inout Play) throws {
        play.step(9)
        #expect(abs(try play.center("stone").y - 53.115_474_7) < 1e-4)
    }

    fileprivate static func corner(_ play: inout Play) throws {
        play.rest()
        let (crate, ball) = (try play.center("crate"), try play.center("ball"))
        #expect(abs(crate.y - (548 - 40)) < 2 && ball.y < 548 && ball.x > 24)
        for what in ["ramp", "bounds"] {
            #expect(play.lines.contains { $0.hasPrefix("contact began") && $0.contains(what) })
        }
    }

    fileprivate static func clay(_ play: inout Play) throws {
        var (clayLow, rubberLow) = (0.0, 0.0)
        var (clayUp, rubberUp) = (0.0, 0.0)
        try play.watch(240) { play in
            let (clay, rubber) = (try play.center("clay").y, try play.center("rubber").y)
            (clayLow, rubberLow) = (max(clayLow, clay), max(rubberLow, rubber))
            (clayUp, rubberUp) = (max(clayUp, clayLow - clay), max(rubberUp, rubberLow - rubber))
        }
        #expect(clayUp < 3 && rubberUp > 100)
        play.rest()
        #expect(abs(try play.center("clay").y - 360) < 2)
        #expect(abs(try play.center("rubber").y - 360) < 2)
        #expect(try play.center("shelf") == Vector(160, 400))
    }

    fileprivate static func comet(_ play: inout Play) throws {
        play.step(30 * 120)
        #expect(try (play.center("comet") - Vector(160, 284)).length < 150)
    }

    fileprivate static func leaf(_ play: inout Play) throws {
        play.step(240)
        try play.watch(120) { play in
            let leaf = try play.center("leaf")
            #expect(abs(leaf.y - 284) < 5)
        }
    }

    fileprivate static func hammer(_ play: inout Play) throws {
        try play.watch(300) { play in
            let (head, handle) = (try play.center("head"), try play.center("handle"))
            #expect(abs((head - handle).length - 80) < 0.001)
            #expect(try play.rotation("head") == play.rotation("handle"))
        }
        play.rest()
        #expect(try play.center("head").y < 568 && play.center("handle").y < 568)
        #expect(play.lines.contains { $0.hasPrefix("contact began") && $0.contains("hammer") })
    }
}
