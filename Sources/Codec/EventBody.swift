import CDocument
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions

/// The members of one event's body. Each getter checks its own member.
///
/// Valid until its decoder reads the next body. Getters that return no `Optional` throw
/// `missing-field` for an absent member; all throw `bad-value` for a wrong type or range.
@safe
struct EventBody {
    private let fields: UnsafePointer<gs_fields>

    init(_ fields: UnsafePointer<gs_fields>) { unsafe self.fields = fields }

    /// `t`: any finite number. The session ignores a time that is far off.
    func time() throws(Rejection) -> Double? {
        let field = unsafe fields.pointee.t
        if unsafe field.isAbsent { return nil }
        guard let time = unsafe field.double, time.isFinite else {
            throw .wrong("t", "must be a finite number of milliseconds")
        }
        return time
    }

    func id() throws(Rejection) -> String? {
        let field = unsafe fields.pointee.id
        if unsafe field.isAbsent { return nil }
        guard unsafe field.isText && field.length >= 1 && field.length <= Limits.idBytesMax else {
            throw .wrong("id", "must be a string of 1 to \(Limits.idBytesMax) bytes")
        }
        return unsafe field.string
    }

    /// Nil if it is absent or unknown.
    var gestureKind: GestureKind? {
        let field = unsafe fields.pointee.gesture
        guard unsafe field.isText else { return nil }
        if unsafe field.isText("pan") { return .pan }
        if unsafe field.isText("pointer") { return .pointer }
        if unsafe field.isText("scroll") { return .scroll }
        return unsafe GestureKind(rawValue: field.string)
    }

    func gestureName() throws(Rejection) -> String {
        let field = unsafe fields.pointee.gesture
        if unsafe field.isAbsent { throw Self.missing("gesture") }
        guard unsafe field.isText else { throw .wrong("gesture", "must be a string") }
        return unsafe field.string
    }

    /// Nil if it is absent or unknown.
    var knownPhase: Phase? {
        let field = unsafe fields.pointee.phase
        guard unsafe field.isText else { return nil }
        if unsafe field.isText("changed") { return .changed }
        if unsafe field.isText("began") { return .began }
        if unsafe field.isText("ended") { return .ended }
        if unsafe field.isText("cancelled") { return .cancelled }
        return nil
    }

    func phase() throws(Rejection) -> Phase {
        if let phase = knownPhase { return phase }
        if unsafe fields.pointee.phase.isAbsent { throw Self.missing("phase") }
        throw .wrong("phase", "must be began, changed, ended or cancelled")
    }

    /// A wheel's phase; nil if it is absent.
    func phaseIfAny() throws(Rejection) -> Phase? {
        if unsafe fields.pointee.phase.isAbsent { return nil }
        return try phase()
    }

    func location() throws(Rejection) -> Vector {
        Vector(
            try unsafe coordinate(fields.pointee.x, "x"),
            try unsafe coordinate(fields.pointee.y, "y"))
    }

    /// Nil if both coordinates are absent.
    func locationIfAny() throws(Rejection) -> Vector? {
        if unsafe fields.pointee.x.isAbsent && fields.pointee.y.isAbsent { return nil }
        return try location()
    }

    /// A pinch's `scale`, above 0.
    func scale() throws(Rejection) -> Double {
        let scale = try unsafe coordinate(fields.pointee.scale, "scale")
        guard scale > 0 else { throw .wrong("scale", "must be above 0") }
        return scale
    }

    /// The `angle` of a rotation or a token, in radians.
    func angle() throws(Rejection) -> Double {
        try unsafe coordinate(fields.pointee.angle, "angle")
    }

    /// `velocity` of a pinch or a rotation; nil if it is absent.
    func rate() throws(Rejection) -> Double? {
        if unsafe fields.pointee.velocity.isAbsent { return nil }
        return try unsafe coordinate(fields.pointee.velocity, "velocity")
    }

    /// Nil if both components are absent.
    func velocity() throws(Rejection) -> Vector? {
        if unsafe fields.pointee.vx.isAbsent && fields.pointee.vy.isAbsent { return nil }
        return Vector(
            try unsafe coordinate(fields.pointee.vx, "vx"),
            try unsafe coordinate(fields.pointee.vy, "vy"))
    }

