import Geometry
import Interactions
import Protocol
import Sessions

/// `time`: the daemon's wall clock, and the instant that a session shows.
struct TimeRequest: SessionRequest {
    static let operation = "time"

    /// Empty: it asks for no session's instant.
    let session: String
    var subject: String? { session.isEmpty ? nil : session }

    var right: RequestRight { session.isEmpty ? .general : .reading(session) }

    init(_ fields: RequestFields) throws(Rejection) {
        session = fields["session"] == nil ? "" : try fields.session()
    }

    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection) {
        if session.isEmpty {
            reactor.answer(envelope) { Self.writeWallClock(into: &$0) }
        } else {
            reactor.place(.request(envelope, self), of: session)
        }
    }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        let open = try table.findCurrent(session, moment)
        table.sink.chunk.reply(to: envelope) { buffer in
            Self.writeWallClock(into: &buffer)
            buffer.key("session")
            buffer.json(session)
            buffer.key("instant")
            buffer.json(open.session.instant)
        }
    }

    private static func writeWallClock(into buffer: inout ByteBuffer) {
        buffer.key("t")
        buffer.json(Instant(nanoseconds: Clock.wall()))
    }
}
