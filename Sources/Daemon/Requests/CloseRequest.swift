import Interactions
import Sessions

/// `close`: ends a session for good, in memory and in the store.
struct CloseRequest: SessionRequest {
    static let operation = "close"

    let session: String

    var right: RequestRight { .changing(session) }

    init(_ fields: RequestFields) throws(Rejection) {
        session = try fields.session(mayBeFormer: true)
    }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        guard table.mayRemove else { throw LaneTable.nothingStored }
        do throws(Rejection) {
            guard let open = try table.find(session, moment) else {
                throw .unknown(session: session)
            }
            table.close(open, .closed, at: moment.step)
        } catch {
            // One that is stored and cannot come back goes too; no subscriber is told of it. One
            // that is closed already is there after a crash until the store has taken that: so a
            // repeated request waits for it.
            guard table.isRemovalPending(session) || table.forget(session) else { throw error }
        }
        table.answerWhenDurable(envelope, .done, of: session)
    }
}
