package import Geometry
package import Gestures
import Motion
package import Notation

/// `navigation`: screens that come and go over each other (Facebook, Google+).
///
/// A command starts one transition; commands that come meanwhile wait in a bounded queue and start
/// at its end. `ScreenChange` moves the screens of a transition, `Navigation+Pop` lets a finger
/// draw one off, `Navigation+Views` shows them. Safe to change: curves and times in
/// `NavigationParameters`. The names of transitions are on the wire.
package struct Navigation: Machine {
    package static let kind = "navigation"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Screens on the stack: deeper, nobody finds the way back.
    package static let stackMax = 256
    /// Commands that a scene may let wait for a transition: seconds of them.
    package static let queueMax = 1_024

    private enum Action: String, CaseIterable { case present, back }

    package struct Saved: SavedValue {
        /// The shown screen last.
        package var stack: [String]

        package init(stack: [String]) { self.stack = stack }

        package init(_ table: inout TableReader) throws(TableError) {
            try table.require("stack")
            stack = try table.strings("stack", default: [], countMax: .max, bytesMax: .max)
        }
    }

    /// A valid command. Whether it is possible is decided when its turn comes. The duration is the
    /// command's own, in seconds; nil: the scene's.
    enum Request: Hashable, Sendable, Codable {
        case present(String, Style, duration: Double?)
        /// By a transition of its own; nil: by that of the shown screen.
        case back(Departure?, duration: Double?)
    }

    enum State: Hashable, Sendable, Codable {
        /// The top of the stack alone. Can become: `transitioning`, `popping`.
        case resting
        /// Two screens, and the commands that wait. Can become: `transitioning`, `resting`.
        case transitioning(ScreenChange, waiting: [Request])
        /// A finger moves the shown screen off the one below. Can become: `transitioning`,
        /// `resting`.
        case popping(Pop, waiting: [Request])
    }

    var parameters: NavigationParameters
    var viewport: Size
    /// Measures the velocity of a publisher's own pan.
    let tracker: VelocityTracker.Kind
    var state = State.resting
    /// Never empty, and no screen twice; the last one is the shown screen.
    var stack: [String]
    /// Where the raw contact that is down landed.
    var landing: Vector?
    /// The step whose state is shown.
    var shownStep = Step.zero
    var cuts = ViewCuts()

    package init(
        _ parameters: NavigationParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        self.viewport = viewport
        self.tracker = tracker
        stack = [parameters.root]
    }

    // MARK: Events

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let request = try request(command)
        switch state {
        case .resting:
            guard let screenChange = try screenChange(of: request, at: now) else { break }
            begin(screenChange, waiting: [], into: &effects)
        case .transitioning(let screenChange, let waiting):
            state = .transitioning(
                screenChange, waiting: try waiting.joined(by: request, parameters))
        case .popping(let pop, let waiting):
            state = .popping(pop, waiting: try waiting.joined(by: request, parameters))
        }
    }

    package func repeats(_ command: ComponentCommand) -> Bool {
        guard case .present(let screen, _, _) = try? request(command) else { return false }
        // The last one that waits decides, whatever those before it come to.
        switch state {
        case .resting: return false
        case .transitioning(let screenChange, let waiting):
            return waiting.isEmpty ? screen == screenChange.to : waiting.endInPresenting(screen)
        case .popping(_, let waiting): return waiting.endInPresenting(screen)
        }
    }

    // MARK: Saving

    package var saved: Saved {
        // The waiting commands run, each when the transition before it ends.
        var settled = self
        var effects = Effects(random: SplitMix64(seed: 0))
        settled.letGo(at: shownStep, into: &effects)
        while let timer = settled.nextTimer { settled.fire(at: timer, into: &effects) }
        return Saved(stack: settled.stack)
    }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        guard Self.isSound(saved.stack) else { return }
        let known = saved.stack.filter(parameters.hasScreen)
        if !known.isEmpty { stack = known }
    }

    /// Whether a stack could have come about: some screens, each once.
    static func isSound(_ stack: [String]) -> Bool {
        // The newest screen may have come while the stack was full.
        !stack.isEmpty && stack.count <= stackMax + 1 && Set(stack).count == stack.count
            && stack.allSatisfy(Name.isValid)
    }

    // MARK: Time

    package var nextTimer: Step? {
        switch state {
        case .resting: nil
        case .transitioning(let screenChange, _): screenChange.until
        case .popping(let pop, _): pop.deadline
        }
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        switch state {
        case .resting: break
        case .transitioning(let screenChange, let waiting):
            guard screenChange.until <= now else { break }
            if screenChange.style.isArrival { raise(screenChange.to) }
            cuts.grow(screenChange.from)
            effects.transitions.append(transition(screenChange, .ended))
            effects.needsPublish = true
            state = .resting
            proceed(waiting, at: now, into: &effects)
        case .popping(let pop, let waiting):
            guard let deadline = pop.deadline, deadline <= now else { break }
            fire(pop, waiting: waiting, at: now, into: &effects)
        }
    }

    package var isMoving: Bool {
        switch state {
        case .resting: false
        case .transitioning: true
        case .popping(let pop, _): pop.isReleased
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        // Timers alone end what moves.
        effects.keepsSchedule = true
        return true
    }

    // MARK: Decisions

    /// Begins the first waiting command that is possible and drops those before it: nobody waits
    /// for their answers.
    mutating func proceed(
        _ waiting: [Request], at now: Step, into effects: inout Effects
    ) {
        for (index, request) in waiting.enumerated() {
            guard let screenChange = try? screenChange(of: request, at: now) else { continue }
            begin(screenChange, waiting: Array(waiting[(index + 1)...]), into: &effects)
            return
        }
    }

    private mutating func begin(
        _ change: ScreenChange, waiting: [Request], into effects: inout Effects
    ) {
        var screenChange = change
        if !screenChange.style.isArrival {
            screenChange.below = below
            raise(screenChange.to)
            // A way of no time is no motion.
            let motion = screenChange.motion
            if motion.value(at: motion.begin) != motion.from { cuts.grow(screenChange.from) }
        }
        state = .transitioning(screenChange, waiting: waiting)
        shownStep = screenChange.motion.begin
        effects.transitions.append(transition(screenChange, .began))
        effects.needsPublish = true
    }

    /// Nil: the screen is the shown one.
    private func screenChange(of request: Request, at now: Step) throws(Rejection) -> ScreenChange?
    {
        switch request {
        case .back(let departure, let duration):
            guard let below else { throw noScreenBelow }
            let style = (departure ?? parameters.back(from: shown)).style
            return screenChange(style, to: below, duration, at: now)
        case .present(let screen, let style, let duration):
            // The scene may have lost it while the command waited.
            guard parameters.hasScreen(screen) else {
                throw Rejection(.badValue, "there is no screen \(screen) any more")
            }
            if screen == shown { return nil }
            guard stack.count < Self.stackMax || stack.contains(screen) else {
                throw Rejection(.badValue, "the stack holds \(Self.stackMax) screens already")
            }
            return screenChange(style, to: screen, duration, at: now)
        }
    }

    private func screenChange(
        _ style: Style, to screen: String, _ duration: Double?, at now: Step
    ) -> ScreenChange {
        ScreenChange(style, from: shown, to: screen, duration, parameters, viewport, at: now)
    }

    /// Pushes a screen, or pops to it where the stack holds it.
    mutating func raise(_ screen: String) {
        if let index = stack.firstIndex(of: screen) {
            stack.removeSubrange((index + 1)...)
        } else {
            stack.append(screen)
        }
    }

    var shown: String {
        guard let screen = stack.last else { preconditionFailure("the stack is empty") }
        return screen
    }

    /// The screen below the shown one; nil at the root.
    var below: String? { stack.count > 1 ? stack[stack.count - 2] : nil }

    var noScreenBelow: Rejection {
        Rejection(.badValue, "there is no screen below \(shown)")
    }

    func transition(_ screenChange: ScreenChange, _ event: Transition.Event) -> Transition {
        Transition(
            screenChange.style.rawValue, event, from: .screen(screenChange.from),
            to: .screen(screenChange.to),
            duration: screenChange.duration ?? screenChange.motion.duration,
            curve: screenChange.motion.curve)
    }
}

