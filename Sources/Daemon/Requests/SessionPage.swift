import Codec
import Interactions
import Notation
import Protocol
import Security
import Sessions
import Store
import Synchronization

/// One page of sessions, on its way through all lanes; the last lane answers.
final class SessionPage: LaneRequest {
    private struct State {
        var lanesLeft: Int
        /// The open sessions by their names.
        var open: [String: Open] = [:]
        /// Those that the store has, and their scenes if they are asked for.
        var stored: [String: String?] = [:]
        /// Gone, but perhaps still in the store.
        var removed: Set<String> = []
        /// The last name that the store gave, if it may have more: names beyond it are unknown.
        var storeEnd: String?
        /// Why not all of them are known.
        var failure: Rejection?
    }

    /// An open session on a detailed page.
    private struct Open {
        var scene: String?
        var isMoving = false
        /// Updates that it has published.
        var updates = 0
        /// Nanoseconds of the processor for one of its steps, as measured last; 0: not yet.
        var stepCost = 0
    }

    private let request: SessionsRequest
    private let state: Mutex<State>

    init(_ request: SessionsRequest, lanes: Int) {
        self.request = request
        state = Mutex(State(lanesLeft: lanes))
    }

    var isForItsAskerAlone: Bool { true }

    func isCostly(on table: LaneTable) -> Bool { true }

    func refuse(on table: LaneTable, answering envelope: Envelope, _ rejection: Rejection) {
        note(table.outbox, envelope) { $0.failure = rejection }
    }

    func perform(on table: LaneTable, answering envelope: Envelope, at moment: Moment) {
        let names = names(of: table)
        let open = names.map { ($0, details(of: $0, on: table)) }
        let removed = table.storage?.writeBehind.removedNames ?? []
        let gone = removed.filter { table.activeSessions[$0] == nil }
        let outbox = table.outbox
        let end: @Sendable (StoredPage.Content?) -> Void = { [self] stored in
            note(outbox, envelope) { state in
                for (name, details) in open { state.open[name] = details }
                state.removed.formUnion(gone)
                guard let stored else { return }
                state.stored = stored.scenes
                state.storeEnd = stored.end
                state.failure = state.failure ?? stored.failure.map { .unreadable($0) }
            }
        }
        // One lane reads the store for all.
        guard table.number == 0, request.choice == .all, table.storage != nil else {
            return end(nil)
        }
        StoredPage.read(request, for: envelope, on: table, then: end)
    }

    /// Notes a lane's part; the last one answers, on whichever thread.
    private func note(_ outbox: Outbox, _ envelope: Envelope, _ change: (inout State) -> Void) {
        let whole: State? = state.withLock { state in
            change(&state)
            state.lanesLeft -= 1
            return state.lanesLeft == 0 ? state : nil
        }
        guard let whole else { return }
        let chunk = outbox.chunk()
        answer(envelope, whole, into: chunk)
        outbox.post(chunk)
    }

    private func details(of name: String, on table: LaneTable) -> Open {
        guard request.isDetailed, let active = table.activeSessions[name] else { return Open() }
        return Open(
            scene: active.session.identity.scene, isMoving: active.isCountedMoving,
            updates: active.session.publishedCount, stepCost: active.effort.stepCost)
    }

    private func isChosen(_ active: ActiveSession) -> Bool {
        request.choice != .moving
            || active.isCountedMoving && request.readable.match(active.session.id)
    }

    /// The smallest names of a lane after the given one, one more than a page has.
    private func names(of table: LaneTable) -> [String] {
        let countMax = request.limit + 1
        var page: [String] = []
        for active in table.activeSessions.all where active.session.id > request.after {
            let name = active.session.id
            guard isChosen(active), request.visible.match(name) else { continue }
            if page.count == countMax {
                // Most names end here, so a page costs one comparison for each session.
                guard name < page[countMax - 1] else { continue }
                page.removeLast()
            }
            page.insert(name, at: page.firstPlace { $0 > name })
        }
        return page
    }

    private func answer(_ envelope: Envelope, _ whole: State, into chunk: Chunk) {
        if let failure = whole.failure { return chunk.refuse(envelope, failure) }
        let stored = whole.stored.keys.filter { !whole.removed.contains($0) }
        var names = Set(whole.open.keys).union(stored).sorted()
        if let end = whole.storeEnd { names.removeAll { $0 > end } }
        let page = names.prefix(request.limit)
        let next = names.count > request.limit ? page.last : whole.storeEnd
        chunk.reply(to: envelope) { buffer in
            buffer.key("sessions")
            buffer.json(page)
            if request.isDetailed {
                buffer.key("entries")
                write(page, whole, into: &buffer)
            }
            buffer.key("next")
            buffer.json(next)
        }
    }

    private func write(
        _ page: some Collection<String>, _ whole: State, into buffer: inout ByteBuffer
    ) {
        buffer.append("[")
        for (index, name) in page.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append("{\"session\":")
            buffer.json(name)
            let open = whole.open[name]
            buffer.append(open == nil ? ",\"state\":\"parked\"" : ",\"state\":\"open\"")
            guard request.readable.match(name) else {
                buffer.append("}")
                continue
            }
            buffer.key("scene")
            buffer.json(open.map(\.scene) ?? whole.stored[name] ?? nil)
            if let open {
                buffer.append(open.isMoving ? ",\"moving\":true" : ",\"moving\":false")
                buffer.key("updates")
                buffer.json(open.updates)
                buffer.key("step_us")
                buffer.json(fine: Double(open.stepCost) / 1_000)
            }
            buffer.append("}")
        }
        buffer.append("]")
    }
}

extension [String] {
    /// The first place whose element is past, by bisection; elements past follow the others.
    fileprivate func firstPlace(where isPast: (String) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isPast(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
