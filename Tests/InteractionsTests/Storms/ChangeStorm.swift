import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// Random events for one machine whose scene changes again and again, from one seed.
///
/// A change by itself moves nothing without a cut, and the step after it moves no view further than
/// motion does. The machine stays sound, goes through a document as it is, and takes the same scene
/// again without a change.
struct ChangeStorm<Kind: Machine> {
    private(set) var faults: [String] = []
    /// How often a change cut a view.
    private(set) var cuts = 0
    /// How many changes left views that moved on.
    private(set) var moved = 0
    /// How many views changes left uncut.
    private(set) var kept = 0
    private var trial: Trial<Kind>
    private var storm: MachineStorm
    /// The last cut of each view that was ever seen.
    private var seen: [String: Int] = [:]

    init(_ stage: Stage<Kind>, _ events: [Grid.Row.Event], seed: UInt64) {
        trial = Trial(stage)
        storm = MachineStorm(events, seed: seed)
        look("the beginning")
    }

    /// `reach` is how far a view moves in the step after a change of the scene, beside the way of
    /// the content.
    mutating func run(
        changes: Int, reach: Double,
        scene: (inout SplitMix64) throws -> (Kind.Parameters, Size)
    ) throws {
        for number in 0..<changes {
            for _ in 0..<storm.random.whole(in: 1...4) {
                let stimulus = storm.stimulus { _ in false }
                _ = refusal { () throws(Rejection) in try trial.play(stimulus) }
                trial.settle()
                look("\(stimulus)")
                pass(storm.pause())
            }
            let (parameters, viewport) = try scene(&storm.random)
            change(to: parameters, viewport, "change \(number)")
            let former = Picture(trial.machine)
            pass(1)
            check(from: former, reach: reach, "the step after change \(number)")
            pass(storm.pause())
        }
    }

    private mutating func pass(_ steps: Int) {
        for _ in 0..<steps {
            trial.step()
            trial.settle()
            look("a step")
        }
    }

    private mutating func change(to parameters: Kind.Parameters, _ viewport: Size, _ words: String)
    {
        let former = Picture(trial.machine)
        trial.adapt(to: parameters, viewport: viewport)
        look(words)
        check(from: former, reach: 1e-7, words)
        let machine = trial.machine
        if !machine.isSound(viewport: viewport, tracker: .uikit) {
            faults.append("not sound after \(words)")
        }
        let document = Node(encoding: machine)
        let back = try? ComponentParameters(parameters).machine(
            from: document, viewport: viewport, tracker: .uikit)
        if (back as? Kind).map(Node.init(encoding:)) != document {
            faults.append("another one from its document after \(words)")
        }
        trial.adapt(to: parameters, viewport: viewport)
        if trial.machine != machine { faults.append("changed by the same scene after \(words)") }
        trial.settle()
        look(words)
    }

    /// Cuts never fall, and what was gone is back with another one.
    private mutating func look(_ words: String) {
        for (name, view) in Picture(trial.machine).views {
            if view.cut < seen[name] ?? 0 {
                faults.append("\(name) has a lower cut after \(words)")
            }
            seen[name] = view.cut
        }
    }

    private mutating func check(from former: Picture, reach: Double, _ words: String) {
        let now = Picture(trial.machine)
        let way = reach + 2 * abs(now.offset - former.offset)
        for (name, view) in now.views {
            guard let was = former.views[name] else { continue }
            guard view.cut == was.cut else {
                cuts += 1
                continue
            }
            let jump = (view.center - was.center).length
            if jump > way || abs(view.alpha - was.alpha) > 0.1 {
                faults.append("\(name) jumps \(jump) after \(words), \(trial.machine.phase)")
            }
            if jump > 1e-3 { moved += 1 }
            kept += 1
        }
    }
}

extension Picture {
    fileprivate var offset: Double {
        if case .points(let points)? = fields["offset"] { return points }
        return 0
    }
}
