package import Geometry

/// The phases of a continuous gesture.
///
/// This module turns raw contacts into gestures. This file names the gestures, which sources may
/// also send already recognized. `Recognizers` has one state machine per gesture, `Arena` lets them
/// compete for the contacts of one component, `Velocity` measures releases. Names and coding keys
/// are on the wire and in documents; thresholds are UIKit's.
package enum Phase: String, Hashable, Sendable, CaseIterable, Codable {
    case began, changed, ended, cancelled
}

/// The kinds of gestures, named as on the wire.
package enum GestureKind: String, Hashable, Sendable, CaseIterable, Codable {
    case pan, swipe, tap, scroll, wheel, pointer, longpress, pinch, rotation, token
}

/// One sample of a pan.
package struct Pan: Hashable, Sendable {
    package var phase: Phase
    /// In points in the viewport.
    package var location: Vector
    /// In points per second, if the source measured it.
    package var velocity: Vector?
    /// Whether it began as soon as its contact landed, on something in motion.
    package var isCatch = false
    /// Points within which a resting finger trembles.
    package var tremble = VelocityTracker.tremblePoints

    package init(phase: Phase, location: Vector, velocity: Vector? = nil) {
        self.phase = phase
        self.location = location
        self.velocity = velocity
    }
}

/// A vertical content offset that the client's own scroll view shows.
package struct Scroll: Hashable, Sendable {
    package var phase: Phase
    /// In points; negative if pulled down beyond the top.
    package var offset: Double
    /// Points within which a resting finger trembles.
    package var tremble = VelocityTracker.tremblePoints

    package init(phase: Phase, offset: Double) {
        self.phase = phase
        self.offset = offset
    }
}

/// One turn of a wheel, or what fingers on a pad do instead.
package struct Wheel: Hashable, Sendable {
    /// Steps without an event after which a series without phases is over: 150 ms.
    package static let pauseSteps = 18

    /// In points; positive moves the content to the left and up.
    package var delta: Vector
    /// In points, if the source gives it.
    package var location: Vector?
    /// Nil: the source does not say when a series begins and ends.
    package var phase: Phase?
    /// Whether the source goes on by itself, after the fingers have left.
    package var isMomentum: Bool

    package init(
        delta: Vector, location: Vector? = nil, phase: Phase? = nil, isMomentum: Bool = false
    ) {
        self.delta = delta
        self.location = location
        self.phase = phase
        self.isMomentum = isMomentum
    }
}

/// The aim of a tap or a swipe: a place, or a thing by its number.
package enum Target: Hashable, Sendable {
    case point(Vector)
    case index(Int)
    case row(Int)
}

extension Target {
    fileprivate var point: Vector? {
        if case .point(let point) = self { return point }
        return nil
    }

    fileprivate func placed(by change: Similarity) -> Target {
        point.map { .point(change.apply($0)) } ?? self
    }
}

/// The directions of a swipe.
package enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
    case left, right, up, down
}

/// A quick stroke.
package struct Swipe: Hashable, Sendable {
    package var direction: Direction
    package var target: Target

    package init(direction: Direction, target: Target) {
        self.direction = direction
        self.target = target
    }
}

/// A contact's number, which its publisher chose: any whole number of 64 bits. `Int` is for counts,
/// which a state does not hold beyond 2⁵³.
package typealias PointerNumber = Int64

/// The thing that touches, as its source says.
package enum PointerKind: String, Hashable, Sendable, CaseIterable {
    case finger, pen, mouse
    /// A hand that rests: no contact.
    case palm

    /// As messages list them.
    package static let names = "finger, pen, mouse or palm"
}

/// One sample of a raw contact.
package struct Pointer: Hashable, Sendable {
    package var phase: Phase
    package var pointer: PointerNumber
    package var location: Vector
    /// The thing that touches.
    package var kind: PointerKind
    /// How hard it presses, as a part of the most that its device knows: 0 … 1; nil: the source
    /// does not say.
    package var pressure: Double?
    /// The name of the person whose contact it is, as `Name` rules; nil: the source does not say.
    package var user: String?

    package init(
        phase: Phase, pointer: PointerNumber, location: Vector, kind: PointerKind = .finger,
        pressure: Double? = nil, user: String? = nil
    ) {
        self.phase = kind == .palm ? .cancelled : phase
        self.pointer = pointer
        self.location = location
        self.kind = kind
        self.pressure = pressure
        self.user = user
    }

    /// Whether it is no contact: a palm never lands, and one that a contact has become cancels it.
    package var isPalm: Bool { kind == .palm }
}

/// One sample of a long press.
package struct LongPress: Hashable, Sendable {
    package var phase: Phase
    /// In points, if the source gives it.
    package var location: Vector?
    /// Whether it was recognized in a raw contact, of whose end the component hears apart.
    package var isOfContact = false

    package init(phase: Phase, location: Vector?, isOfContact: Bool = false) {
        self.phase = phase
        self.location = location
        self.isOfContact = isOfContact
    }
}

/// One sample of two fingers that spread or close.
package struct Pinch: Hashable, Sendable {
    package var phase: Phase
    /// The middle of the fingers, if the source gives it.
    package var location: Vector?
    /// The fingers' distance relative to the beginning; above 0.
    package var scale: Double
    /// The scale's change per second.
    package var velocity: Double?

    package init(phase: Phase, location: Vector?, scale: Double, velocity: Double? = nil) {
        self.phase = phase
        self.location = location
        self.scale = scale
        self.velocity = velocity
    }
}

