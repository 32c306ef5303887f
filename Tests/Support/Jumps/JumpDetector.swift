package import Geometry
import Interactions

/// Finds views of one component that move further, from one look to the next, than their velocity
/// and the input explain, and carry no new `cut`.
///
/// A view's travel is that of its corner that moves furthest, so that turns and scales count. The
/// travel of a component's views in the last looks, twice over, explains as much again: an item
/// that another one hits takes its velocity over. Beside that stands what springs add in a step,
/// what an animation may begin with, and the way of the fingers.
package struct JumpDetector: Sendable {
    /// The bounds of explained motion, in points and steps of 1/120 s.
    package struct Rules: Sendable {
        /// The velocity that a spring or a collision adds to a view in a step, in points: a
        /// spring of a fifth of a second across a screen.
        package var gain = 16.0
        /// The way of a view by the steepest curve in the first step of an animation, in points.
        package var start = 40.0
        /// How far a view's corner moves where a finger moves a point: a tip turns about a pin.
        package var leverage = 6.0
        /// The change of an alpha by the shortest fade in a step: a tenth of a second.
        package var fade = 0.12

        package init() {}
    }

    /// A view that jumped.
    package struct Jump: Sendable, CustomStringConvertible {
        package enum Rule: String, Sendable { case travel, alpha, comeback, cut }

        package var rule: Rule
        package var view: String
        /// The measure of what it did, and of what would have been explained.
        package var found: Double
        package var explained: Double
        package var before: ViewState?
        package var after: ViewState

        package var description: String {
            "\(view): \(rule) \(found), explained \(explained), "
                + "\(before.map { "\($0)" } ?? "absent") -> \(after)"
        }
    }

    private struct Seen: Sendable {
        var name: String
        var state: ViewState
        var isPresent: Bool
    }

    /// Views that show fingers: a new finger may be anywhere, and they carry no cuts.
    private static let markers: Set = ["touch", "anchor"]
    /// Steps in which what begins may begin: physics move from the step after an event.
    private static let beginning = 8
    /// How many looks back a velocity counts: a collision passes it on within so many.
    private static let memory = 8

    private let rules: Rules
    private var seen: [Seen] = []
    /// The longest travel a step at each of the last looks.
    private var speeds: [Double] = []
    /// Input since the last look.
    private var input = 0.0
    /// Former input, ever less: an item on a rod follows the finger later, and one that is held
    /// by others later still.
    private var formerInput = 0.0
    /// Steps for which an animation may still begin.
    private var begun = 0

    package init(_ rules: Rules = Rules()) { self.rules = rules }

    /// Fingers, wheels or offsets moved so far, in points.
    package mutating func moved(by distance: Double) { input += distance }

    /// An event came or a transition began, so that an animation may begin.
    package mutating func begins() { begun = Self.beginning }

    /// Nothing moved in a step, and nothing came.
    package mutating func rests() {
        speeds.removeAll(keepingCapacity: true)
        formerInput *= 0.9
        begun = max(0, begun - 1)
    }

    /// Whether anything came since the last look, so that views may be elsewhere.
    package var isTold: Bool { input > 0 || begun > 0 }

    /// The component's views so many steps after the last look. Returns the views that jumped.
    package mutating func look(_ look: Look, steps: Int = 1) -> [Jump] {
        var jumps: [Jump] = []
        var speed = 0.0
        let count = Double(max(steps, 1))
        let recent = speeds.max() ?? 0
        let explained =
            (2 * recent + rules.gain * count) * count + rules.leverage * (input + formerInput)
            + (begun > 0 ? rules.start * count : 0)
        let fade = rules.fade * count + (recent * count + input + formerInput) / 20
        for index in seen.indices where look[seen[index].name] == nil {
            seen[index].isPresent = false
        }
        for view in look.views where !Self.markers.contains(view.name) {
            guard let place = seen.firstIndex(where: { $0.name == view.name }) else {
                seen.append(Seen(name: view.name, state: view.state, isPresent: true))
                continue
            }
            let (before, after) = (seen[place].state, view.state)
            func jump(_ rule: Jump.Rule, _ found: Double, _ explained: Double) {
                jumps.append(
                    Jump(
                        rule: rule, view: view.name, found: found, explained: explained,
                        before: before, after: after))
            }
            if after.cut < before.cut { jump(.cut, Double(after.cut), Double(before.cut)) }
            if after.cut <= before.cut {
                if seen[place].isPresent {
                    let travel = Self.travel(before, after)
                    speed = max(speed, travel / count)
                    if travel > explained { jump(.travel, travel, explained) }
                    let change = abs(after.alpha - before.alpha)
                    if change > fade { jump(.alpha, change, fade) }
                } else {
                    jump(.comeback, 0, 0)
                }
            }
            seen[place] = Seen(name: view.name, state: after, isPresent: true)
        }
        speeds.append(speed)
        if speeds.count > Self.memory { speeds.removeFirst() }
        formerInput = (input + formerInput) * 0.9
        input = 0
        // After a pause the first look is where the motion begins.
        begun = max(0, begun - min(max(steps, 1), 2))
        return jumps
    }

    /// How far the corner moved that moved furthest, in points.
    package static func travel(_ one: ViewState, _ other: ViewState) -> Double {
        let signs = [Vector(1, 1), Vector(1, -1), Vector(-1, 1), Vector(-1, -1)]
        return signs.map { (corner(one, $0) - corner(other, $0)).length }.max() ?? 0
    }

    private static func corner(_ view: ViewState, _ sign: Vector) -> Vector {
        let half = Vector(view.size.width * sign.x, view.size.height * sign.y) * (view.scale / 2)
        let (sine, cosine) = Angle.sineCosine(view.rotation)
        return view.center + half.rotated(sine: sine, cosine: cosine)
    }
}
