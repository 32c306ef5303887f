/// The part of a commit that one statement makes durable: changes of one id folded to the last.
struct CommitPart {
    private struct Put {
        var session: StoredSession
        var ring = SeenRing()
    }

    private var puts: [Put] = []
    private var places: [String: Int] = [:]
    private var removed: Set<String> = []
    /// The highest version of removed sessions, by shard.
    private var floors: [Int: Int] = [:]
    private var bytes = 0

    var isEmpty: Bool { places.isEmpty && removed.isEmpty && floors.isEmpty }

    /// One statement of a commit.
    enum Step {
        case write(CommitPart)
        case refresh(Range<Int>, to: Int)
    }

    /// The statements for changes, in their order. All but few commits are one; a commit without
    /// changes is one as well, which asks for the fence alone: somebody waits for its answer. Each
    /// is answered by itself, and has `StoreCommit.bytesMax` or one change.
    static func steps(for changes: [StoreChange]) -> [Step] {
        var steps: [Step] = []
        var part = CommitPart()
        func end(_ part: inout CommitPart) {
            if !part.isEmpty { steps.append(.write(part)) }
            part = CommitPart()
        }
        for change in changes {
            if part.bytes + change.bytes > StoreCommit.bytesMax { end(&part) }
            part.bytes += change.bytes
            switch change {
            case .put(var session):
                while !part.put(&session) { end(&part) }
            case .remove(let id, let shard, let version):
                part.remove(id, shard, version)
            case .refresh(let range, let time):
                end(&part)
                steps.append(.refresh(range, to: time))
            }
        }
        end(&part)
        return steps.isEmpty ? [.write(part)] : steps
    }

    /// Adds a session with all of its marks; false: they go with the next statement, or `session`
    /// has the marks that are left.
    ///
    /// A state never goes without the marks of the events that it has counted: an owner may end
    /// between two statements. Only marks that no ring of a session has, with gaps, are divided.
    /// A statement sees no change of its own, so a name that it removes cannot be put again.
    private mutating func put(_ session: inout StoredSession) -> Bool {
        guard !removed.contains(session.id) else { return false }
        let place = places[session.id]
        var ring = place.map { puts[$0].ring } ?? SeenRing()
        var marks = session.seen[...]
        if ring.add(all: marks) {
            marks = []
        } else {
            guard place == nil else { return false }
            while let mark = marks.first, ring.add(all: [mark]) { marks.removeFirst() }
        }
        session.seen = []
        if let place {
            puts[place] = Put(session: session, ring: ring)
        } else {
            places[session.id] = puts.count
            puts.append(Put(session: session, ring: ring))
        }
        session.seen = Array(marks)
        return marks.isEmpty
    }

    private mutating func remove(_ id: String, _ shard: Int, _ version: Int) {
        if let place = places.removeValue(forKey: id) {
            puts.swapAt(place, puts.count - 1)
            puts.removeLast()
            if place < puts.count { places[puts[place].session.id] = place }
        }
        removed.insert(id)
        floors[shard] = max(floors[shard] ?? version, version)
    }

    /// The parameters of `PostgresStatement.commit`. Times of use are rounded down to whole
    /// `touchedStep` seconds.
    func parameters(
        member: Int, generation: Int, touchedStep: Int
    ) -> PostgresParameters {
        let sessions = puts.map(\.session)
        let chunks = puts.flatMap { put in put.ring.chunks.map { (put.session.id, $0) } }
        let floors = Array(floors)
        return PostgresParameters()
            .bigint(member).bigint(generation)
            .texts(sessions.map(\.id)).integers(sessions.map(\.shard))
            .byteas(sessions.lazy.map { $0.state }).byteas(puts.lazy.map { $0.ring.recent })
            .bigints(sessions.map { $0.lastUsed.roundedDown(to: touchedStep) })
            .byteas(sessions.lazy.map { $0.motion?.document })
            .bigints(sessions.map { $0.motion?.epoch })
            .texts(chunks.map(\.0)).smallints(chunks.map(\.1.chunk))
            .smallints(chunks.map(\.1.first)).byteas(chunks.lazy.map { $0.1.bytes })
            .texts(removed).integers(floors.map(\.key)).bigints(floors.map(\.value))
    }
}

extension Int {
    /// The highest multiple of `step` that is not above it.
    func roundedDown(to step: Int) -> Int {
        let rest = self % step
        return rest < 0 ? subtractingReportingOverflow(rest + step).partialValue : self - rest
    }
}
