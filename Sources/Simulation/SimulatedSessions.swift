import Codec
import Geometry
package import Interactions
import Notation
import Protocol
package import Recordings
package import Sessions

/// One open session of a simulation.
final class SimulatedSession: SessionHandle {
    var session: Session
    /// When its step 0 is, in nanoseconds on the recording's scale.
    let opened: Int

    init(_ session: Session, opened: Int) {
        self.session = session
        self.opened = opened
    }
}

/// The open sessions of a simulation: the daemon's rules on a recording's time, without a store.
///
/// Bounds that protect a daemon from all its publishers together do not exist here.
final class SimulatedSessions: SessionTable {
    typealias Received = Recording.Event

    /// When an event is applied.
    struct Moment {
        /// Milliseconds on the recording's scale.
        var time: Double
        /// The step of the session's clock, if it is open.
        var step: Step
    }

    /// Updates published at once, beside those of open sessions.
    private enum Message {
        case lastWord(SimulatedSession)
        case rejected(RejectionReport, Moment)
    }

    var opener: SessionOpener
    private let channels: Channels
    private var open: [String: SimulatedSession] = [:]
    private var messages: [Message] = []
    private var rejectedSeq = 0

    init(channels: Channels, _ opener: SessionOpener) {
        self.channels = channels
        self.opener = opener
    }

    static func nanoseconds(_ milliseconds: Double) -> Int {
        Int((milliseconds * 1e6).rounded())
    }

    /// Publishes what the last event caused at once: rejections without a session, last words.
    func publishMessages(into sink: inout some MessageSink) {
        for message in messages {
            switch message {
            case .lastWord(let ended):
                ended.session.flush(to: channels, inFrame: false, into: &sink)
            case .rejected(let report, let moment):
                rejectedSeq += 1
                let time = Instant(nanoseconds: Self.nanoseconds(moment.time))
                let head = UpdateHead(epoch: "sim", seq: rejectedSeq, time: time)
                sink.message(.rejected(session: nil)) {
                    UpdateBody.rejected(head, report, into: &$0)
                }
            }
        }
        messages.removeAll(keepingCapacity: true)
    }

    // MARK: Where sessions stand

    func openSession(_ id: String) -> SimulatedSession? { open[id] }
    func find(_ id: String, _ moment: Moment) -> SimulatedSession? { open[id] }

    func makeSession(_ id: String, _ scene: Scene, at moment: Moment) -> SimulatedSession {
        let opened = Self.nanoseconds(moment.time)
        return SimulatedSession(
            opener.makeSession(id, scene, opened: Instant(nanoseconds: opened)), opened: opened)
    }

    func insert(_ made: SimulatedSession) { open[made.session.id] = made }
    func publishLastWord(of ended: SimulatedSession) { messages.append(.lastWord(ended)) }

    func remove(_ ended: SimulatedSession, after event: SessionEvent) {
        open[ended.session.id] = nil
    }

    // MARK: Time

    func advance(_ open: SimulatedSession, to moment: Moment) {
        open.session.advance(to: moment.step)
    }

    func milliseconds(of open: SimulatedSession, at moment: Moment) -> Double { moment.time }

    // MARK: Reports

    func publish(_ report: RejectionReport, at moment: Moment) {
        messages.append(.rejected(report, moment))
    }
}

extension Recording.Event: ReceivedEvent {
    package func report(_ rejection: Rejection) -> RejectionReport {
        unsafe RejectionReport(
            rejection,
            topic: UpdateBody.excerpt(of: topic.span.bytes, bytesMax: Name.topicBytesMax),
            excerpt: UpdateBody.excerpt(of: body.span.bytes, bytesMax: Limits.excerptBytesMax))
    }
}
