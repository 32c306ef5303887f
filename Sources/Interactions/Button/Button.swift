package import Geometry
package import Gestures
package import Notation

/// `button`: a box that is tapped, as UIControl is.
///
/// A contact that lands on it presses it, and taps it by lifting near it. A long press, or a tap of
/// the held button that repeats, takes the place of that tap. `Press` is what a contact does to it.
/// Safe to change: the figures in `ButtonParameters` and here.
package struct Button: Machine {
    package static let kind = "button"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Points around the button within which a contact still presses it, as UIControl has them.
    static let nearPoints = 70.0
    /// The shortest time between two taps of a held button.
    static let repeatSecondsMin = 0.05

    private enum Action: String, CaseIterable { case tap, enable, disable, turn }

    package struct Saved: SavedValue {
        package var isOn: Bool
        package var isEnabled: Bool

        private enum CodingKeys: String, CodingKey {
            case isOn = "on"
            case isEnabled = "enabled"
        }

        package init(isOn: Bool, isEnabled: Bool) {
            self.isOn = isOn
            self.isEnabled = isEnabled
        }

        package init(_ table: inout TableReader) throws(TableError) {
            for key in ["on", "enabled"] { try table.require(key) }
            isOn = try table.bool("on", default: false)
            isEnabled = try table.bool("enabled", default: true)
        }
    }

    /// A contact that presses the button.
    struct Press: Hashable, Sendable, Codable {
        /// Whether it is on the button, or near it.
        var isNear = true
        /// Whether a long press or a repeated tap has come already: lifting taps no more.
        var isSpent = false
        /// When the held button taps next; nil: it does not repeat.
        var nextTap: Step?
    }

    enum State: Hashable, Sendable, Codable {
        /// Nothing presses it. Can become: all others.
        case resting
        /// Can become: `resting`, `held`, `disabled`.
        case pressed(Press)
        /// A publisher's own long press lasts. Can become: `resting`, `pressed`, `disabled`.
        case held(isNear: Bool, lastSample: Step)
        /// It was enabled while a contact was down, which presses nothing. Can become: `resting`,
        /// `pressed`, `held`, `disabled`.
        case ignoring
        /// Can become: `resting`, `ignoring`.
        case disabled(isTouched: Bool)
    }

    var parameters: ButtonParameters
    var size: Size
    var state: State
    var isOn: Bool
    var cuts = ViewCuts()

    package init(
        _ parameters: ButtonParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        size = viewport
        isOn = parameters.isOn
        state = parameters.isEnabled ? .resting : .disabled(isTouched: false)
    }

    // MARK: Contacts

    package var recognizers: Recognizers {
        parameters.repeatSeconds > 0 ? .press : [.press, .longpress]
    }

    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        let former = isHighlighted
        switch (touch, state) {
        case (.down, .disabled): state = .disabled(isTouched: true)
        case (.down, _): state = .pressed(Press(nextTap: nextTap(after: now)))
        case (.moved(let point), .pressed(var press)):
            press.isNear = isNear(point)
            state = .pressed(press)
        case (.up, .pressed), (.up, .ignoring): state = .resting
        case (.up, .disabled): state = .disabled(isTouched: false)
        case (.moved, _), (.up, _): break
        }
        if isHighlighted != former { effects.needsPublish = true }
    }

    /// A contact lifted, or a publisher's own tap came.
    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let point = try target.tappedPoint
        switch state {
        case .pressed(let press): if isNear(point), !press.isSpent { tap(into: &effects) }
        case .ignoring, .disabled(isTouched: true): break
        case .disabled(isTouched: false): throw Self.isDisabled
        case .resting, .held:
            guard isNear(point) else {
                throw Rejection(
                    .badValue, "the button is not at (\(point.x), \(point.y)), nor near it")
            }
            tap(into: &effects)
        }
    }

    package mutating func longpress(
        _ press: LongPress, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        guard !press.isOfContact else {
            guard press.phase == .began, case .pressed(var contact) = state, contact.isNear else {
                return
            }
            contact.isSpent = true
            state = .pressed(contact)
            return tellLongPress(into: &effects)
        }
        let former = isHighlighted
        switch (press.phase, state) {
        case (.began, .disabled): throw Self.isDisabled
        case (.began, _):
            state = .held(isNear: true, lastSample: now)
            tellLongPress(into: &effects)
        case (.changed, .held(let wasNear, _)):
            state = .held(isNear: press.location.map(isNear) ?? wasNear, lastSample: now)
        case (.ended, .held), (.cancelled, .held): state = .resting
        case (.changed, _), (.ended, _), (.cancelled, _):
            throw Rejection(.outOfOrder, "\(press.phase.rawValue), but no long press is open")
        }
        if isHighlighted != former { effects.needsPublish = true }
    }

    // MARK: Commands

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch try Self.action(Action.self, of: command) {
        case .tap:
            if case .disabled = state { throw Self.isDisabled }
            tap(into: &effects)
        case .enable: enable(true, into: &effects)
        case .disable: enable(false, into: &effects)
        case .turn:
            let isOn = try command.read { (table) throws(TableError) in
                try table.require("on")
                return try table.bool("on", default: false)
            }
            turn(isOn, into: &effects)
        }
    }

    private static let isDisabled = Rejection(.busy, "the button is disabled")

    // MARK: Time

    package var nextTimer: Step? {
        switch state {
        case .pressed(let press): press.nextTap
        case .held(_, let lastSample): lastSample + Silence.stepsMax
        case .resting, .ignoring, .disabled: nil
        }
    }

    /// A pressed button taps again, unless the contact is away from it. A long press whose
    /// publisher has fallen silent ends.
    package mutating func fire(at now: Step, into effects: inout Effects) {
        switch state {
        case .pressed(var press):
            guard let due = press.nextTap, due <= now else { return }
            press.nextTap = nextTap(after: due)
            if press.isNear { press.isSpent = true }
            state = .pressed(press)
            if press.isNear { tap(into: &effects) }
        case .held(_, let lastSample):
            if lastSample + Silence.stepsMax <= now { state = .resting }
        case .resting, .ignoring, .disabled: break
        }
    }

    func nextTap(after step: Step) -> Step? {
        guard parameters.repeatSeconds > 0 else { return nil }
        return step.after(seconds: max(parameters.repeatSeconds, Self.repeatSecondsMin))
    }

    // MARK: Saving

    package var saved: Saved {
        var isEnabled = true
        if case .disabled = state { isEnabled = false }
        return Saved(isOn: isOn, isEnabled: isEnabled)
    }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        isOn = saved.isOn
        state = saved.isEnabled ? .resting : .disabled(isTouched: false)
    }

    // MARK: Decisions

    private func isNear(_ point: Vector) -> Bool {
        func isWithin(_ place: Double, _ length: Double) -> Bool {
            place >= -Self.nearPoints && place <= length + Self.nearPoints
        }
        return isWithin(point.x, size.width) && isWithin(point.y, size.height)
    }

    private mutating func tap(into effects: inout Effects) {
        if parameters.isToggle { isOn.toggle() }
        effects.tellAtOnce(Transition("tap", .began, isOn: isOn))
        effects.needsPublish = true
    }

    private func tellLongPress(into effects: inout Effects) {
        effects.tellAtOnce(Transition("long-press", .began, isOn: isOn))
    }

    mutating func turn(_ isOn: Bool, into effects: inout Effects) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        effects.needsPublish = true
    }

    /// A contact that is down presses a button no more that was disabled, also once it is enabled.
    mutating func enable(_ isEnabled: Bool, into effects: inout Effects) {
        switch (isEnabled, state) {
        case (true, .disabled(let isTouched)): state = isTouched ? .ignoring : .resting
        case (false, .pressed), (false, .ignoring): state = .disabled(isTouched: true)
        case (false, .resting), (false, .held): state = .disabled(isTouched: false)
        case (true, _), (false, .disabled): return
        }
        effects.needsPublish = true
    }
}
