import Geometry
package import Notation

/// The last update of one topic with a current state, and whether it is to be sent again.
struct Publication: Hashable, Sendable, Codable {
    /// The number sent last in this epoch; 0: none was.
    private(set) var seq = 0
    /// When it was sent, on the session's clock.
    private var sentStep = Step.zero
    /// The clock's step of the last answer to a subscription.
    private var answeredStep: Step?
    /// Whether the state has changed since the last update.
    private(set) var isChanged = true
    /// Whether the change came from an event, so that it does not wait for a frame.
    private(set) var isUrgent = true
    /// Whether a subscription waits for an answer.
    private(set) var isAsked = false

    init() {}

    /// The next update after a number that was sent by a component of the same id before.
    init(after seq: Int) { self.seq = seq }

    mutating func change(urgently: Bool) {
        isChanged = true
        if urgently { isUrgent = true }
    }

    /// The change waits for a frame.
    mutating func deferChange() { isUrgent = false }

    mutating func ask() { isAsked = true }
    mutating func forgetAsking() { isAsked = false }

    /// When a subscription may be answered; nil: none waits.
    var answerStep: Step? {
        guard isAsked else { return nil }
        return answeredStep.map { $0 + Limits.resendSteps } ?? .zero
    }

    /// Whether something is due now. Motion is due in frames only.
    func isDue(at clock: Step, inFrame: Bool) -> Bool {
        if isChanged && (isUrgent || inFrame) { return true }
        guard let answerStep else { return false }
        return answerStep <= clock
    }

    /// The stamp of an update that is sent now: a new number if it changed, else the last again.
    mutating func send(at clock: Step, opened: Instant) -> Stamp {
        if let answerStep, answerStep <= clock {
            answeredStep = clock
            isAsked = false
        }
        if isChanged || seq == 0 {
            seq += 1
            sentStep = clock
            isChanged = false
            isUrgent = false
        }
        return Stamp(seq: seq, instant: opened + sentStep)
    }
}

extension Limits {
    /// Steps between two answers to subscriptions on one topic: 50 ms.
    package static let resendSteps = 6
}
