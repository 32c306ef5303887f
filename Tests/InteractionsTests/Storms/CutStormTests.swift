import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Whatever comes whenever, a view that is not where motion brings it has a new cut.
@Suite struct CutStormTests {
    @Test(arguments: 0..<80 as Range<UInt64>)
    func aListsViews(seed: UInt64) throws {
        let rows = [5, 20, 1_000][Int(seed % 3)]
        let stage = listStage(rows: rows) {
            $0.style = seed % 2 == 0 ? .push : .reveal
            if seed % 8 == 0 { $0.duration = 0 }
        }
        storm(over: try Tables.list(), from: stage, seed: seed)
    }

    @Test(arguments: 0..<80 as Range<UInt64>)
    func aProfilesViews(seed: UInt64) throws {
        storm(over: try Tables.profile(), from: try profile(at: 90), seed: seed)
    }

    @Test(arguments: 0..<80 as Range<UInt64>)
    func aReadersViews(seed: UInt64) throws {
        let stage = readerStage(pages: .count(3), start: 1) {
            if seed % 8 == 0 { $0.duration = 0 }
        }
        storm(over: try Tables.reader(), from: stage, seed: seed)
    }

    /// Two items have bubbles, so that a bubble moves.
    @Test(arguments: 0..<80 as Range<UInt64>)
    func tabsViews(seed: UInt64) throws {
        let stage = tabsStage {
            $0.items[4].bubble = ["mentions"]
            $0.items[2].glow = ["likes"]
            if seed % 4 == 0 { $0.bubbleTimeout = 0.3 }
            if seed % 8 == 0 { ($0.arrowDuration, $0.bubbleFade) = (0, 0) }
        }
        storm(over: try Tables.tabs(), from: stage, seed: seed)
    }

    private func storm<Kind>(over table: Table<Kind>, from stage: Stage<Kind>, seed: UInt64) {
        var storm = MachineStorm(table.events, seed: seed)
        var trial = Trial(stage)
        var witness = CutWitness()
        witness.look(at: trial.machine, after: .step, "the beginning")
        for _ in 0..<60 {
            let stimulus = storm.stimulus { _ in false }
            // A refused event changes nothing.
            _ = refusal { () throws(Rejection) in try trial.play(stimulus) }
            trial.settle()
            witness.look(at: trial.machine, after: .event(stimulus), "\(stimulus)")
            for _ in 0..<storm.pause() {
                trial.step()
                trial.settle()
                witness.look(at: trial.machine, after: .step, "a step after \(stimulus)")
            }
        }
        #expect(witness.faults.isEmpty, "seed \(seed): \(witness.faults.prefix(3))")
        #expect(witness.looks > 60)
    }
}

/// Looks at a component again and again, and finds views that are elsewhere without a new cut.
private struct CutWitness {
    enum Cause {
        case step
        case event(Stimulus)
    }

    private(set) var faults: [String] = []
    private(set) var looks = 0
    private var former: [String: ViewState] = [:]
    private var offset = 0.0
    /// The last cut of each view that was ever seen.
    private var cuts: [String: Int] = [:]

    mutating func look(at shown: some Presentable, after cause: Cause, _ words: String) {
        let picture = Picture(shown)
        let offset = picture.fields["offset"].flatMap { value in
            if case .points(let points) = value { points } else { nil }
        }
        let bounds = Bounds(cause, way: ((offset ?? 0) - self.offset).magnitude)
        for (name, view) in picture.views {
            let last = cuts[name] ?? 0
            if view.cut < last { faults.append("\(name) has a lower cut after \(words)") }
            if view.cut == last {
                if let was = former[name] {
                    if let jump = bounds.jump(from: was, to: view) {
                        faults.append("\(name) jumps \(jump) by \(words)")
                    }
                } else if cuts[name] != nil {
                    faults.append("\(name) is back without a cut after \(words)")
                }
            }
            cuts[name] = view.cut
        }
        former = picture.views
        self.offset = offset ?? 0
        looks += 1
    }

    /// How far a view moves between two looks.
    private struct Bounds {
        /// Points.
        let way: Double
        let turn: Double
        let growth: Double
        let fade: Double

        /// The content's way, if it is moved by hand or by a fling, takes views along, at most
        /// twice as far, and scales and fades some.
        init(_ cause: Cause, way: Double) {
            switch cause {
            // The fastest animation is a page's, 48 points in a step at its middle.
            case .step: self.init(content: way, way: 60, turn: 0.3, fade: 0.05)
            case .event(.gesture), .event(.contentDrag), .event(.touch):
                self.init(content: way, way: 0, turn: 0, fade: 0)
            case .event: self.init(content: 0, way: 0, turn: 0, fade: 0)
            }
        }

        private init(content: Double, way: Double, turn: Double, fade: Double) {
            self.way = way + 2 * content
            self.turn = turn
            growth = content / 10
            self.fade = fade + content / 10
        }

        func jump(from was: ViewState, to view: ViewState) -> String? {
            let rounding = 1e-9 * max(1, was.center.length)
            if (view.center - was.center).length > way + rounding {
                return "from \(was.center) to \(view.center)"
            }
            if abs(view.rotation - was.rotation) > turn + 1e-9 { return "in rotation" }
            if abs(view.scale - was.scale) > growth + 1e-9 { return "in scale" }
            if abs(view.alpha - was.alpha) > fade + 1e-9 { return "in alpha" }
            return view.size == was.size ? nil : "in size"
        }
    }
}
