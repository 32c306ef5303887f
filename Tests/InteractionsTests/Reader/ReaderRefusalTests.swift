import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Refusals by state; none changes anything.
@Suite struct ReaderRefusalTests {
    private static func play(_ event: String, on stage: inout ReaderStage) throws(Rejection) {
        switch event {
        case "scroll began": try stage.scroll(.began, 10)
        case "scroll changed": try stage.scroll(.changed, 10)
        case "scroll ended": try stage.scroll(.ended, 10)
        case "scroll cancelled": try stage.scroll(.cancelled, 10)
        case "drag began": try stage.drag(.began, 0)
        case "drag changed": try stage.drag(.changed, 10)
        case "drag ended": try stage.drag(.ended, 10)
        case "drag cancelled": try stage.drag(.cancelled, 10)
        case "pan": try stage.pan(.began, 10, 10)
        case "tap": try stage.gesture(.tap(.index(0)))
        case "pointer":
            let pointer = Pointer(phase: .began, pointer: 0, location: .zero)
            try stage.gesture(.pointer(pointer))
        default: try stage.command(event)
        }
    }

    /// Resting, turning, dragging, gripped, returning, held, paging: `.` taken, `o`ut of order,
    /// `b`usy, unknown `g`esture or `c`ommand.
    @Test(
        arguments: [
            ("scroll began", "......b"), ("scroll changed", "oo.ooob"),
            ("scroll ended", "oo.ooob"), ("scroll cancelled", "oo.ooob"),
            ("drag began", "......b"), ("drag changed", "ooo.oob"), ("drag ended", "ooo.oob"),
            ("drag cancelled", "ooo.oob"), ("next", "..bb..b"), ("previous", "..bb..b"),
            ("present", "ccccccc"), ("pan", "ggggggg"), ("tap", "ggggggg"),
            ("pointer", "ggggggg"),
        ])
    func everyEventIsTakenOrRefusedEverywhere(event: String, expected: String) throws {
        let letters: [RejectionCode?: Character] = [
            nil: ".", .outOfOrder: "o", .busy: "b", .unknownGesture: "g", .unknownCommand: "c",
        ]
        var found = ""
        for place in ReaderStage.places {
            var stage = try ReaderStage.inPlace(place)
            let before = stage.machine
            let told = stage.told
            let code = refusal { () throws(Rejection) in try Self.play(event, on: &stage) }
            found.append(letters[code] ?? "?")
            guard code != nil else { continue }
            #expect(stage.machine == before && stage.told == told, "\(event) while \(place)")
        }
        #expect(found == expected)
    }

    /// Anything at any time: indexes stay in range, numbers are numbers, refusals change nothing,
    /// transitions pair up, and all is at rest within 10 s of the last event.
    @Test(arguments: 0..<64 as Range<UInt64>)
    func noStormBreaksIt(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = random.whole(in: 1...4)
        var stage = readerStage(pages: .count(count), start: random.whole(in: 0...count - 1)) {
            if random.whole(in: 0...4) == 0 { $0.duration = 0 }
        }
        for _ in 0..<150 {
            let before = stage.machine
            let code = refusal { () throws(Rejection) in try Self.strike(&stage, &random) }
            if code != nil { #expect(stage.machine == before, "seed \(seed)") }
            #expect(flaw(stage, count) == nil, "seed \(seed)")
            stage.step(random.whole(in: 0...12))
            #expect(flaw(stage, count) == nil, "seed \(seed)")
        }
        _ = refusal { () throws(Rejection) in try stage.drag(.cancelled, 0) }
        stage.touch(.up)
        let steps = stage.steps { !$0.machine.isMoving && $0.machine.nextTimer == nil }
        #expect(steps != nil, "seed \(seed) never rests")
        #expect(stage.phase == "resting" && stage.offset == 0, "seed \(seed)")
        expectPairs(stage.lines(since: 0), seed)
    }

    private static func strike(
        _ stage: inout ReaderStage, _ random: inout SplitMix64
    ) throws(Rejection) {
        let phases: [Phase] = [.began, .changed, .changed, .changed, .ended, .cancelled]
        let phase = phases[random.whole(in: 0...5)]
        let size = random.whole(in: 0...9) == 0 ? 2e6 : 400.0
        let points = (random.unit() - 0.5) * size
        switch random.whole(in: 0...9) {
        case 0...3: try stage.scroll(phase, points)
        case 4...6: try stage.drag(phase, points)
        case 7: stage.touch(random.whole(in: 0...1) == 0 ? .down(.zero) : .up)
        default: try stage.command(random.whole(in: 0...1) == 0 ? "next" : "previous")
        }
    }

    /// Nil where what is shown is sound; else what is not.
    private func flaw(_ stage: ReaderStage, _ count: Int) -> String? {
        let picture = stage.picture
        guard picture.isFinite else { return "not a number" }
        guard case .whole(let index) = picture.fields["index"], index >= 0, index < count else {
            return "the index"
        }
        let views = picture.views
        if (views["header"] == nil) != (index == 0) { return "the header" }
        if (views["footer"] == nil) != (index == count - 1) { return "the footer" }
        if (views["incoming"] != nil) != (picture.phase == "paging") { return "incoming" }
        if picture.phase == "resting", picture.fields["offset"] != .points(0) { return "offset" }
        let loaded = Picture.Value.text("loaded")
        if picture.fields["header"] == loaded, picture.fields["footer"] == loaded {
            return "both are loaded"
        }
        return nil
    }

    /// Every transition that begins ends or is cancelled before it begins again.
    private func expectPairs(_ lines: [String], _ seed: UInt64) {
        var open: Set<String> = []
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            if words[1] == "began" {
                #expect(open.insert(words[0]).inserted, "seed \(seed): \(line)")
            } else {
                #expect(open.remove(words[0]) != nil, "seed \(seed): \(line)")
            }
        }
        #expect(open.isEmpty, "seed \(seed)")
    }
}
