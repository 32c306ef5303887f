import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Random events for one machine, from one seed, and a look after each of them and after each step.
///
/// An event moves nothing by itself: what it moves at once is cut, unless fingers moved it.
struct CutStorm<Kind: Machine> {
    /// How far a view may get in one step.
    struct Reach {
        var distance = 0.0
        var turn = 0.0
        var scale = 0.0
        var alpha = 0.0
        /// For what computing in another order changes.
        static var none: Reach { Reach(distance: 1e-9, turn: 1e-9, scale: 1e-12, alpha: 1e-12) }
        static var any: Reach { Reach(distance: .infinity, turn: 7, scale: .infinity, alpha: 1) }
    }

    var stage: Stage<Kind>
    var random: SplitMix64
    private(set) var faults: [String] = []
    /// How often a cut grew.
    private(set) var growths = 0
    /// How far the finger has moved since the last step, if not further.
    var fingerWay = 0.0
    private var finger = Vector.zero
    private var shown: [String: ViewState]
    /// The last cut of each view that was ever shown.
    private var cuts: [String: Int]

    init(_ stage: Stage<Kind>, seed: UInt64) {
        self.stage = stage
        random = SplitMix64(seed: seed)
        shown = stage.picture.views
        cuts = shown.mapValues(\.cut)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    mutating func place() -> Vector {
        Vector(random.unit() * 520 - 100, random.unit() * 768 - 100)
    }

    /// Refused or not.
    mutating func play(
        _ name: String, within reach: Reach = .none,
        _ event: (inout Stage<Kind>) throws(Rejection) -> Void
    ) {
        try? event(&stage)
        look(name, reach)
    }

    /// `reach` does not count the finger's way.
    mutating func step(within reach: Reach) {
        var reach = reach
        reach.distance += fingerWay
        fingerWay = 0
        stage.step()
        look("a step", reach)
    }

    mutating func pan(_ phase: Phase, _ place: Vector) {
        fingerWay += (place - finger).length
        finger = place
        play("\(phase)") { stage throws(Rejection) in try stage.pan(phase, place.x, place.y) }
    }

    private mutating func look(_ event: String, _ reach: Reach) {
        let views = stage.picture.views
        for (name, view) in views where !["touch", "anchor"].contains(name) {
            let known = cuts[name]
            defer { cuts[name] = view.cut }
            if let known, view.cut < known { tell("the cut fell", name, event) }
            if known ?? 0 < view.cut { growths += 1 }
            guard let former = shown[name] else {
                if let known, view.cut == known { tell("is back uncut", name, event) }
                if known == nil, view.cut != 0 { tell("begins with a cut", name, event) }
                continue
            }
            guard view.cut == former.cut else { continue }
            let way = (view.center - former.center).length
            if way > reach.distance
                || turn(from: former.rotation, to: view.rotation) > reach.turn
                || abs(view.scale - former.scale) > reach.scale
                || abs(view.alpha - former.alpha) > reach.alpha
            {
                tell("jumped from \(former) to \(view)", name, event)
            }
        }
        shown = views
    }

    private mutating func tell(_ fault: String, _ view: String, _ event: String) {
        faults.append("\(stage.now.count) \(stage.phase), \(event): \(view) \(fault)")
    }
}
