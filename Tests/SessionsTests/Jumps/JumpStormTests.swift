import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// Nothing that is shown jumps without a `cut`, whatever comes and whenever it comes.
@Suite struct JumpStormTests {
    #if DEBUG
        private static let storms = 60 as UInt64
    #else
        private static let storms = Storms.count(of: 10_000)
    #endif
    /// Storms go side by side in so many parts.
    private static let parts = 4 as UInt64
    /// After the last event: two seconds.
    private static let restSteps = 2 * Step.perSecond

    /// Plays so many events of a storm into a session, and watches every step.
    private static func watched(
        _ scene: Scene, seed: UInt64, events: Int = 24, _ next: (inout Storm) -> Event.Payload
    ) -> JumpWatch {
        var storm = Storm(seed: seed)
        var session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
        var sink = CheckingSink()
        var watch = JumpWatch(session)
        func step() {
            session.advance(to: session.clock + 1)
            if session.isInFrame { session.flush(to: .all, inFrame: true, into: &sink) }
            watch.look(at: session)
        }
        for _ in 0..<events {
            let payload = next(&storm)
            guard payload.isOfAHand else { continue }
            watch.note(payload)
            let received = Double(session.instant.nanoseconds) / 1e6
            _ = session.receive(Event(payload), received: received)
            watch.look(at: session)
            for _ in 0..<storm.pause() { step() }
        }
        for _ in 0..<restSteps where session.isMoving { step() }
        return watch
    }

    /// Plays all storms in parts, side by side.
    private static func faults(
        of storms: UInt64 = storms, _ play: @escaping @Sendable (UInt64) -> JumpWatch
    ) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            for part in 0..<parts {
                group.addTask {
                    var faults: [String] = []
                    for seed in stride(from: part, to: storms, by: Int(parts)) {
                        // Other tests wait for time.
                        await Task.yield()
                        faults += play(seed).faults.map { "seed \(seed), \($0)" }
                        if faults.count > 40 { break }
                    }
                    return faults
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    @Test func nothingJumpsInAStorm() async {
        let faults = await Self.faults { seed in
            Self.watched(.phone(seed: seed), seed: seed) { $0.payload() }
        }
        #expect(faults.isEmpty, "\(faults.prefix(12).joined(separator: "\n"))")
    }

    @Test func nothingJumpsInAWorld() async throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        let faults = await Self.faults(of: Self.storms / 4) { seed in
            var storm = WorldStorm(random: SplitMix64(seed: seed))
            return Self.watched(.single("world", .init(world)), seed: seed) { _ in
                storm.payload()
            }
        }
        #expect(faults.isEmpty, "\(faults.prefix(12).joined(separator: "\n"))")
    }

    // MARK: Rules broken on purpose

    private enum Breach: String, CaseIterable {
        case lostCut, fallingCut, stall, shove, turn, blink, vanishing

        /// The rules that it must be found by.
        var rules: Set<JumpDetector.Jump.Rule> {
            switch self {
            case .lostCut: [.comeback]
            case .fallingCut: [.cut]
            case .stall, .shove, .turn: [.travel]
            case .blink: [.alpha]
            case .vanishing: [.comeback]
            }
        }
    }

    /// A screen slides in, rests, and leaves; then the tips come again.
    private static let calm: [(steps: Int, component: String, command: ComponentCommand)] = [
        (90, "navigation", present("in-from-bottom")), (90, "navigation", present("in-via-scale")),
        (90, "tips", ComponentCommand("dismiss", [])),
        (90, "tips", ComponentCommand("present", [])),
    ]

    private static func present(_ transition: String) -> ComponentCommand {
        ComponentCommand("present", .of(screen: "posts", transition: transition))
    }

    private static func calmlyWatched(_ tamper: JumpWatch.Tamper?) -> JumpWatch {
        var session = Session(
            id: "alice", epoch: "e.1", scene: .phone(), opened: Theater.opened, frameRate: 60)
        var watch = JumpWatch(session, tamper: tamper)
        for (steps, component, command) in calm {
            let payload = Event.Payload.command(component: component, command)
            watch.note(payload)
            let received = Double(session.instant.nanoseconds) / 1e6
            #expect(session.receive(Event(payload), received: received) == .applied)
            watch.look(at: session)
            for _ in 0..<steps {
                session.advance(to: session.clock + 1)
                watch.look(at: session)
            }
        }
        return watch
    }

    @Test func aCalmSessionHasNoJump() {
        #expect(Self.calmlyWatched(nil).faults.isEmpty)
    }

    @Test(arguments: Breach.allCases)
    private func eachBrokenRuleIsFound(_ breach: Breach) {
        var held: Look?
        let watch = Self.calmlyWatched { component, step, look in
            let isScreen = component == "navigation"
            for index in look.views.indices {
                switch breach {
                case .lostCut: look.views[index].state.cut = 0
                case .fallingCut where step < 60: look.views[index].state.cut += 9
                case .shove where isScreen && step == 60:
                    look.views[index].state.center.x += 60
                case .turn where isScreen && step == 60: look.views[index].state.rotation += 0.4
                case .blink where isScreen && step == 60: look.views[index].state.alpha = 0
                default: break
                }
            }
            if breach == .vanishing && isScreen && step == 60 { look.views.removeAll() }
            if breach == .stall && isScreen {
                if step == 8 { held = look }
                if (8..<24).contains(step), let held { look = held }
            }
        }
        #expect(!watch.found.isDisjoint(with: breach.rules), "\(watch.faults.prefix(3))")
    }
}

extension Event.Payload {
    /// Whether a hand could do it: no sample lies far beside the screen, and none scrolls by more
    /// than half of it.
    fileprivate var isOfAHand: Bool {
        guard case .gesture(_, let gesture) = self else { return true }
        if let point = gesture.point, point.length > 2_000 { return false }
        return switch gesture {
        case .scroll(let scroll): abs(scroll.offset) < 300
        case .wheel(let wheel): wheel.delta.length < 300
        case .pan(let pan): (pan.velocity?.length ?? 0) < 10_000
        case .swipe, .tap, .pointer, .longpress, .pinch, .rotation, .token: true
        }
    }
}
