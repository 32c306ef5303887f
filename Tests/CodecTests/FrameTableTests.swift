import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

@testable import Codec

/// A `frame` that is a table of places and lengths.
@Suite struct FrameTableTests {
    /// A viewport of 320 × 568 under insets, and a list with this frame.
    private static func toml(
        _ frame: String, insets: String = "[47, 10, 34, 20]", viewport: String = "[320, 568]"
    ) -> String {
        """
        viewport = \(viewport)
        insets = \(insets)
        [[components]]
        id = "l"
        kind = "list"
        rows = 3
        frame = \(frame)
        """
    }

    private func scene(_ toml: String) throws -> Scene {
        try SceneReader.scene(from: try Document.toml(Array(toml.utf8)), fallbackName: nil)
    }

    private func frame(_ toml: String, _ id: String = "l") throws -> Rect {
        try #require(try scene(toml).components.first { $0.id == id }).placement.frame
    }

    private func errors(_ toml: String) -> [String] {
        SceneFaults.found(in: Array(toml.utf8), file: "s.toml").map(\.description)
    }

    // MARK: Places

    @Test(arguments: [
        ("{}", Rect(0, 0, 320, 568)),
        ("{ left = 10, right = 30 }", Rect(10, 0, 280, 568)),
        ("{ left = 10, width = 100 }", Rect(10, 0, 100, 568)),
        ("{ right = 10, width = 100 }", Rect(210, 0, 100, 568)),
        ("{ center_x = 160, width = 100 }", Rect(110, 0, 100, 568)),
        ("{ center_x = \"50%\", width = \"25%\" }", Rect(120, 0, 80, 568)),
        ("{ left = \"-10%\", right = \"10%\" }", Rect(-32, 0, 320, 568)),
        ("{ left = -5, right = -5, top = -1, bottom = -1 }", Rect(-5, -1, 330, 570)),
        ("{ top = 8, bottom = 60 }", Rect(0, 8, 320, 500)),
        ("{ top = 8, height = 50 }", Rect(0, 8, 320, 50)),
        ("{ bottom = 8, height = 50 }", Rect(0, 510, 320, 50)),
        ("{ center_y = \"50%\", height = 68 }", Rect(0, 250, 320, 68)),
        ("{ bottom = 0, height = \"50%\", left = 1, width = 2 }", Rect(1, 284, 2, 284)),
        // The height is the width's, or the other way round.
        ("{ top = 10, aspect = 1.6 }", Rect(0, 10, 320, 200)),
        ("{ bottom = 10, aspect = 1.6 }", Rect(0, 358, 320, 200)),
        ("{ center_y = \"50%\", aspect = 2 }", Rect(0, 204, 320, 160)),
        ("{ left = 5, top = 8, height = 50, aspect = 2 }", Rect(5, 8, 100, 50)),
        ("{ right = 5, top = 8, height = 50, aspect = 2 }", Rect(215, 8, 100, 50)),
        ("{ center_x = \"50%\", top = 0, bottom = 468, aspect = 0.5 }", Rect(135, 0, 50, 100)),
        ("{ left = 0, aspect = 0.5 }", Rect(0, 0, 284, 568)),
        // Within 10 … 300 and 47 … 534.
        ("{ safe = true }", Rect(10, 47, 290, 487)),
        ("{ safe = true, left = 10, right = 0 }", Rect(20, 47, 280, 487)),
        ("{ safe = true, bottom = 0, height = 50 }", Rect(10, 484, 290, 50)),
        ("{ safe = true, width = \"50%\", center_x = \"50%\" }", Rect(82.5, 47, 145, 487)),
        ("{ safe = true, top = 0, aspect = 2.9 }", Rect(10, 47, 290, 100)),
        ("{ safe = false, top = 0, height = 10 }", Rect(0, 0, 320, 10)),
    ])
    func aTableSaysWhereTheFrameLies(frame: String, rect: Rect) throws {
        let found = try self.frame(Self.toml(frame))
        let distance = [
            found.origin.x - rect.origin.x, found.origin.y - rect.origin.y,
            found.size.width - rect.size.width, found.size.height - rect.size.height,
        ].map(\.magnitude).max()
        #expect(distance ?? 1 < 1e-9, "\(found) instead of \(rect)")
    }

