import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// Checks each update as it comes: its number follows, though its component closed meanwhile, and
/// no view's `cut` falls.
private struct ChangeSink: StampCheckingSink {
    var stamps = StampCheck()
    private(set) var scenes: [SceneDescription] = []
    /// The states in each frame.
    private(set) var frames: [[String]] = []
    private var cuts: [String: Int] = [:]

    mutating func forgetTold() { (scenes, frames) = ([], []) }

    mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: inout any Machine,
        _ notes: StateNotes, _ stamp: Stamp
    ) {
        check("state/\(component)", stamp)
        let picture = Picture(machine)
        if !picture.isFinite { stamps.find("\(component): \(picture)") }
        for (name, view) in picture.views {
            let (topic, cut) = ("\(component)/\(name)", view.cut + notes.cutFloor)
            if cut < cuts[topic] ?? 0 { stamps.find("\(topic): cut \(cut) after more") }
            cuts[topic] = cut
        }
    }

    mutating func scene(
        _ identity: SessionIdentity, _ scene: SceneDescription, _ stamp: Stamp
    ) {
        check("scene", stamp)
        scenes.append(scene)
    }

    mutating func frame(_ identity: SessionIdentity, _ picture: SessionPicture, _ stamp: Stamp) {
        check("frame", stamp)
        var states: [String] = []
        picture.forEachState { component, _, _ in states.append(component) }
        frames.append(states)
    }
}

/// One session whose scene changes in the midst of a storm.
private struct ChangeRun {
    private(set) var session: Session
    private(set) var faults: [String] = []
    private var storm: Storm
    private var scenes: ChangedScenes
    private var sink = ChangeSink()
    private var changes = 0

    init(seed: UInt64) {
        storm = Storm(seed: seed)
        scenes = ChangedScenes(seed: seed)
        session = Session(
            id: "alice", epoch: "e.1", scene: .phone(), opened: Theater.opened, frameRate: 60)
        flush()
    }

    private mutating func flush() {
        session.flush(to: .all, inFrame: session.isInFrame, into: &sink)
    }

    private mutating func fault(_ text: String) { faults.append("change \(changes): \(text)") }

    mutating func play(events: Int) throws {
        for _ in 0..<events {
            if storm.isOnceIn(5) { try change() } else { receive(storm.payload()) }
            for _ in 0..<storm.pause() {
                session.advance(to: session.clock + 1)
                flush()
            }
        }
        faults += sink.faults
        if changes == 0 { fault("none") }
    }

    private mutating func receive(_ payload: Event.Payload) {
        let received = Double(session.instant.nanoseconds) / 1e6
        _ = session.receive(Event(payload, id: storm.id()), received: received)
    }

    private mutating func change() throws {
        if storm.isOnceIn(6) { refuse() }
        flush()
        sink.forgetTold()
        let (next, before) = (scenes.next(), views())
        let received = Double(session.instant.nanoseconds) / 1e6
        let reception = session.receive(
            Event(.change(.update(.inline(InlineScene(next))))), received: received)
        changes += 1
        if reception != .applied { fault("\(reception)") }
        judgeTold(next)
        judgeViews(before)
        try judgeState()
    }

    private mutating func refuse() {
        let before = Node(encoding: session.state)
        let change = Event.Payload.change(.update(.named("absent")))
        if session.receive(Event(change), received: 0) == .applied { fault("applied") }
        if Node(encoding: session.state) != before { fault("a refused one changed something") }
    }

    /// One scene and one frame with all states.
    private mutating func judgeTold(_ next: Scene) {
        if session.revision != changes + 1 { fault("revision \(session.revision)") }
        flush()
        let ids = next.components.map(\.id)
        if sink.scenes.map(\.revision) != [changes + 1] { fault("\(sink.scenes.count) scenes") }
        if sink.frames != [ids] { fault("frames of \(sink.frames), not \(ids)") }
    }

    private func views() -> [String: ViewState] {
        var all: [String: ViewState] = [:]
        for (index, component) in session.scene.components.enumerated() {
            let floor = session.notes(of: index).cutFloor
            let kind = component.parameters.kind
            for (name, view) in Picture(session.machines[index]).views {
                all["\(kind) \(component.id)/\(name)"] = view
                all["\(kind) \(component.id)/\(name)"]?.cut += floor
            }
        }
        return all
    }

    private mutating func judgeViews(_ before: [String: ViewState]) {
        for (name, view) in views() {
            guard let former = before[name] else { continue }
            if view.cut < former.cut { fault("\(name): the cut falls") }
            // A view that moves goes on from what is shown; one that does not is cut.
            guard view.cut == former.cut else { continue }
            let isStill =
                (view.center - former.center).length < 1e-3
                && abs(view.rotation - former.rotation) < 1e-3
                && abs(view.scale - former.scale) < 1e-3 && abs(view.alpha - former.alpha) < 1e-3
            if !isStill { fault("\(name) jumps from \(former) to \(view)") }
        }
    }

    /// It is sound, knows what moves, and an export goes on as the very same.
    private mutating func judgeState() throws {
        for (index, machine) in session.machines.enumerated() {
            let size = session.scene.components[index].placement.frame.size
            if !machine.isSound(viewport: size, tracker: session.scene.velocity) {
                fault("\(session.scene.components[index].id) is not sound")
            }
        }
        if session.isMoving != session.machines.contains(where: { $0.isMoving }) {
            fault("isMoving is \(session.isMoving)")
        }
        let again = try Session(
            try Node(encoding: session.state).decode(SessionSnapshot.self), id: "alice",
            scene: session.scene, frameRate: 60, key: 0, continuing: .same)
        if Node(encoding: again.state) != Node(encoding: session.state) { fault("the export") }
    }
}

@Suite struct ChangeStormTests {
    #if DEBUG
        private static let seeds = 0..<12 as Range<UInt64>
    #else
        private static let seeds = Storms.seeds(of: 1_000)
    #endif

    /// Scenes change in the midst of every motion.
    @Test(arguments: seeds)
    func aSessionStandsEveryChangeOfItsScene(seed: UInt64) throws {
        var run = ChangeRun(seed: seed)
        try run.play(events: 60)
        #expect(run.faults == [], "seed \(seed)")
    }
}
