import Sessions
import Store

/// Sessions that a lane waits to read, each with what came for it meanwhile, in order.
///
/// Work that waits here counts as waiting for the lane (``LaneLoad``), whose bounds hold for it:
/// the reactor reads no more while they are reached. The session is not in memory, and nothing
/// brings it there but its answer.
struct Lookups {
    private struct Pending {
        /// The question's: the answer to a former one is of a former time.
        let number: Int
        var batch = Batch()
    }

    private var waiting: [String: Pending] = [:]
    private var asked = 0
    /// The session whose work goes on, and what the store has of it.
    private(set) var answered: (id: String, answer: Result<StoredSession?, StoreError>)?

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether work of a session waits, so that more of it has to.
    func holds(_ id: String) -> Bool { !waiting.isEmpty && waiting[id] != nil }

    /// A question is asked next. Returns its number.
    mutating func begin(_ id: String) -> Int {
        asked += 1
        waiting[id] = Pending(number: asked)
        return asked
    }

    /// The question was not asked.
    mutating func cancel(_ id: String) { waiting[id] = nil }

    /// Adds work of a session that is waited for.
    mutating func hold(_ id: String, _ add: (inout Batch) -> Void) {
        precondition(waiting[id] != nil, "nobody has asked for \(id)")
        if var pending = waiting.removeValue(forKey: id) {
            add(&pending.batch)
            waiting[id] = pending
        }
    }

    /// The answer to a question is there: from here on a look-up gives it. Returns the work that
    /// waits for it; nil: nothing does any more.
    mutating func resume(
        _ id: String, _ number: Int, _ answer: Result<StoredSession?, StoreError>
    ) -> Batch? {
        guard let pending = waiting[id], pending.number == number else { return nil }
        waiting[id] = nil
        answered = (id, answer)
        return pending.batch
    }

    /// The work is done.
    mutating func finish() { answered = nil }

    /// Takes work that waits: its answers will not be waited for.
    mutating func removeAll(where isMeant: (String) -> Bool) -> [Batch] {
        let names = waiting.keys.filter(isMeant).sorted()
        return names.compactMap { waiting.removeValue(forKey: $0)?.batch }
    }
}
