package import Geometry
package import Gestures
import Motion
import Notation

/// `navigation`: screens that come and go over each other (Facebook, Google+).
///
/// A command starts one transition; commands that come meanwhile wait in a bounded queue and start
/// at its end. The stack changes when a transition starts, the views while it runs. Safe to change:
/// curves and times in `NavigationParameters`. The names of transitions are on the wire.
package struct Navigation: Machine {
    package static let kind = "navigation"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Screens on the stack: deeper, nobody finds the way back.
    package static let stackMax = 256
    /// Commands that a scene may let wait for a transition: seconds of them.
    package static let queueMax = 1_024

    private enum Action: String, CaseIterable { case present, back }

    package struct Saved: Codable, Hashable, Sendable {
        /// The shown screen last.
        package var stack: [String]

        package init(stack: [String]) { self.stack = stack }
    }

    /// How one screen replaces another. Raw values are the wire's.
    enum Style: String, Hashable, Sendable, CaseIterable, Codable {
        case inViaScale = "in-via-scale"
        case outViaScale = "out-via-scale"
        case inFromBottom = "in-from-bottom"
        case outToBottom = "out-to-bottom"

        /// Whether the new screen moves over the old one, and not the old one over the new.
        var isArrival: Bool {
            switch self {
            case .inViaScale, .inFromBottom: true
            case .outViaScale, .outToBottom: false
            }
        }

        var curve: TimingCurve {
            switch self {
            case .inViaScale: .easeOut
            case .outViaScale: .easeIn
            case .inFromBottom, .outToBottom: .easeInOut
            }
        }
    }

    var isTransitioning: Bool {
        if case .transitioning = state { return true }
        return false
    }

    /// A valid command. Whether it is possible is decided when its turn comes.
    private enum Request: Hashable, Sendable, Codable {
        case present(String, Style)
        case back
    }

    /// One screen comes in or another goes out.
    private struct Passage: Hashable, Sendable, Codable {
        var style: Style
        var from: String
        var to: String
        /// The moving screen's scale, or its distance below its place in points.
        var motion: Animation
        var until: Step
    }

    private enum State: Hashable, Sendable, Codable {
        /// The top of the stack alone. Can become: `transitioning`.
        case resting
        /// Two screens, and the commands that wait. Can become: `transitioning`, `resting`.
        case transitioning(Passage, waiting: [Request])
    }

    private let parameters: NavigationParameters
    private let viewport: Size
    private var state = State.resting
    /// Never empty, and no screen twice; the last one is the shown screen.
    private var stack: [String]
    /// The step whose state is shown.
    private var shownStep = Step.zero
    private var cuts = ViewCuts()

    package init(
        _ parameters: NavigationParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        self.viewport = viewport
        stack = [parameters.root]
    }

    // MARK: Events

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let request = try Self.request(command)
        switch state {
        case .resting:
            guard let passage = try passage(of: request, at: now) else { break }
            begin(passage, waiting: [], into: &effects)
        case .transitioning(let passage, let waiting):
            guard waiting.count < parameters.queue else {
                throw Rejection(.busy, "\(waiting.count) commands wait for a transition already")
            }
            state = .transitioning(passage, waiting: waiting + [request])
        }
    }

    // MARK: Saving

    package var saved: Saved {
        // The waiting commands run, each when the transition before it ends.
        var settled = self
        var effects = Effects(random: SplitMix64(seed: 0))
        while let timer = settled.nextTimer { settled.fire(at: timer, into: &effects) }
        return Saved(stack: settled.stack)
    }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        if Self.isSound(saved.stack) { stack = saved.stack }
    }

    /// Whether a stack could have come about: some screens, each once.
    private static func isSound(_ stack: [String]) -> Bool {
        // The newest screen may have come while the stack was full.
        !stack.isEmpty && stack.count <= stackMax + 1 && Set(stack).count == stack.count
            && stack.allSatisfy(Name.isValid)
    }

    // MARK: Time

    package var nextTimer: Step? {
        switch state {
        case .resting: nil
        case .transitioning(let passage, _): passage.until
        }
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        switch state {
        case .resting: break
        case .transitioning(let passage, let waiting):
            guard passage.until <= now else { break }
            if passage.style.isArrival { raise(passage.to) }
            cuts.grow(passage.from)
            effects.transitions.append(transition(passage, .ended))
            effects.needsPublish = true
            state = .resting
            proceed(waiting, at: now, into: &effects)
        }
    }

    package var isMoving: Bool {
        switch state {
        case .resting: false
        case .transitioning: true
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        return true
    }

    // MARK: Decisions

    /// Begins the first waiting command that is possible and drops those before it: nobody waits
    /// for their answers.
    private mutating func proceed(
        _ waiting: [Request], at now: Step, into effects: inout Effects
    ) {
        for (index, request) in waiting.enumerated() {
            guard let passage = try? passage(of: request, at: now) else { continue }
            begin(passage, waiting: Array(waiting[(index + 1)...]), into: &effects)
            return
        }
    }

    private mutating func begin(
        _ passage: Passage, waiting: [Request], into effects: inout Effects
    ) {
        if !passage.style.isArrival {
            raise(passage.to)
            // A way of no time is no motion.
            let motion = passage.motion
            if motion.value(at: motion.begin) != motion.from { cuts.grow(passage.from) }
        }
        state = .transitioning(passage, waiting: waiting)
        shownStep = passage.motion.begin
        effects.transitions.append(transition(passage, .began))
        effects.needsPublish = true
    }

    /// Nil: the screen is the shown one.
    private func passage(of request: Request, at now: Step) throws(Rejection) -> Passage? {
        switch request {
        case .back:
            guard stack.count > 1 else {
                throw Rejection(.badValue, "there is no screen below \(shown)")
            }
            return passage(.outViaScale, to: stack[stack.count - 2], at: now)
        case .present(let screen, let style):
            if screen == shown { return nil }
            guard stack.count < Self.stackMax || stack.contains(screen) else {
                throw Rejection(.badValue, "the stack holds \(Self.stackMax) screens already")
            }
            return passage(style, to: screen, at: now)
        }
    }

    private func passage(_ style: Style, to screen: String, at now: Step) -> Passage {
        let height = viewport.height
        let motion =
            switch style {
            case .inViaScale:
                way(parameters.scaleInFrom, 1, style, at: now)
            case .outViaScale:
                way(1, parameters.scaleOutTo, style, delay: parameters.startDelay, at: now)
            case .inFromBottom: way(height, 0, style, at: now)
            case .outToBottom: way(0, height, style, at: now)
            }
        return Passage(
            style: style, from: shown, to: screen, motion: motion,
            until: now.after(seconds: duration(of: style)))
    }

    private func way(
        _ from: Double, _ to: Double, _ style: Style, delay: Double = 0, at now: Step
    ) -> Animation {
        Animation(
            from: from, to: to, begin: now, delay: delay, duration: parameters.duration,
            curve: style.curve)
    }

    /// Pushes a screen, or pops to it where the stack holds it.
    private mutating func raise(_ screen: String) {
        if let index = stack.firstIndex(of: screen) {
            stack.removeSubrange((index + 1)...)
        } else {
            stack.append(screen)
        }
    }

    private var shown: String {
        guard let screen = stack.last else { preconditionFailure("the stack is empty") }
        return screen
    }

    /// In seconds. A leaving screen is removed shortly before its motion ends.
    private func duration(of style: Style) -> Double {
        style.isArrival ? parameters.duration : parameters.duration - parameters.removalLead
    }

    private func transition(_ passage: Passage, _ event: Transition.Event) -> Transition {
        Transition(
            passage.style.rawValue, event, from: .screen(passage.from),
            to: .screen(passage.to), duration: duration(of: passage.style),
            curve: passage.style.curve)
    }
}

