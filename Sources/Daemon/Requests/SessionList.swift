import Interactions
import Notation
import Sessions
import Synchronization
import Wire

/// One `sessions` request, on its way through all lanes; the last one answers it.
final class SessionList: Sendable {
    private struct State {
        var lanesLeft: Int
        var ids: Set<String> = []
        /// Gone, but perhaps not forgotten by the store.
        var removed: Set<String> = []
        /// The last id that the store told, if it may have more; nobody knows of all beyond it.
        var storeEnd: String?
        /// Why not all of them are known.
        var failure: Rejection?
    }

    let after: String
    let limit: Int
    private let envelope: Envelope
    private let state: Mutex<State>

    init(_ envelope: Envelope, after: String, limit: Int, lanes: Int) {
        self.envelope = envelope
        self.after = after
        self.limit = limit
        state = Mutex(State(lanesLeft: lanes))
    }

    /// Takes what the store has, sorted: some of it may be gone, so a full page is no whole one.
    func add(stored ids: [String]) {
        state.withLock { state in
            state.ids.formUnion(ids)
            state.storeEnd = ids.count > limit ? ids.last : nil
        }
    }

    /// Nobody knows of those that are in the store alone.
    func fail(_ rejection: Rejection) { state.withLock { $0.failure = rejection } }

    /// Takes one lane's ids (those after `after`, at most `limit + 1`, sorted). The last lane
    /// writes the reply into its chunk.
    func add(_ ids: [String], removed: some Sequence<String>, chunk: Chunk) {
        let whole: State? = state.withLock { state in
            state.ids.formUnion(ids)
            state.removed.formUnion(removed)
            state.lanesLeft -= 1
            return state.lanesLeft == 0 ? state : nil
        }
        guard let whole else { return }
        if let failure = whole.failure { return chunk.refuse(envelope, failure) }
        var sorted = whole.ids.subtracting(whole.removed).sorted()
        if let end = whole.storeEnd { sorted.removeAll { $0 > end } }
        let page = sorted.prefix(limit)
        let next = sorted.count > limit ? page.last : whole.storeEnd
        chunk.reply(to: envelope) { buffer in
            buffer.key("sessions")
            buffer.append("[")
            for (index, id) in page.enumerated() {
                if index > 0 { buffer.append(",") }
                buffer.json(id)
            }
            buffer.append("]")
            buffer.key("next")
            buffer.json(next)
        }
    }
}

extension Chunk {
    /// Appends `{"ok":true,…}` with the fields that `fields` writes.
    func reply(to envelope: Envelope, _ fields: (inout ByteBuffer) -> Void) {
        let start = bytes.count
        Reply.begin(id: envelope.id, into: &bytes)
        fields(&bytes)
        Reply.end(into: &bytes)
        records.append(Record(destination: .reply(envelope), range: start..<bytes.count))
    }

    func refuse(_ envelope: Envelope, _ rejection: Rejection) {
        let start = bytes.count
        Reply.failure(id: envelope.id, rejection, into: &bytes)
        records.append(Record(destination: .reply(envelope), range: start..<bytes.count))
    }
}

extension Limits {
    /// Sessions in one reply to `sessions`.
    static let sessionsListedMax = 1_000
}
