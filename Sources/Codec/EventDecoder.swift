import CDocument
package import Gestures
package import Interactions
package import Notation
package import Protocol
import Scenes
package import Sessions

/// Why a body is no event, and which gesture it belongs to: after a refused `began` the session
/// suppresses the rest of that contact, so it must know the contact.
package struct DecodingFailure: Error, Hashable, Sendable {
    package var rejection: Rejection
    /// These are nil if they could not be read.
    package var gesture: GestureKind?
    package var phase: Phase?
    /// The number of a raw contact, or a token's symbol.
    package var pointer: PointerNumber?

    package init(
        rejection: Rejection, gesture: GestureKind? = nil, phase: Phase? = nil,
        pointer: PointerNumber? = nil
    ) {
        self.rejection = rejection
        self.gesture = gesture
        self.phase = phase
        self.pointer = pointer
    }
}

/// Turns bodies into events, one after the other, in memory that it reuses.
///
/// It has one owner at a time: a lane, the simulator or a test.
@safe
package final class EventDecoder {
    private let parser: OpaquePointer
    private var users = UserNames()

    package init() {
        guard let parser = unsafe gs_event_parser_open(Limits.bodyBytesMax) else {
            preconditionFailure("no memory for a decoder")
        }
        unsafe self.parser = parser
    }

    deinit { unsafe gs_event_parser_close(parser) }

    package func decode(topic: Topic, body: [UInt8]) throws(DecodingFailure) -> Event {
        try unsafe body.span.withUnsafeBytes { (raw) throws(DecodingFailure) in
            try unsafe decode(topic: topic, body: raw)
        }
    }

    package func decode(topic: Topic, body: RawSpan) throws(DecodingFailure) -> Event {
        try unsafe body.withUnsafeBytes { (raw) throws(DecodingFailure) in
            try unsafe decode(topic: topic, body: raw)
        }
    }

    /// Unsafe only because the caller must keep the bytes valid.
    package func decode(
        topic: Topic, body: UnsafeRawBufferPointer
    ) throws(DecodingFailure) -> Event {
        do throws(Rejection) {
            try unsafe read(body)
        } catch {
            throw DecodingFailure(rejection: error)
        }
        let fields = unsafe EventBody(gs_event_parser_fields(parser))
        do throws(Rejection) {
            switch topic {
            case .gesture(_, let component):
                let gesture = try gesture(fields)
                return Event(
                    .gesture(component: component, gesture), time: try fields.time())
            case .notification:
                guard let kind = try fields.kind() else { throw EventBody.missing("kind") }
                let data = try fields.hasData ? Self.data(try tree()) : nil
                return Event(
                    .notification(kind: kind, try fields.countChange(), data: data),
                    time: try fields.time(), id: try fields.id())
            case .command(_, let component?):
                return Event(
                    .command(component: component, try command(fields)),
                    time: try fields.time(), id: try fields.id())
            case .command(_, nil):
                let payload = try unsafe sessionCommand(fields, body)
                return Event(payload, time: try fields.time(), id: try fields.id())
            }
        } catch {
            guard case .gesture = topic else { throw DecodingFailure(rejection: error) }
            throw DecodingFailure(
                rejection: error, gesture: fields.gestureKind, phase: fields.knownPhase,
                pointer: fields.knownNumber)
        }
    }

    /// A gesture's body as a sample of a component, by its place; nil where it is to be refused.
    /// Unsafe only because the caller must keep the bytes valid.
    package func sample(_ body: UnsafeRawBufferPointer, of component: Int) -> Sample? {
        do throws(Rejection) {
            try unsafe read(body)
            let fields = unsafe EventBody(gs_event_parser_fields(parser))
            return Sample(component: component, try gesture(fields), time: try fields.time())
        } catch {
            return nil
        }
    }

    /// The event of a recorded request that opens a session. `body` is that of an `open`, whose
    /// scene may be larger than an event. Throws as `decode` does.
    package static func opening(_ body: [UInt8]) throws(DecodingFailure) -> Event {
        do throws(Rejection) {
            let tree: Node
            do throws(DocumentError) {
                tree = try Document.json(body)
            } catch {
                throw Rejection(.badJSON, error.message)
            }
            let reference: SceneReference
            if let name = tree["scene"]?.string {
                reference = .named(name)
            } else {
                reference = .inline(InlineScene(try inlineScene(of: tree)))
            }
            let replaces = try tree["replace"].isTrue("replace")
            return Event(replaces ? .replace(reference) : .open(reference))
        } catch {
            throw DecodingFailure(rejection: error)
        }
    }

    private func read(_ body: UnsafeRawBufferPointer) throws(Rejection) {
        guard body.count <= Limits.bodyBytesMax else {
            throw Rejection(.tooLarge, "a body has at most \(Limits.bodyBytesMax) bytes")
        }
        let start = unsafe body.baseAddress?.assumingMemoryBound(to: UInt8.self)
        switch unsafe Int(gs_event_parser_read(parser, start, body.count, Node.depthMax)) {
        case gs_ok: return
        case gs_not_utf8: throw Rejection(.badJSON, "the body is not UTF-8")
        case gs_not_object: throw Rejection(.badJSON, "the body is not a JSON object")
        case gs_empty: throw Rejection(.badJSON, "the body is empty")
        case gs_too_deep: throw Rejection(.badJSON, "the body is nested too deep")
        case gs_no_memory: throw Rejection(.internal, "no memory to read the body")
        default: throw Rejection(.badJSON, "the body is not JSON")
        }
    }

    private func gesture(_ body: EventBody) throws(Rejection) -> Gesture {
        switch body.gestureKind {
        case .pan:
            return .pan(
                Pan(
                    phase: try body.phase(), location: try body.location(),
                    velocity: try body.velocity()))
        case .pointer:
            return .pointer(
                Pointer(
                    phase: try body.phase(), pointer: try body.pointer(),
                    location: try body.location(), kind: try body.pointerKind(),
                    pressure: try body.pressure(), user: try body.user(among: &users)))
        case .scroll:
            return .scroll(Scroll(phase: try body.phase(), offset: try body.offset()))
        case .wheel:
            return .wheel(
                Wheel(
                    delta: try body.delta(), location: try body.locationIfAny(),
                    phase: try body.phaseIfAny(), isMomentum: try body.isMomentum()))
        case .swipe:
            return .swipe(
                Swipe(
                    direction: try body.direction(), target: try body.target(allowsIndex: false)))
        case .tap:
            return .tap(try body.target(allowsIndex: true))
        case .longpress:
            return .longpress(
                LongPress(phase: try body.phase(), location: try body.locationIfAny()))
        case .pinch:
            return .pinch(
                Pinch(
                    phase: try body.phase(), location: try body.locationIfAny(),
                    scale: try body.scale(), velocity: try body.rate()))
        case .rotation:
            return .rotation(
                Rotation(
                    phase: try body.phase(), location: try body.locationIfAny(),
                    angle: try body.angle(), velocity: try body.rate()))
        case .token:
            return .token(
                Token(
                    phase: try body.phase(), symbol: try body.symbol(),
                    location: try body.location(), angle: try body.angle(),
                    user: try body.user(among: &users)))
        case nil:
            let name = TableReader.shortened(try body.gestureName())
            let known = GestureKind.allCases.map(\.rawValue)
            throw Rejection(
                .unknownGesture,
                "unknown gesture \"\(name)\", \(knownNames(nearestTo: name, among: known))")
        }
    }

    /// The arguments are the machine's to read: here they are a tree.
    private func command(_ body: EventBody) throws(Rejection) -> ComponentCommand {
        let name = try body.command()
        let arguments = (try tree().members ?? []).filter { !Self.envelope.contains($0.name) }
        return ComponentCommand(name, arguments)
    }

    /// The body that was read last.
    private func tree() throws(Rejection) -> Node {
        do throws(DocumentError) {
            return try unsafe Document.tree(gs_event_parser_tree(parser, Node.depthMax))
        } catch {
            throw Rejection(.badJSON, error.message)
        }
    }

    /// The members of every command, which are no arguments.
    private static let envelope = ["command", "id", "t"]

    private static let sessionCommands = ["open", "close", "update", "resize", "set", "assign"]

    /// The table that a notification brings for the reactions of a scene.
    private static func data(_ tree: Node) throws(Rejection) -> Node {
        guard let data = tree["data"], data.members != nil else {
            throw .wrong("data", "must be an object")
        }
        guard data.jsonBytes <= Limits.notificationDataBytesMax else {
            throw .wrong("data", "must have at most \(Limits.notificationDataBytesMax) bytes")
        }
        guard data.depth <= Limits.argumentDepthMax else { throw .tooDeep("data") }
        return data.withoutLines
    }

    /// The values of an `assign`.
    private static func values(_ tree: Node) throws(Rejection) -> [Node.Member] {
        guard let values = tree["values"] else { throw EventBody.missing("values") }
        guard let members = values.members else { throw .wrong("values", "must be an object") }
        guard members.count <= Limits.variablesMax else {
            throw .wrong("values", "must be at most \(Limits.variablesMax)")
        }
        return members
    }

    private func sessionCommand(
        _ body: EventBody, _ bytes: UnsafeRawBufferPointer
    ) throws(Rejection) -> Event.Payload {
        let name = try body.command()
        switch name {
        case "close": return .close
        case "open":
            let (reference, tree) = try unsafe scene(body, bytes)
            return try tree["replace"].isTrue("replace") ? .replace(reference) : .open(reference)
        case "update":
            let (reference, tree) = try unsafe scene(body, bytes)
            return .change(try SceneChange(updateTo: reference, tree))
        case "resize": return .change(.revise(try SceneRevision(resize: try tree())))
        case "assign": return .assign(try Self.values(try tree()))
        case "set": return .change(.revise(.set(try ComponentValues(try tree()))))
        default:
            throw .unknown(command: name, of: "a session", among: Self.sessionCommands)
        }
    }

    /// The scene that a command brings or names, and the tree in which its other members stand.
    private func scene(
        _ body: EventBody, _ bytes: UnsafeRawBufferPointer
    ) throws(Rejection) -> (SceneReference, Node) {
        if let scene = try body.sceneName() { return (.named(scene), try tree()) }
        let (scene, tree) = try unsafe inlineScene(bytes)
        return (.inline(InlineScene(scene)), tree)
    }

    /// Reads the body again, as a tree.
    private func inlineScene(
        _ bytes: UnsafeRawBufferPointer
    ) throws(Rejection) -> (Scene, Node) {
        let tree: Node
        do throws(DocumentError) {
            tree = try unsafe Document.json([UInt8](bytes))
        } catch {
            throw Rejection(.badScene, error.message)
        }
        return (try Self.inlineScene(of: tree), tree)
    }

    private static func inlineScene(of tree: Node) throws(Rejection) -> Scene {
        guard let scene = tree["scene"] else { throw EventBody.missing("scene") }
        do {
            return try SceneReader.scene(from: scene, fallbackName: nil)
        } catch {
            throw error.rejection
        }
    }
}

extension Limits {
    /// Bytes of an event's body: a gesture needs 100; a scene of 32 components a few thousand.
    package static let bodyBytesMax = 64 * 1024
}
