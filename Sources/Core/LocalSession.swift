import Geometry
import Gestures
import Interactions
import Notation
import Scenes
import Sessions

/// A session in your own process: the daemon's machines without the daemon, to the same bits.
///
/// It is a value that decides and performs nothing: no clock, no thread, no input, no output. You
/// tell it the time with each call, in milliseconds on any scale that only grows; what it shows
/// depends on nothing else. Open it with a scene, send it what the hand does, and draw its frames:
///
/// ```swift
/// var session = try LocalSession(scene: [
///     "viewport": [320, 568], "components": [["id": "card", "kind": "toss"]],
/// ])
/// try session.send(.pointer(.began, number: 1, at: Point(160, 284)), at: 10)
/// try session.send(.pointer(.changed, number: 1, at: Point(190, 284)), at: 26)
/// try session.send(.pointer(.ended, number: 1, at: Point(240, 284)), at: 42)
/// for frame in session.frames(to: 1_000) {
///     for state in frame.states { print(frame.time, state.component, state.phase) }
/// }
/// ```
///
/// Copies are independent: keep one to go back to, or to try what a gesture would do.
public struct LocalSession: Sendable {
    /// Frames that wait to be taken; where more come, the oldest are dropped. At 120 a second this
    /// is half a minute.
    public static let framesMax = 4_096
    /// Milliseconds that a session can be told: three hundred years on either side of 1970 would
    /// not fit into its clock, two hundred do.
    public static let timeMax = 6e12

    private var session: Session
    private var waiting = FrameSink()
    /// Frames that were dropped because nobody took them.
    public private(set) var framesDropped = 0

    /// Opens a session of a scene, at an instant in milliseconds.
    ///
    /// `frameRate` (30, 60 or 120) counts where the scene gives none, `seed` in place of the
    /// scene's; without both the `id` seeds the session's chance. `scenes` are those that the
    /// scene's reactions may have the session become, by name. Throws `bad-scene`, with the place
    /// in the scene, or `bad-value`.
    public init(
        scene: Value, id: String = "local", at time: Double = 0, frameRate: Int = 60,
        seed: UInt64? = nil, scenes: [String: Value] = [:]
    ) throws(Refusal) {
        guard [30, 60, 120].contains(frameRate), Name.isValid(id) else {
            throw Refusal(
                code: "bad-value",
                message: "frameRate must be 30, 60 or 120, and id \(Name.rule)")
        }
        var scene = try Self.read(scene)
        if let seed { scene.seed = seed }
        var known: [String: Scene] = [:]
        for (name, value) in scenes { known[name] = try Self.read(value, named: name) }
        session = Session(
            id: id, epoch: "local", scene: scene,
            opened: Instant(nanoseconds: try Self.nanoseconds(time)), frameRate: frameRate,
            catalog: SceneCatalog(known))
    }

    // MARK: What happens

    /// Applies a gesture, at an instant in milliseconds.
    ///
    /// Without a component the session finds out who is touched; its answer is in ``hit(x:y:)``.
    /// Throws the protocol's codes, such as `unknown-component`, `out-of-order`, `bad-value`.
    public mutating func send(
        _ gesture: Gesture, to component: String? = nil, at time: Double
    ) throws(Refusal) {
        let sample = try gesture.sample()
        try apply(.gesture(component: component, sample), at: time)
    }

    /// Adds to a count. Throws `bad-value` where the kind is no name or the number is negative.
    ///
    /// `data` is a table for the scene's reactions.
    public mutating func notify(
        _ kind: String, add: Int = 1, data: Value? = nil, at time: Double
    ) throws(Refusal) {
        guard Name.isValid(kind), add >= 0 else {
            throw Refusal(code: "bad-value", message: "kind must be \(Name.rule), add from 0 up")
        }
        let node = try data.map { (value) throws(Refusal) in try value.node() }
        guard
            node.map({ $0.members != nil && $0.jsonBytes <= Limits.notificationDataBytesMax })
                ?? true
        else {
            throw Refusal(
                code: "bad-value",
                message: "data must be a table of at most \(Limits.notificationDataBytesMax) bytes")
        }
        try apply(.notification(kind: kind, .add(add), data: node), at: time)
    }

    /// Gives a component one of the commands of its kind, with a table of its arguments.
    public mutating func command(
        _ name: String, _ arguments: Value = [:], to component: String, at time: Double
    ) throws(Refusal) {
        let members = try arguments.node().members ?? []
        let command = ComponentCommand(name, members)
        try apply(.command(component: component, command), at: time)
    }

