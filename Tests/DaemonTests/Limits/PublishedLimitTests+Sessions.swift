import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

@testable import Daemon

/// Bounds that a session holds.
extension PublishedLimitTests {
    private static func isApplied(_ reception: Session.Reception) -> Bool {
        if case .applied = reception { true } else { false }
    }

    static let sessionRows: [String: Row] = [
        "limit_ids_remembered": .driven { value in
            var theater = Theater(.phone())
            for index in 0...value {
                #expect(isApplied(theater.notify("likes", id: "\(index)")))
            }
            #expect(theater.notify("likes", id: "1") == .duplicate)
            #expect(isApplied(theater.notify("likes", id: "0")), "the oldest is forgotten")
        },
        "limit_badge_kinds": .driven { value in
            var theater = Theater(.phone())
            for index in 0..<value { #expect(isApplied(theater.notify("k\(index)"))) }
            guard case .refused(let rejection) = theater.notify("more") else {
                Issue.record("one kind too many was counted")
                return
            }
            #expect(rejection.code == .badValue)
        },
        "limit_reaction_chain": .driven { value in
            for (count, isTold) in [(value, false), (value + 1, true)] {
                var scene = Scene.phone()
                let clear = Reaction.Order(component: "badges", command: "clear", arguments: [])
                scene.reactions = Array(
                    repeating: Reaction(.notification(kind: "a"), clear), count: count)
                var theater = Theater(scene)
                theater.notify("a")
                theater.flush()
                #expect(theater.log.reports.map(\.rejection.code).isEmpty != isTold)
            }
        },
        "limit_reaction_values": .driven { value in
            let tips = Array(repeating: Node(.object([])), count: 1_023)
            // An argument of 1,023 tips is 1,024 values.
            let present = Reaction.Order(
                component: "tips", command: "present",
                arguments: [Node.Member("tips", Node(.array(tips)))])
            for (count, isTold) in [(value / 1_024, false), (value / 1_024 + 1, true)] {
                var scene = Scene.phone()
                scene.reactions = Array(
                    repeating: Reaction(.notification(kind: "a"), present), count: count)
                var theater = Theater(scene)
                theater.notify("a")
                theater.flush()
                #expect(
                    theater.log.reports.map(\.rejection.code) == (isTold ? [.reactionLimit] : []))
            }
        },
        "limit_reaction_sets": .driven { value in
            for (count, isTold) in [(value, false), (value + 1, true)] {
                let reaction = """

                    [[reactions]]
                    when = { notification = "a" }
                    do = { component = "rows", command = "set", values = { rows = "$count" } }
                    """
                let text = """
                    viewport = [320, 568]
                    components = [{ id = "rows", kind = "list", rows = 0 }]
                    """
                let bytes = Array((text + String(repeating: reaction, count: count)).utf8)
                guard let scene = try? SceneReader.scene(toml: bytes, file: "a", fallbackName: nil)
                else {
                    Issue.record("the scene is refused")
                    return
                }
                var theater = Theater(scene)
                theater.notify("a")
                theater.flush()
                #expect(theater.session.sceneDescription.revision == value + 1)
                #expect(theater.log.reports.map(\.rejection.code).isEmpty != isTold)
            }
        },
        "limit_contacts": .driven { value in
            var theater = Theater(.phone())
            for pointer in 0..<value {
                #expect(isApplied(theater.pointer("toss", .began, pointer, 10, 200)))
            }
            #expect(!isApplied(theater.pointer("toss", .began, value, 10, 200)))
        },
        "limit_component_contacts": .driven { value in
            let items = (0..<5).map { number -> Sheet in
                [
                    "id": Sheet("i\(number)"), "center": [Sheet(Double(number) * 60 + 30), 30],
                    "size": [50, 50],
                ]
            }
            let table: Sheet = ["items": Sheet(items)]
            guard let world = try? WorldParameters(table.node, viewport: .phone) else {
                Issue.record("the world is refused")
                return
            }
            var theater = Theater(.single("world", .init(world)))
            for pointer in 0..<value {
                let x = Double(pointer % 5) * 60 + 30
                #expect(isApplied(theater.pointer("world", .began, pointer, x, 30)))
            }
            #expect(!isApplied(theater.pointer("world", .began, value, 30, 30)))
        },
        "limit_tokens": .driven { value in
            var theater = Theater(.single("world", .init(WorldParameters(viewport: .phone))))
            func put(_ symbol: Int) -> Session.Reception {
                let token = Token(
                    phase: .began, symbol: symbol, location: Vector(160, 200), angle: 0)
                return theater.receive(.gesture(component: nil, .token(token)))
            }
            for symbol in 0..<value { #expect(isApplied(put(symbol))) }
            #expect(!isApplied(put(value)))
        },
        "limit_navigation_stack": .driven { value in
            var theater = Theater(.phone())
            func present(_ screen: String) -> Session.Reception {
                defer { _ = theater.stepsToRest() }
                let command = ComponentCommand(
                    "present", .of(screen: screen, transition: "in-via-scale"))
                return theater.receive(.command(component: "navigation", command))
            }
            // The root is the first of them.
            for index in 1..<value { #expect(isApplied(present("s\(index)"))) }
            #expect(!isApplied(present("more")))
        },
        "limit_steps_made_up": .driven { value in
            for (more, jumped) in [(0, 0), (1, 1), (9, 9)] {
                var theater = Theater(.phone())
                theater.pan("toss", .began, 100, 200)
                theater.pan("toss", .ended, 100, 200, velocity: Vector(3_000, 0))
                #expect(theater.session.isMoving)
                let clock = theater.session.clock
                #expect(theater.session.advance(to: clock + value + more) == jumped)
            }
        },
        "limit_gesture_silence_ms": .driven { value in
            let steps = value * Step.perSecond / 1_000
            var recognized = Theater(.phone())
            recognized.pan("toss", .began, 100, 200)
            var raw = Theater(.phone())
            raw.pointer("toss", .began, 1, 160, 223)
            raw.pointer("toss", .changed, 1, 220, 223)
            for var theater in [recognized, raw] {
                theater.step(steps - 1)
                #expect(theater.picture("toss").phase == "dragging")
                theater.step()
                #expect(theater.picture("toss").phase != "dragging")
            }
        },
        "limit_routes": .driven { value in
            var theater = Theater(.single("toss", .init(TossParameters(viewport: .phone))))
            func land(_ pointer: Int) -> Session.Reception {
                let sample = Pointer(
                    phase: .began, pointer: PointerNumber(pointer), location: .zero)
                return theater.receive(.gesture(component: nil, .pointer(sample)))
            }
            for pointer in 0..<value { #expect(isApplied(land(pointer))) }
            #expect(!isApplied(land(value)))
        },
        "limit_touches": .driven { value in
            var theater = Theater(.single("toss", .init(TossParameters(viewport: .phone))))
            _ = theater.session.tellTouches(true)
            func touch(_ pointer: Int, _ phase: Phase) -> Session.Reception {
                let sample = Pointer(
                    phase: phase, pointer: PointerNumber(pointer), location: .zero)
                return theater.receive(.gesture(component: nil, .pointer(sample)))
            }
            for pointer in 0..<value { #expect(isApplied(touch(pointer, .began))) }
            #expect(isApplied(theater.pointer("toss", .began, 7, 160, 223)), "it touches")
            #expect(theater.session.toldTouches?.entries.count == value)
            #expect(theater.session.toldTouches?.entries.last?.pointer != 7)
            // There is room now, and its next sample brings it.
            #expect(isApplied(touch(0, .ended)))
            #expect(isApplied(theater.pointer("toss", .changed, 7, 160, 223)))
            #expect(theater.session.toldTouches?.entries.last?.pointer == 7)
        },
        "limit_refused_contacts": .driven { value in
            var refused = RefusedContacts()
            func judge(_ index: Int, _ phase: Phase) -> Rejection? {
                let pointer = Pointer(
                    phase: phase, pointer: PointerNumber(index), location: Vector(0, 0))
                let event = Event(.gesture(component: "c", .pointer(pointer)), time: nil)
                guard let contact = Contact(event) else { return nil }
                guard phase == .began else { return refused.judge(contact) }
                refused.insert(contact, Rejection(.busy, "no"))
                return nil
            }
            for index in 0...value { _ = judge(index, .began) }
            let (oldest, next) = (judge(0, .changed), judge(1, .changed))
            #expect(oldest == nil, "the oldest is forgotten")
            #expect(next != nil)
        },
        "limit_resend_interval_ms": .driven { value in
            func answers(after steps: Int) -> Int {
                var theater = Theater(.phone())
                theater.step()
                let before = theater.told("state/toss").count
                theater.session.answer(.state(component: 1))
                theater.flush()
                theater.session.answer(.state(component: 1))
                theater.step(steps)
                return theater.told("state/toss").count - before
            }
            let steps = value * Step.perSecond / 1_000
            #expect(answers(after: steps - 1) == 1)
            #expect(answers(after: 2 * steps) == 2)
        },
        "limit_rejections_per_session_per_second": .driven { value in
            var theater = Theater(.phone())
            let told = (0..<3 * value).count { _ in theater.session.mayReport() }
            #expect(told == value)
            theater.step(Step.perSecond)
            let mayReport = theater.session.mayReport()
            #expect(mayReport)
        },
        "limit_version_imported": .driven { value in
            var theater = Theater(.phone())
            theater.notify("likes")
            #expect(isImported(theater.session) { $0.with("badges.version", value) })
            #expect(!isImported(theater.session) { $0.with("badges.version", value + 1) })
        },
        "limit_timer_imported_seconds": .driven { value in
            var theater = try drifting()
            theater.step()
            let now = theater.session.clock
            for (more, isTaken) in [(0, true), (1, false)] {
                let end = Node(encoding: now.after(seconds: Double(value))).adding(more)
                let isImported = isImported(theater.session) {
                    $0.changed("machines.0.state.moving") { _ in end }
                }
                #expect(isImported == isTaken)
            }
        },
        "limit_world_restless_ms": .driven { value in
            var theater = try drifting()
            var steps = 0
            while theater.pictures[0].phase == "moving", steps < 10_000 {
                theater.step()
                steps += 1
            }
            #expect(steps == value * Step.perSecond / 1_000)
        },
    ]

    /// A world in which an item drifts and nothing drives it.
    private static func drifting() throws -> Theater {
        let world: Sheet = [
            "items": [["id": "a", "center": [60, 100], "size": [60, 40]]],
            "behaviors": [["id": "slick", "kind": "item", "items": ["a"], "resistance": 0]],
        ]
        var theater = Theater(.single("world", .init(try WorldParameters(world.node))))
        let push: Sheet = ["item": "a", "dx": 0, "dy": 5]
        theater.receive(
            .command(component: "world", ComponentCommand("add-velocity", push.members)))
        return theater
    }

    /// Whether a session is imported from another's state with something changed.
    private static func isImported(_ session: Session, _ change: (Node) -> Node) -> Bool {
        let node = change(Node(encoding: session.state))
        guard let state = try? node.decode(SessionSnapshot.self) else { return false }
        let imported = try? Session(
            state, id: "alice", scene: session.scene, frameRate: 60, key: 0, continuing: .same)
        return imported != nil
    }
}
