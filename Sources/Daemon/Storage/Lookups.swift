import Sessions
import Store

/// Sessions that a lane waits to read, each with what came for it meanwhile, in order.
///
/// Work that waits here counts as waiting for the lane (``LaneLoad``), whose bounds hold for it:
/// the reactor reads no more while they are reached. The session is not in memory, and nothing
/// brings it there but its answer.
struct Lookups {
    /// A session that is asked for, or whose work goes on.
    private struct Pending {
        /// The question's: the answer to a former one is of a former time.
        let number: Int
        /// The work that waits, of which so much is done.
        var batch = Batch()
        var done = 0
        /// The answer of the store; nil: it has not answered.
        var answer: Result<StoredSession?, StoreError>?
        /// The work that came since the answer.
        var later = Batch()
    }

    private var waiting: [String: Pending] = [:]
    private var asked = 0
    /// Sessions whose work goes on.
    private var goingOn = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether work of a session waits, so that more of it has to.
    func holds(_ id: String) -> Bool { !waiting.isEmpty && waiting[id] != nil }

    /// Whether the work of any session goes on, which may be in memory then.
    var areAnyGoingOn: Bool { goingOn > 0 }

    /// Whether the work of a session goes on in pieces: what comes follows it.
    func isGoingOn(_ id: String) -> Bool { areAnyGoingOn && waiting[id]?.answer != nil }

    /// The answer of the store about a session whose work goes on.
    func answer(of id: String) -> Result<StoredSession?, StoreError>? {
        areAnyGoingOn ? waiting[id]?.answer : nil
    }

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
        guard var pending = waiting.removeValue(forKey: id) else { return }
        if pending.answer == nil { add(&pending.batch) } else { add(&pending.later) }
        waiting[id] = pending
    }

    /// The answer to a question is there: from here on a look-up gives it. False: nothing waits for
    /// it any more.
    mutating func resume(
        _ id: String, _ number: Int, _ answer: Result<StoredSession?, StoreError>
    ) -> Bool {
        guard let pending = waiting[id], pending.number == number, pending.answer == nil else {
            return false
        }
        waiting[id]?.answer = answer
        goingOn += 1
        return true
    }

    /// The work of a session that goes on, and the place of what is next. Nil: all of it is done,
    /// and the session is waited for no more.
    mutating func work(of id: String) -> (batch: Batch, place: Int)? {
        guard var pending = waiting[id], pending.answer != nil else { return nil }
        if pending.done < pending.batch.work.count { return (pending.batch, pending.done) }
        guard !pending.later.work.isEmpty else {
            waiting[id] = nil
            goingOn -= 1
            return nil
        }
        (pending.batch, pending.done, pending.later) = (pending.later, 0, Batch())
        waiting[id] = pending
        return (pending.batch, 0)
    }

    /// So much of a session's work is done.
    mutating func note(done: Int, of id: String) { waiting[id]?.done = done }

    /// Takes work that waits: its answers will not be waited for. `done`: so much of it is done.
    mutating func removeAll(where isMeant: (String) -> Bool) -> [(batch: Batch, done: Int)] {
        let names = waiting.keys.filter(isMeant).sorted()
        return names.compactMap { waiting.removeValue(forKey: $0) }.flatMap { pending in
            if pending.answer != nil { goingOn -= 1 }
            return [(pending.batch, pending.done), (pending.later, 0)].filter {
                !$0.0.work.isEmpty
            }
        }
    }
}
