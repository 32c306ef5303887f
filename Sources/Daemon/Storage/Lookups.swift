import Sessions
import Store

/// Sessions that a lane waits to read, each with what came for it meanwhile, in order.
///
/// Work that waits here counts as waiting for the lane (``LaneLoad``), whose bounds hold for it:
/// the reactor reads no more while they are reached. The session is not in memory, and nothing
/// brings it there but its answer.
struct Lookups {
    private var waiting: [String: Batch] = [:]
    /// The session whose work goes on, and what the store has of it.
    private(set) var answered: (id: String, answer: Result<StoredSession?, StoreError>)?

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether work of a session waits, so that more of it has to.
    func holds(_ id: String) -> Bool { !waiting.isEmpty && waiting[id] != nil }

    /// The question is asked.
    mutating func begin(_ id: String) { waiting[id] = Batch() }

    /// Adds work of a session that is waited for.
    mutating func hold(_ id: String, _ add: (inout Batch) -> Void) {
        add(&waiting[id, default: Batch()])
    }

    /// The answer is there: from here on a look-up gives it. Returns the work that waits for it.
    mutating func resume(
        _ id: String, _ answer: Result<StoredSession?, StoreError>
    ) -> Batch? {
        guard let batch = waiting.removeValue(forKey: id) else { return nil }
        answered = (id, answer)
        return batch
    }

    /// The work is done.
    mutating func finish() { answered = nil }

    /// Takes work that waits: its answers will not be waited for.
    mutating func removeAll(where isMeant: (String) -> Bool) -> [Batch] {
        let names = waiting.keys.filter(isMeant).sorted()
        return names.compactMap { waiting.removeValue(forKey: $0) }
    }
}