    /// Gives variables of the scene other values, all or none. Throws `bad-value`.
    public mutating func assign(_ values: [String: Value], at time: Double) throws(Refusal) {
        var members: [Node.Member] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            members.append(Node.Member(name, try value.node()))
        }
        try apply(.assign(members), at: time)
    }

    /// Changes the scene while it runs, as the protocol's command `update` does: what both have
    /// goes on.
    public mutating func update(to scene: Value, at time: Double) throws(Refusal) {
        let inline = InlineScene(try Self.read(scene))
        try apply(.change(.update(.inline(inline))), at: time)
    }

    /// Gives the scene another viewport, in points, as the protocol's command `resize` does.
    public mutating func resize(width: Double, height: Double, at time: Double) throws(Refusal) {
        let body = try Value.table([("viewport", [.number(width), .number(height)])]).node()
        let revision = try refusing { () throws(Rejection) in try SceneRevision(resize: body) }
        try apply(.change(.revise(revision)), at: time)
    }

    private mutating func apply(_ payload: Event.Payload, at time: Double) throws(Refusal) {
        try run(to: time, inclusive: false)
        switch session.receive(Event(payload), received: time) {
        case .applied, .duplicate: break
        case .refused(let rejection), .suppressed(let rejection): throw Refusal(rejection)
        }
    }

    // MARK: What is shown

    /// Moves on to an instant in milliseconds, and gives all frames since the last call.
    ///
    /// An instant before the session's own changes nothing. Where more than ``framesMax`` come, the
    /// oldest are dropped and counted in ``framesDropped``; throws `bad-value` beyond ``timeMax``.
    public mutating func frames(to time: Double) throws(Refusal) -> [Frame] {
        try run(to: time, inclusive: true)
        return takeFrames()
    }

    /// The frames that are due before the newest event and were not given yet; moves nothing.
    ///
    /// The changes by that event are not among them: they belong into one frame with all else that
    /// happens at the same 1/120 s.
    public mutating func takeFrames() -> [Frame] {
        let frames = waiting.frames
        waiting.frames = []
        return frames
    }

    /// The states of all components as they are now, in the order of painting.
    public var states: [ComponentState] {
        var states: [ComponentState] = []
        session.wholePicture.forEachState { states.append(ComponentState($0, $1, $2)) }
        return states
    }

    /// The counts by kind.
    public var counts: [String: Int] { session.badges.counts.byKind }

    /// The instant that it shows, in milliseconds.
    public var time: Double { Double(session.instant.nanoseconds) / 1e6 }

    /// Whether anything moves: while nothing does, nobody needs to ask for frames.
    public var isMoving: Bool { session.isMoving }

    /// The component and the view at a point of the viewport; nil where nothing is hit.
    public func hit(x: Double, y: Double) -> Hit? {
        session.hit(at: Vector(x, y)).map {
            Hit(component: session.scene.components[$0.component].id, view: $0.view)
        }
    }

    // MARK: Time

    /// Publishes each frame that is due before an instant, or until it, and moves there.
    private mutating func run(to time: Double, inclusive: Bool) throws(Refusal) {
        let nanoseconds = try Self.nanoseconds(time) - session.opened.nanoseconds
        let target = Step(notAfter: nanoseconds)
        guard inclusive || target > session.clock else { return }
        flush()
        while let wake = session.nextWake(interest: .frame),
            inclusive ? wake <= target : wake < target
        {
            session.advance(to: wake)
            flush()
        }
        session.advance(to: target)
    }

    private mutating func flush() {
        session.flush(to: .frame, inFrame: session.isInFrame, into: &waiting)
        let excess = waiting.frames.count - Self.framesMax
        if excess > 0 {
            waiting.frames.removeFirst(excess)
            framesDropped += excess
        }
    }

    private static func nanoseconds(_ milliseconds: Double) throws(Refusal) -> Int {
        guard milliseconds.magnitude <= timeMax else {
            throw Refusal(code: "bad-value", message: "a time must lie within ±\(timeMax) ms")
        }
        return Int((milliseconds * 1e6).rounded())
    }

    // MARK: Scenes

    private static func read(_ scene: Value, named name: String? = nil) throws(Refusal) -> Scene {
        let node = try scene.node()
        return try refusing { () throws(Rejection) in try read(node, named: name) }
    }

    /// The scene keeps its table, so that it can be changed while it runs.
    private static func read(_ node: Node, named name: String?) throws(Rejection) -> Scene {
        var scene: Scene
        do throws(TableError) {
            scene = try SceneTable.read(node, fallbackName: name)
        } catch {
            throw Rejection(.badScene, error.description)
        }
        scene.reviser = SceneReviser { scene, revision in
            Result { () throws(Rejection) in
                let changed = try SceneTable.revised(node, of: scene, by: revision)
                return changed == node ? scene : try read(changed, named: name)
            }
        }
        return scene
    }
}

private func refusing<Result>(
    _ body: () throws(Rejection) -> Result
) throws(Refusal) -> Result {
    do throws(Rejection) {
        return try body()
    } catch {
        throw Refusal(error)
    }
}