    @Test func aListOfNumbersStaysAsItIs() throws {
        #expect(try frame(Self.toml("[5, 6, 70, 80]")) == Rect(5, 6, 70, 80))
        #expect(errors(Self.toml("[5, 6, 70]")).count == 1)
    }

    // MARK: Holders

    /// A panel's content moves; a screen that fills the viewport lies under its insets.
    @Test(arguments: [
        ("[0, 0, 320, 568]", Rect(10, 47, 290, 487)),
        // The edges of the frame leave 17 and 3 points of the insets at the top and the right.
        ("[30, 30, 273, 300]", Rect(0, 17, 270, 283)),
        ("{ safe = true }", Rect(0, 0, 290, 487)),
    ])
    func insetsReachIntoAScreenAsFarAsItsEdgesLeave(frame: String, rect: Rect) throws {
        let text = """
            viewport = [320, 568]
            insets = [47, 10, 34, 20]
            [[components]]
            id = "nav"
            kind = "navigation"
            root = "home"
            frame = \(frame)
            [[components]]
            id = "l"
            kind = "list"
            rows = 3
            in = "nav/home"
            frame = { safe = true }
            [[components]]
            id = "inner"
            kind = "label"
            in = "l/row-1"
            frame = { safe = true, left = "50%", right = 0 }
            """
        #expect(try self.frame(text) == rect)
        let half = rect.size.width / 2
        #expect(try self.frame(text, "inner") == Rect(half, 0, half, 70))
    }

