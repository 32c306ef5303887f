import Interactions
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

    /// Takes one lane's ids (those after `after`, at most `limit + 1`, sorted). The last lane
    /// writes the reply into its chunk.
    func add(_ ids: [String], removed: some Sequence<String>, chunk: Chunk) {
        let all: Set<String>? = state.withLock { state in
            state.ids.formUnion(ids)
            state.removed.formUnion(removed)
            state.lanesLeft -= 1
            return state.lanesLeft == 0 ? state.ids.subtracting(state.removed) : nil
        }
        guard let all else { return }
        let sorted = all.sorted()
        let page = sorted.prefix(limit)
        chunk.reply(to: envelope) { buffer in
            buffer.key("sessions")
            buffer.append("[")
            for (index, id) in page.enumerated() {
                if index > 0 { buffer.append(",") }
                buffer.json(id)
            }
            buffer.append("]")
            buffer.key("next")
            buffer.json(sorted.count > limit ? page.last : nil)
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