    /// `dx` and `dy` of a wheel, of which one may be left out.
    func delta() throws(Rejection) -> Vector {
        let (dx, dy) = unsafe (fields.pointee.dx, fields.pointee.dy)
        if unsafe dx.isAbsent && dy.isAbsent {
            throw Rejection(.missingField, "keys dx and dy: one is required")
        }
        return Vector(
            try unsafe dx.isAbsent ? 0 : coordinate(dx, "dx"),
            try unsafe dy.isAbsent ? 0 : coordinate(dy, "dy"))
    }

    /// `momentum` of a wheel; false if it is absent.
    func isMomentum() throws(Rejection) -> Bool {
        let field = unsafe fields.pointee.momentum
        if unsafe field.isAbsent || field.kind == UInt32(gs_false) { return false }
        if unsafe field.kind == UInt32(gs_true) { return true }
        throw .wrong("momentum", "must be true or false")
    }

    func offset() throws(Rejection) -> Double {
        try unsafe coordinate(fields.pointee.offset, "offset")
    }

    func direction() throws(Rejection) -> Direction {
        let field = unsafe fields.pointee.direction
        if unsafe field.isAbsent { throw Self.missing("direction") }
        guard unsafe field.isText, let direction = unsafe Direction(rawValue: field.string) else {
            throw .wrong("direction", "must be left, right, up or down")
        }
        return direction
    }

    /// The number of a raw contact, or a token's symbol; nil where it cannot be read.
    var knownNumber: PointerNumber? {
        let isToken = gestureKind == .token
        let field = unsafe isToken ? fields.pointee.symbol : fields.pointee.pointer
        return unsafe field.whole.map(PointerNumber.init)
    }

    func pointer() throws(Rejection) -> PointerNumber {
        guard let pointer = try unsafe whole(fields.pointee.pointer, "pointer") else {
            throw Self.missing("pointer")
        }
        return PointerNumber(pointer)
    }

    func symbol() throws(Rejection) -> Int {
        let field = unsafe fields.pointee.symbol
        if unsafe field.isAbsent { throw Self.missing("symbol") }
        guard let symbol = unsafe field.whole, Token.symbols.contains(symbol) else {
            throw .wrong(
                "symbol", "must be a whole number from 0 to \(Token.symbols.upperBound)")
        }
        return symbol
    }

    /// `kind` of a pointer; a finger's where it is absent.
    func pointerKind() throws(Rejection) -> PointerKind {
        let field = unsafe fields.pointee.kind
        if unsafe field.isAbsent { return .finger }
        guard unsafe field.isText, let kind = unsafe PointerKind(rawValue: field.string) else {
            throw .wrong("kind", "must be \(PointerKind.names)")
        }
        return kind
    }

    /// `pressure` of a pointer; nil if it is absent.
    func pressure() throws(Rejection) -> Double? {
        let field = unsafe fields.pointee.pressure
        if unsafe field.isAbsent { return nil }
        guard let pressure = unsafe field.double, (0...1).contains(pressure) else {
            throw .wrong("pressure", "must be a number from 0 to 1")
        }
        return pressure
    }

    /// `user` of a pointer or a token; nil if it is absent.
    func user(among users: inout UserNames) throws(Rejection) -> String? {
        let field = unsafe fields.pointee.user
        if unsafe field.isAbsent { return nil }
        guard unsafe field.isText && Topic.isName(field.bytes) else {
            throw .wrong("user", "must be \(Name.rule)")
        }
        return unsafe users.name(field.bytes)
    }

    /// The target of a tap or a swipe. A number wins over a point, and an index over a row.
    func target(allowsIndex: Bool) throws(Rejection) -> Target {
        if allowsIndex, let index = try unsafe whole(fields.pointee.index, "index") {
            return .index(index)
        }
        if let row = try unsafe whole(fields.pointee.row, "row") { return .row(row) }
        if unsafe fields.pointee.x.isAbsent && fields.pointee.y.isAbsent {
            let numbers = allowsIndex ? "key index or row" : "key row"
            throw Rejection(.missingField, "keys x and y, or \(numbers): are required")
        }
        return .point(try location())
    }

    /// `kind`; nil where it is absent.
    func kind() throws(Rejection) -> String? {
        let field = unsafe fields.pointee.kind
        if unsafe field.isAbsent { return nil }
        guard unsafe field.isText && Topic.isName(field.bytes) else {
            throw .wrong("kind", "must be \(Name.rule)")
        }
        return unsafe field.string
    }