// MARK: - Arguments

extension Navigation {
    private static func request(_ command: ComponentCommand) throws(Rejection) -> Request {
        switch try command.action(Action.self) {
        case .back: return .back
        case .present:
            return try command.read { (table) throws(TableError) in
                try table.require("screen")
                try table.require("transition")
                let screen = try table.name("screen") ?? ""
                return .present(
                    screen, try table.choice("transition", default: Style.inViaScale))
            }
        }
    }
}

// MARK: - What is shown

extension Navigation {
    package var phase: String {
        switch state {
        case .resting: "resting"
        case .transitioning: "transitioning"
        }
    }

    package func model(into sink: inout some StateSink) {
        sink.field("stack", stack)
        // Screens show no titles in the bar.
        sink.null("title")
        sink.field("back_title", stack.count > 1 ? "Back" : nil)
    }

    package func views(into sink: inout some StateSink) {
        switch state {
        case .resting: sink.view(shown, screen(shown, z: 0))
        case .transitioning(let passage, _):
            let isArrival = passage.style.isArrival
            let (upper, lower) =
                isArrival ? (passage.to, passage.from) : (passage.from, passage.to)
            var over = screen(upper, z: 1)
            let progress = passage.motion.value(at: shownStep)
            switch passage.style {
            case .inViaScale, .outViaScale: over.scale = progress
            case .inFromBottom, .outToBottom: over.center.y += progress
            }
            sink.view(lower, screen(lower, z: 0))
            sink.view(upper, over)
        }
    }

    /// A screen that fills the viewport.
    private func screen(_ name: String, z: Int) -> ViewState {
        ViewState(
            center: Vector(viewport.width / 2, viewport.height / 2), size: viewport, z: z,
            cut: cuts[name])
    }
}

extension Navigation {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard viewport == self.viewport, Self.isSound(stack) else { return false }
        switch state {
        case .resting: return true
        case .transitioning(let passage, let waiting):
            return passage.motion.isSound && Name.isValid(passage.from)
                && Name.isValid(passage.to) && waiting.count <= parameters.queue
                && waiting.allSatisfy { request in
                    switch request {
                    case .back: true
                    case .present(let screen, _): Name.isValid(screen)
                    }
                }
        }
    }
}