extension [Navigation.Request] {
    /// Whether the last one presents a screen.
    fileprivate func endInPresenting(_ screen: String) -> Bool {
        guard case .present(let last, _, _) = last else { return false }
        return last == screen
    }

    /// With one more, if it may wait.
    fileprivate func joined(
        by request: Navigation.Request, _ parameters: NavigationParameters
    ) throws(Rejection) -> [Navigation.Request] {
        guard count < parameters.queue else {
            throw Rejection(.busy, "\(count) commands wait for a transition already")
        }
        return self + [request]
    }
}

// MARK: - Coding

extension Navigation {
    package init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        parameters = try table.decode(NavigationParameters.self, forKey: .parameters)
        viewport = try table.decode(Size.self, forKey: .viewport)
        // A navigation that was encoded before it took pans has none.
        tracker = try table.decodeIfPresent(VelocityTracker.Kind.self, forKey: .tracker) ?? .uikit
        state = try table.decode(State.self, forKey: .state)
        stack = try table.decode([String].self, forKey: .stack)
        landing = try table.decodeIfPresent(Vector.self, forKey: .landing)
        shownStep = try table.decode(Step.self, forKey: .shownStep)
        cuts = try table.decode(ViewCuts.self, forKey: .cuts)
    }
}

// MARK: - Arguments

extension Navigation {
    private func request(_ command: ComponentCommand) throws(Rejection) -> Request {
        switch try Self.action(Action.self, of: command) {
        case .back:
            return try command.read { (table) throws(TableError) in
                let departure =
                    table.node("transition") == nil
                    ? nil : try table.choice("transition", default: Departure.viaScale)
                return .back(departure, duration: try table.number("duration", in: .duration))
            }
        case .present:
            return try command.read { (table) throws(TableError) in
                try table.require("screen")
                try table.require("transition")
                let screen = try table.name("screen") ?? ""
                guard parameters.hasScreen(screen) else {
                    throw table.error(
                        "screen", unknown: "screen", screen, among: parameters.screenNames)
                }
                let style = try table.choice("transition", default: Style.inViaScale)
                let duration = try table.number("duration", in: .duration)
                return .present(screen, style, duration: duration)
            }
        }
    }
}