    @Test func aTossReadsItsOwnFrame() throws {
        let text = """
            viewport = [320, 568]
            [[components]]
            id = "t"
            kind = "toss"
            frame = { center_x = "50%", center_y = "50%", width = 100, height = 68 }
            """
        let toss = try #require(
            try scene(text).components[0].parameters.value as? TossParameters)
        #expect(toss.frame == Rect(110, 250, 100, 68))
        #expect(try frame(text, "t") == Rect(0, 0, 320, 568))
    }

    // MARK: Changes

    @Test func aResizeComputesItAnew() throws {
        let scene = try scene(Self.toml("{ safe = true, right = 0, width = \"50%\" }"))
        #expect(scene.components[0].placement.frame == Rect(155, 47, 145, 487))
        var insets = Scene.Insets()
        (insets.top, insets.left) = (20, 40)
        let revised = try SceneReader.revised(
            scene, by: .resize(viewport: Size(640, 360), insets: insets))
        #expect(revised.components[0].placement.frame == Rect(340, 20, 300, 340))
        let back = try SceneReader.revised(
            revised, by: .resize(viewport: scene.viewport, insets: scene.insets))
        #expect(back.components == scene.components)
    }

    @Test func aSetTakesATable() throws {
        let scene = try scene(Self.toml("[0, 0, 10, 10]"))
        let values: Sheet = ["frame": ["right": 0, "width": "50%", "top": 0, "aspect": 2]]
        let revised = try SceneReader.revised(
            scene, by: .set(ComponentValues(component: "l", values: values.members)))
        #expect(revised.components[0].placement.frame == Rect(160, 0, 160, 80))
        let wrong: Sheet = ["frame": ["right": 0]]
        #expect(throws: Rejection.self) {
            try SceneReader.revised(
                scene, by: .set(ComponentValues(component: "l", values: wrong.members)))
        }
    }

    /// A viewport in which nothing is left of the frame.
    @Test func aResizeThatLeavesNoSizeIsRefused() throws {
        let scene = try scene(Self.toml("{ left = 100, right = 100 }"))
        #expect(throws: Rejection.self) {
            try SceneReader.revised(
                scene, by: .resize(viewport: Size(200, 568), insets: nil))
        }
    }

    @Test(arguments: [
        ("{ right = 0, width = \"50%\" }", nil),
        ("{ left = \"$count\", width = 10 }", nil),
        ("{ left = 1 }", "left"),
        ("{ lefd = 1 }", "lefd"),
    ])
    func aReactionSetsATable(frame: String, fault: String?) {
        let told = errors(
            """
            \(Self.toml("{ left = 0, right = 0 }"))
            [[reactions]]
            when = { notification = "x" }
            do = { component = "l", command = "set", values = { frame = \(frame) } }
            """)
        #expect(told.count == (fault == nil ? 0 : 1), "\(told)")
        if let fault { #expect(told.first?.contains(fault) == true, "\(told)") }
    }

    // MARK: Faults

    @Test(arguments: [
        (
            "{ left = 1, right = 2, width = 3 }",
            ["key width: cannot stand beside left and right: give two of left, right and width"]
        ),
        (
            "{ top = 1, center_y = 2, height = 3 }",
            ["key center_y: cannot stand beside top: give two of top, bottom and height, or"]
        ),
        ("{ left = 1 }", ["key left: needs right, width or aspect beside it"]),
        ("{ bottom = 1 }", ["key bottom: needs top, height or aspect beside it"]),
        ("{ center_x = 1 }", ["key center_x: needs width or aspect beside it"]),
        ("{ width = 1 }", ["key width: needs left, right or center_x beside it"]),
        ("{ aspect = 1 }", ["key aspect: needs top, bottom or center_y beside it"]),
        (
            "{ left = 0, top = 0, aspect = 1 }", ["key aspect: needs width or height beside it"]
        ),
        (
            "{ left = 0, width = 10, top = 0, height = 10, aspect = 1 }",
            ["key aspect: cannot stand beside a width and a height: leave out a key"]
        ),
        ("{ left = 0, aspect = 0 }", ["key aspect: must be a number from 0.001 to 1,000"]),
        (
            "{ left = 0, width = -5 }",
            ["key width: must be a number above 0 (at least 0.001), at most 1,000,000, or a"]
        ),
        (
            "{ left = \"2000%\", right = 0 }",
            ["key left: must be a number within ±1,000,000, or a percentage of at most 1,000%"]
        ),
        ("{ left = \"50\", right = 0 }", ["key left: must be a number"]),
        ("{ left = \"nan%\", right = 0 }", ["key left: must be a number"]),
        (
            "{ left = 200, right = 140 }",
            ["key right: leaves a width of -20 in 320: it must be above 0"]
        ),
        (
            "{ left = 200, right = 100, safe = true }",
            ["key right: leaves a width of -10 in the 290 within the insets: it must be above 0"]
        ),
        ("{ left = 0, width = \"0%\" }", ["key width: leaves a width of 0 in 320"]),
        (
            "{ left = 0, rigth = 0 }",
            ["key left: needs right", "unknown key \"rigth\", did you mean \"right\"?"]
        ),
        ("{ safe = 1 }", ["key safe: must be true or false"]),
        (
            "{ left = 1, width = \"x\", top = 1, bottom = 2, height = 3, safe = \"yes\" }",
            [
                "key safe: must be true or false", "key width: must be a number",
                "key height: cannot stand beside top and bottom",
            ]
        ),
    ])
    func everyFaultIsNamed(frame: String, faults: [String]) {
        let told = errors(Self.toml(frame))
        #expect(told.count == faults.count, "\(told)")
        for (line, fault) in zip(told, faults) {
            #expect(line.hasPrefix("s.toml:7: component l, frame"), "\(line)")
            #expect(line.contains(fault), "\(line)")
        }
    }

    /// A table over several lines: each fault has its own line, and the others are told beside it.
    @Test func faultsHaveTheirLines() {
        let told = errors(
            """
            viewport = [320, 568]
            [[components]]
            id = "l"
            kind = "list"
            rows = -3
            [components.frame]
            left = 1
            right = "a"
            height = 5
            """)
        #expect(told.map { String($0.prefix(9)) } == ["s.toml:5:", "s.toml:8:", "s.toml:9:"])
    }
}
