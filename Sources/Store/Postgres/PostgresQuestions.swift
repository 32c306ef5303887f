import Membership
import Threads

/// The thread that asks the database what lanes want to know.
///
/// Names that are looked up while it waits for an answer are asked for together. The lanes bound
/// how much waits here. In an outage nobody waits for others' trials: with one question all fail
/// that wait, and from then on one look-up at a time makes a trial, and what is looked up beside it
/// fails at once. Motion that was asked for since the last trial began has a trial of its own: what
/// cannot be read then comes back at rest.
///
/// Other threads call `ask`, `count` and `close`. One lock guards everything that they share; the
/// compiler cannot check that.
final class PostgresQuestions: @unchecked Sendable {
    enum Question: Sendable {
        case session(String, StoreAnswer<StoredSession?>)
        case names(StoreQuery, StoreAnswer<[String]>)
        case moving([ShardRight], StoreAnswer<[StoredSession]>)
        case count(StoreAnswer<Int>)

        /// Answers with a failure.
        func fail(_ error: StoreError) {
            switch self {
            case .session(_, let then): then(.failure(error))
            case .names(_, let then): then(.failure(error))
            case .moving(_, let then): then(.failure(error))
            case .count(let then): then(.failure(error))
            }
        }
    }

    private struct LookUp {
        var id: String
        var then: StoreAnswer<StoredSession?>
    }

    private struct Other {
        var question: Question
        /// In microseconds of the monotonic clock.
        var asked: Int

        var isMoving: Bool {
            if case .moving = question { true } else { false }
        }
    }

    private let reader: ReconnectingConnection
    private let seat: Seat
    private var lookUps: [LookUp] = []
    private var others: [Other] = []
    private var isClosed = false
    private var isTrying = false
    /// Why the last question failed, and until when that holds, in microseconds of the monotonic
    /// clock; nil: it was answered.
    private var outage: (error: StoreError, until: Int)?
    private let condition = Condition()

    /// Names in one statement.
    static var lookUpsMax: Int { 128 }
    /// Milliseconds for which a question that fails is asked again: a server that restarts is back
    /// within them.
    private static var trialMilliseconds: Int { 1_000 }
    /// Milliseconds for which a failure tells of the questions that follow: longer than the trials
    /// of one may take.
    private static var outageMilliseconds: Int { 4_000 }
    /// Milliseconds between two trials.
    private static var pauseMilliseconds: Int { 50 }

    init(_ reader: ReconnectingConnection, _ seat: Seat) {
        self.reader = reader
        self.seat = seat
        Thread.start("gestured.read") { [weak self] in
            while self?.answerNext() == true {}
        }
    }

    private static var closed: StoreError {
        StoreError(.unavailable, "PostgreSQL: it is closed")
    }

    // MARK: From elsewhere

    func ask(_ question: Question) {
        condition.lock()
        let asked = PostgresConnection.microseconds()
        let refusal = isClosed ? Self.closed : refusal(of: question, at: asked)
        if refusal == nil {
            if case .session(let id, let then) = question {
                lookUps.append(LookUp(id: id, then: then))
            } else {
                others.append(Other(question: question, asked: asked))
            }
            condition.signal()
        }
        condition.unlock()
        if let refusal { question.fail(refusal) }
    }

    /// Why a question is not tried; nil: it is. Look-ups may be many, and the daemon reads nothing
    /// more while too many of them wait.
    private func refusal(of question: Question, at now: Int) -> StoreError? {
        guard case .session = question, let outage, now < outage.until else { return nil }
        return isTrying || !lookUps.isEmpty ? outage.error : nil
    }

    /// Fails whatever still waits.
    func close() {
        condition.lock()
        isClosed = true
        let waiting =
            lookUps.map { Question.session($0.id, $0.then) } + others.map(\.question)
        lookUps = []
        others = []
        condition.signal()
        condition.unlock()
        for question in waiting { question.fail(Self.closed) }
        reader.close()
    }

    // MARK: On the thread

    /// Waits for questions and answers some; false: it is closed.
    private func answerNext() -> Bool {
        condition.lock()
        isTrying = false
        while lookUps.isEmpty, others.isEmpty, !isClosed { condition.wait() }
        isTrying = true
        let isClosed = isClosed
        let taken = Array(lookUps.prefix(Self.lookUpsMax))
        lookUps.removeFirst(taken.count)
        condition.unlock()
        if !taken.isEmpty { answer(taken) }
        if let other = nextOther() { answer(other) }
        return !isClosed
    }

    /// A shard that comes waits for what moves in it, so that is asked for before any list.
    private func nextOther() -> Question? {
        condition.lock()
        defer { condition.unlock() }
        guard !others.isEmpty else { return nil }
        return others.remove(at: others.firstIndex(where: \.isMoving) ?? 0).question
    }

