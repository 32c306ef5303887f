package import Geometry
package import Gestures
import Motion
import Notation

/// `navigation`: screens that come and go over each other (Facebook, Google+).
package struct Navigation: Machine {
    /// Screens on the stack: deeper, nobody finds the way back.
    package static let stackMax = 256

    /// How one screen takes another's place, named as on the wire.
    private enum Style: String, Hashable, Sendable, CaseIterable, Codable {
        case inViaScale = "in-via-scale"
        case outViaScale = "out-via-scale"
        case inFromBottom = "in-from-bottom"
        case outToBottom = "out-to-bottom"

        /// Whether the new screen moves, over the old one; else the old one, over the new.
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

    /// A command that is well-formed; whether it is possible is judged when its turn comes.
    private enum Request: Hashable, Sendable, Codable {
        case present(String, Style)
        case back
    }

    /// One screen on its way in, or another on its way out.
    private struct Passage: Hashable, Sendable, Codable {
        var style: Style
        var from: String
        var to: String
        /// Of the screen on top: its scale, or how far it is below its place in points.
        var motion: Animation
        var until: Step
    }

    private enum State: Hashable, Sendable, Codable {
        /// The top of the stack alone. Can become: `transitioning`.
        case resting
        /// Two screens, and what waits for the end. Can become: `transitioning`, `resting`.
        case transitioning(Passage, waiting: [Request])
    }

    private let parameters: NavigationParameters
    private let viewport: Size
    private var state = State.resting
    /// Never empty, and no screen twice; the last one is the shown screen.
    private var stack: [String]
    /// The step whose state is told.
    private var shownStep = Step.zero

    package init(_ parameters: NavigationParameters, viewport: Size) {
        self.parameters = parameters
        self.viewport = viewport
        stack = [parameters.root]
    }

    // MARK: Events

    package mutating func command(_ command: Command, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
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

    // MARK: A later life

    package var durable: SavedState {
        // What waits is carried out, each when the one before it has ended.
        var settled = self
        var effects = Effects(random: SplitMix64(seed: 0))
        while let timer = settled.nextTimer { settled.fire(at: timer, into: &effects) }
        return .navigation(stack: settled.stack)
    }

    package mutating func restore(
        _ durable: SavedState, counts: BadgeCounts, into effects: inout Effects
    ) {
        guard case .navigation(let stack) = durable else { Self.mismatch(durable) }
        if !stack.isEmpty { self.stack = stack }
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

    /// Takes up the first that is possible; those before it are dropped, for nobody waits for an
    /// answer any more.
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
        if !passage.style.isArrival { raise(passage.to) }
        state = .transitioning(passage, waiting: waiting)
        shownStep = passage.motion.begin
        effects.transitions.append(transition(passage, .began))
        effects.needsPublish = true
    }

    /// Nil: the screen is shown already.
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

    /// Puts a screen on the stack; what is above one that it holds already is popped.
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

    /// Seconds; a screen on its way out goes shortly before its motion ends.
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
    private static func request(_ command: Command) throws(Rejection) -> Request {
        switch command.name {
        case "back": return .back
        case "present":
            guard let screen = command.screen else {
                throw Rejection(.missingField, "present needs screen")
            }
            guard let name = command.transition else {
                throw Rejection(.missingField, "present needs transition")
            }
            guard Name.isValid(screen) else {
                throw Rejection(.badValue, "screen must be \(Name.rule)")
            }
            guard let style = Style(rawValue: name) else {
                let names = Style.allCases.map(\.rawValue).joined(separator: ", ")
                throw Rejection(.badValue, "transition must be one of \(names)")
            }
            return .present(screen, style)
        default: throw .unknown(command)
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
        // Titles are hidden; the screen's own head says what it is.
        sink.null("title")
        sink.field("back_title", stack.count > 1 ? "Back" : nil)
    }

    package func views(into sink: inout some StateSink) {
        switch state {
        case .resting: sink.view(shown, screen(z: 0))
        case .transitioning(let passage, _):
            let isArrival = passage.style.isArrival
            var over = screen(z: 1)
            let progress = passage.motion.value(at: shownStep)
            switch passage.style {
            case .inViaScale, .outViaScale: over.scale = progress
            case .inFromBottom, .outToBottom: over.center.y += progress
            }
            sink.view(isArrival ? passage.from : passage.to, screen(z: 0))
            sink.view(isArrival ? passage.to : passage.from, over)
        }
    }

    /// A screen that fills the viewport.
    private func screen(z: Int) -> ViewState {
        ViewState(
            center: Vector(viewport.width / 2, viewport.height / 2), size: viewport, z: z)
    }
}

extension Navigation {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        // The newest screen may have come while the stack was full.
        guard viewport == self.viewport, !stack.isEmpty, stack.count <= Self.stackMax + 1,
            Set(stack).count == stack.count, stack.allSatisfy(Name.isValid)
        else { return false }
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