    func countChange() throws(Rejection) -> CountChange {
        let add = unsafe fields.pointee.add
        let set = unsafe fields.pointee.set
        switch unsafe (add.isAbsent, set.isAbsent) {
        case (true, true): return .add(1)
        case (false, false): throw .wrong("set", "cannot stand beside add")
        case (false, true):
            guard let count = unsafe add.count else {
                throw .wrong("add", "must be a whole number from 0 up")
            }
            return .add(count)
        case (true, false):
            guard let count = unsafe set.count, count <= BadgeCounts.countMax else {
                throw .wrong("set", "must be a whole number from 0 to \(BadgeCounts.countMax)")
            }
            return .set(count)
        }
    }

    var hasData: Bool { unsafe !fields.pointee.data.isAbsent }

    func command() throws(Rejection) -> String {
        let field = unsafe fields.pointee.command
        if unsafe field.isAbsent { throw Self.missing("command") }
        guard unsafe field.isText else { throw .wrong("command", "must be a string") }
        return unsafe field.string
    }

    /// The scene's name, or nil if the scene is an object.
    func sceneName() throws(Rejection) -> String? {
        let field = unsafe fields.pointee.scene
        if unsafe field.isAbsent { throw Self.missing("scene") }
        if unsafe field.kind == UInt32(gs_object) { return nil }
        guard unsafe field.isText else {
            throw .wrong("scene", "must be a scene's name or a scene object")
        }
        return unsafe field.string
    }

    static func missing(_ name: StaticString) -> Rejection {
        .absent(name)
    }

    @inline(__always)
    private func coordinate(
        _ field: gs_field, _ name: StaticString
    ) throws(Rejection) -> Double {
        // A value that is no number is NaN here, which no range contains.
        let value = unsafe field.double ?? .nan
        if value.magnitude <= NumberRange.coordinateMax { return value }
        if unsafe field.isAbsent { throw Self.missing(name) }
        throw .wrong(name, "must be a finite number within ±1,000,000")
    }

    private func whole(_ field: gs_field, _ name: StaticString) throws(Rejection) -> Int? {
        if unsafe field.isAbsent { return nil }
        if let whole = unsafe field.whole { return whole }
        throw .wrong(name, "must be a whole number")
    }
}

extension gs_field {
    @inline(__always)
    fileprivate var isAbsent: Bool { unsafe kind == UInt32(gs_absent) }

    @inline(__always)
    fileprivate var isText: Bool { unsafe kind == UInt32(gs_string) }

    @inline(__always)
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        let start = unsafe UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self)
        return unsafe UnsafeBufferPointer(start: start, count: Int(length))
    }

    fileprivate var string: String { unsafe PeerText.text(bytes) }

    @inline(__always)
    fileprivate func isText(_ other: StaticString) -> Bool {
        let count = other.utf8CodeUnitCount
        guard unsafe Int(length) == count, let text = unsafe text else { return false }
        let (own, expected) = unsafe (UnsafeRawPointer(text), UnsafeRawPointer(other.utf8Start))
        if count >= 4 && count <= 8 {
            // Both loads together have all of it.
            let last = count &- 4
            let first =
                unsafe own.loadUnaligned(as: UInt32.self)
                ^ expected.loadUnaligned(as: UInt32.self)
            let rest =
                unsafe own.loadUnaligned(fromByteOffset: last, as: UInt32.self)
                ^ expected.loadUnaligned(fromByteOffset: last, as: UInt32.self)
            return first | rest == 0
        }
        for index in 0..<count {
            let byte = unsafe own.load(fromByteOffset: index, as: UInt8.self)
            guard unsafe byte == other.utf8Start[index] else { return false }
        }
        return true
    }

    @inline(__always)
    fileprivate var double: Double? {
        unsafe kind == UInt32(gs_integer) || kind == UInt32(gs_number) ? unsafe number : nil
    }

    fileprivate var whole: Int? {
        if unsafe kind == UInt32(gs_integer) { return unsafe Int(integer) }
        return unsafe kind == UInt32(gs_number) ? Int(exactly: number) : nil
    }

    /// A whole number ≥ 0; `Int.max` if it does not fit into `Int`.
    fileprivate var count: Int? {
        if let whole = unsafe whole { return whole >= 0 ? whole : nil }
        // No double this large has a fraction.
        return unsafe kind == UInt32(gs_number) && number >= 0x1p63 ? Int.max : nil
    }
}