    private func answer(_ lookUps: [LookUp]) {
        let ids = Array(Set(lookUps.map(\.id)))
        let answer = attempt { connection, holder throws(StoreError) in
            let rows = try connection.execute(
                .read,
                PostgresParameters().bigint(holder.member).bigint(holder.generation).texts(ids))
            return try self.sessions(rows, connection, holder)
        }
        if case .failure(let error) = answer, error.kind == .damaged, lookUps.count > 1 {
            // The server does not tell which row it cannot read.
            for lookUp in lookUps { self.answer([lookUp]) }
            return
        }
        let found = answer.map { Dictionary($0.map { ($0.id, $0.session) }) { first, _ in first } }
        for lookUp in lookUps {
            lookUp.then(found.flatMap { $0[lookUp.id]?.map(Optional.some) ?? .success(nil) })
        }
    }

    private func answer(_ question: Question) {
        switch question {
        case .session(let id, let then):
            answer([LookUp(id: id, then: then)])
        case .names(let query, let then):
            then(attempt { connection, _ throws(StoreError) in try self.names(query, connection) })
        case .moving(let rights, let then):
            let found = attempt { connection, holder throws(StoreError) in
                let rows = try connection.execute(
                    .moving,
                    PostgresParameters().bigint(holder.member).bigint(holder.generation)
                        .integers(rights.map(\.number)).bigints(rights.map(\.epoch)))
                return try self.sessions(rows, connection, holder)
            }
            then(found.map { $0.compactMap { try? $0.session.get() } })
        case .count(let then):
            then(
                attempt { connection, _ throws(StoreError) in
                    try connection.execute(.count).int(0, 0)
                })
        }
    }

    /// Asks, and asks again for a while if the connection fails.
    private func attempt<Value>(
        _ body: (PostgresConnection, Seat.Holder) throws(StoreError) -> Value
    ) -> Result<Value, StoreError> {
        let end = PostgresConnection.now() + Self.trialMilliseconds
        while true {
            let began = PostgresConnection.microseconds()
            do throws(StoreError) {
                let value = try reader.use(body)
                condition.withLock { outage = nil }
                return .success(value)
            } catch {
                guard error.recovery == .retry else { return .failure(error) }
                guard PostgresConnection.now() < end, !hasClosed else {
                    failAll(error, trialBegan: began)
                    return .failure(error)
                }
                Thread.sleep(milliseconds: Self.pauseMilliseconds)
            }
        }
    }

    /// Nobody waits for what a trial has told already.
    private func failAll(_ error: StoreError, trialBegan: Int) {
        condition.lock()
        outage = (error, PostgresConnection.microseconds() + Self.outageMilliseconds * 1_000)
        let names = lookUps
        lookUps = []
        let rest = others.filter { !$0.isMoving || $0.asked <= trialBegan }
        others.removeAll { !$0.isMoving || $0.asked <= trialBegan }
        condition.unlock()
        for name in names { name.then(.failure(error)) }
        for other in rest { other.question.fail(error) }
    }

    private var hasClosed: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isClosed
    }

    private func names(
        _ query: StoreQuery, _ connection: PostgresConnection
    ) throws(StoreError) -> [String] {
        let rows: PostgresRows
        switch query {
        case .after(let name, let limit):
            rows = try connection.execute(
                .namesAfter, PostgresParameters().text(name).bigint(limit))
        case .unused(let time, let shards, let limit):
            rows = try connection.execute(
                .namesUnused, PostgresParameters().integers(shards).bigint(time).bigint(limit))
        }
        return (0..<rows.count).map { rows.text($0, 0) }
    }

    /// The sessions of an answer, of which each row begins with whether this member still is one.
    /// A damaged one is of no consequence to the others.
    private func sessions(
        _ rows: PostgresRows, _ connection: PostgresConnection, _ holder: Seat.Holder
    ) throws(StoreError) -> [(id: String, session: Result<StoredSession, StoreError>)] {
        var sessions: [(id: String, session: Result<StoredSession, StoreError>)] = []
        for row in 0..<rows.count {
            guard rows.bool(row, 0) else { throw try reader.judge(connection, holder) }
            guard !rows.isNull(row, 1) else { continue }
            let id = rows.text(row, 1)
            sessions.append((id, session(id, rows, row)))
        }
        return sessions
    }

    private func session(
        _ id: String, _ rows: PostgresRows, _ row: Int
    ) -> Result<StoredSession, StoreError> {
        guard
            let marks = SeenRing.marks(recent: rows.bytes(row, 4), chunks: rows.array(row, 8))
        else { return .failure(StoreError(.damaged, "session \(id): a mark of the wrong size")) }
        var session = StoredSession(
            id: id, shard: rows.int(row, 2), state: rows.bytes(row, 3),
            lastUsed: rows.int(row, 5), seen: marks)
        if !rows.isNull(row, 6) {
            session.motion = StoredMotion(document: rows.bytes(row, 6), epoch: rows.int(row, 7))
        }
        return .success(session)
    }
}