/// One sample of two fingers that rotate around each other.
package struct Rotation: Hashable, Sendable {
    package var phase: Phase
    /// The middle of the fingers, if the source gives it.
    package var location: Vector?
    /// Radians since the beginning, clockwise on screen.
    package var angle: Double
    /// Radians per second.
    package var velocity: Double?

    package init(phase: Phase, location: Vector?, angle: Double, velocity: Double? = nil) {
        self.phase = phase
        self.location = location
        self.angle = angle
        self.velocity = velocity
    }
}

/// One sample of a marked object that lies on a table.
package struct Token: Hashable, Sendable {
    /// The numbers of marks: whole ones of 31 bits.
    package static let symbols = 0...Int(Int32.max)

    package var phase: Phase
    /// The number of its mark, which tells it apart from others.
    package var symbol: Int
    package var location: Vector
    /// Radians from where its mark stands upright, clockwise on screen.
    package var angle: Double
    /// The name of the person whose object it is, as `Name` rules; nil: the source does not say.
    package var user: String?

    package init(
        phase: Phase, symbol: Int, location: Vector, angle: Double, user: String? = nil
    ) {
        self.phase = phase
        self.symbol = symbol
        self.location = location
        self.angle = angle
        self.user = user
    }
}

/// A sample of any gesture, as it arrives.
package enum Gesture: Hashable, Sendable {
    case pan(Pan)
    case swipe(Swipe)
    case tap(Target)
    case scroll(Scroll)
    case wheel(Wheel)
    case pointer(Pointer)
    case longpress(LongPress)
    case pinch(Pinch)
    case rotation(Rotation)
    case token(Token)

    package var kind: GestureKind {
        switch self {
        case .pan: .pan
        case .swipe: .swipe
        case .tap: .tap
        case .scroll: .scroll
        case .wheel: .wheel
        case .pointer: .pointer
        case .longpress: .longpress
        case .pinch: .pinch
        case .rotation: .rotation
        case .token: .token
        }
    }

    /// The number of a raw contact; nil for other gestures.
    package var pointer: PointerNumber? {
        if case .pointer(let pointer) = self { return pointer.pointer }
        return nil
    }

    /// The number that tells it apart from others of its kind which are open too: that of a raw
    /// contact, or a token's symbol. Nil: one of its kind is open at a time.
    package var number: PointerNumber? {
        switch self {
        case .pointer(let pointer): pointer.pointer
        case .token(let token): PointerNumber(token.symbol)
        case .pan, .swipe, .tap, .scroll, .wheel, .longpress, .pinch, .rotation: nil
        }
    }

    /// Where it is; nil: the source does not say, or names a row or an index.
    package var point: Vector? {
        switch self {
        case .pan(let pan): pan.location
        case .swipe(let swipe): swipe.target.point
        case .tap(let target): target.point
        case .scroll: nil
        case .wheel(let wheel): wheel.location
        case .pointer(let pointer): pointer.location
        case .longpress(let press): press.location
        case .pinch(let pinch): pinch.location
        case .rotation(let rotation): rotation.location
        case .token(let token): token.location
        }
    }

    /// The same in other coordinates. Pinch, rotation and scroll keep their measure.
    package func placed(by change: Similarity) -> Gesture {
        switch self {
        case .pan(var pan):
            pan.location = change.apply(pan.location)
            pan.velocity = pan.velocity.map(change.turn)
            return .pan(pan)
        case .swipe(var swipe):
            swipe.target = swipe.target.placed(by: change)
            return .swipe(swipe)
        case .tap(let target): return .tap(target.placed(by: change))
        case .scroll: return self
        case .wheel(var wheel):
            wheel.delta = change.turn(wheel.delta)
            wheel.location = wheel.location.map(change.apply)
            return .wheel(wheel)
        case .pointer(var pointer):
            pointer.location = change.apply(pointer.location)
            return .pointer(pointer)
        case .longpress(var press):
            press.location = press.location.map(change.apply)
            return .longpress(press)
        case .pinch(var pinch):
            pinch.location = pinch.location.map(change.apply)
            return .pinch(pinch)
        case .rotation(var rotation):
            rotation.location = rotation.location.map(change.apply)
            return .rotation(rotation)
        case .token(var token):
            token.location = change.apply(token.location)
            token.angle += change.rotation
            return .token(token)
        }
    }

    /// The same as a cancellation; nil: it is a single event.
    package var cancelled: Gesture? {
        switch self {
        case .pan(var pan):
            pan.phase = .cancelled
            return .pan(pan)
        case .swipe, .tap: return nil
        case .scroll(var scroll):
            scroll.phase = .cancelled
            return .scroll(scroll)
        case .wheel(var wheel):
            guard wheel.phase != nil else { return nil }
            wheel.phase = .cancelled
            // An end moves by its way, which is here that of the gesture that begins.
            wheel.delta = .zero
            return .wheel(wheel)
        case .pointer(var pointer):
            pointer.phase = .cancelled
            return .pointer(pointer)
        case .longpress(var press):
            press.phase = .cancelled
            return .longpress(press)
        case .pinch(var pinch):
            pinch.phase = .cancelled
            return .pinch(pinch)
        case .rotation(var rotation):
            rotation.phase = .cancelled
            return .rotation(rotation)
        case .token(var token):
            token.phase = .cancelled
            return .token(token)
        }
    }

    /// Nil for taps, swipes and wheels without phases, which are a single event.
    package var phase: Phase? {
        switch self {
        case .pan(let pan): pan.phase
        case .swipe, .tap: nil
        case .scroll(let scroll): scroll.phase
        case .wheel(let wheel): wheel.phase
        case .pointer(let pointer): pointer.phase
        case .longpress(let press): press.phase
        case .pinch(let pinch): pinch.phase
        case .rotation(let rotation): rotation.phase
        case .token(let token): token.phase
        }
    }
}
