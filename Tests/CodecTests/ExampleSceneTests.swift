import Geometry
import TestSupport
import Testing

/// The example scenes show what they are examples of.
@Suite struct ExampleSceneTests {
    private static func play(_ name: String) throws -> Play {
        let file = name == "dock" ? "config/scenes/dock.toml" : "Examples/scenes/\(name).toml"
        return try Play(toml: Repository.text(file), file: file)
    }

    @Test func everyExampleHasATest() throws {
        let names = try Repository.names(in: "Examples/scenes")
        // Recordings play the panel: SimulationTests.ControlsTests.
        #expect(names == ["cradle.toml", "panel.toml", "sheet.toml"])
    }

    @Test func theLastBallOfTheCradleLeavesWhenTheFirstHits() throws {
        var play = try Self.play("cradle")
        let hanging = try (1...5).map { try play.center("ball-\($0)") }
        let isStruck = { (play: Play) in play.lines.contains { $0.hasPrefix("contact began") } }
        while !isStruck(play) {
            try #require(play.picture.isFinite && play.phase == "moving")
            for ball in 1...4 {
                #expect(try (play.center("ball-\(ball + 1)") - hanging[ball]).length < 0.5)
            }
            play.step()
        }
        var farthest = 0.0
        try play.watch(100) { play in
            farthest = max(farthest, try play.center("ball-5").x - hanging[4].x)
            // It takes a step from ball to ball; from then on the others hang.
            for ball in 2...4 {
                #expect(try (play.center("ball-\(ball)") - hanging[ball - 1]).length < 8)
            }
        }
        let aside = hanging[1].x - 41 - hanging[0].x
        #expect(farthest > 0.97 * aside && farthest < 1.01 * aside)
        // And back: the first one leaves.
        var back = 0.0
        try play.watch(180) { play in back = max(back, 202 - (try play.center("ball-1").x)) }
        #expect(back > 0.97 * aside)
    }

    @Test func iconsThatFallIntoTheDockRestOnItsShelf() throws {
        var play = try Self.play("dock")
        play.rest()
        for icon in ["mail", "maps", "music", "photos"] {
            let center = try play.center(icon)
            // Half its height and the skin of both above the shelf.
            #expect((457...460).contains(center.y), "\(icon) at \(center)")
            #expect((28...292).contains(center.x), "\(icon) at \(center)")
            let quarters = try play.rotation(icon) / (.pi / 2)
            #expect(abs(quarters - quarters.rounded()) < 0.02, "\(icon) stands on a corner")
        }
        let badge = try play.center("badge")
        #expect(badge.y < 488 - 11 && (12...308).contains(badge.x))
        for icon in ["mail", "maps", "music", "photos", "badge"] {
            #expect(
                play.lines.contains { $0.hasPrefix("contact began") && $0.contains(icon) })
        }
    }

    @Test func theSheetSnapsToEachOfItsPlaces() throws {
        var play = try Self.play("sheet")
        play.rest()
        #expect(try play.center("sheet") == Vector(160, 784))
        for y in [304.0, 524, 784, 304, 784] {
            try play.command(
                #"{"command":"set","behavior":"place","values":{"point":[160,\#(y)]}}"#)
            #expect(play.phase == "moving")
            play.rest()
            #expect(try (play.center("sheet") - Vector(160, y)).length < 0.5)
            #expect(try play.rotation("sheet") == 0)
        }
    }
}
