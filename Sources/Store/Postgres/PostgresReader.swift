import Membership

/// Asks for one lane; all lanes' questions go to one thread, and no lane waits for it.
final class PostgresReader: StoreReader {
    /// Held, for its connections end with it.
    private let engine: PostgresEngine
    private var questions: PostgresQuestions { engine.questions }
    private var touchedStep: Int { engine.settings.touchedStep }

    init(_ engine: PostgresEngine) { self.engine = engine }

    /// Every question has its own instant.
    var answersLate: Bool { true }

    func begin() {}
    func end() {}

    func lookUp(_ id: String, late: @escaping StoreAnswer<StoredSession?>) -> StoreLookUp {
        // The server takes no text with a zero byte, so that it has none under such a name.
        guard !id.utf8.contains(0) else { return .none }
        questions.ask(.session(id, late))
        return .later
    }

    func names(_ query: StoreQuery, then: @escaping StoreAnswer<[String]>) {
        switch query {
        case .after(let name, _) where name.utf8.contains(0):
            then(.failure(StoreError(.unavailable, "PostgreSQL: a name with a zero byte")))
        case .after: questions.ask(.names(query, then))
        case .unused(let time, let shards, let limit):
            // Stored times are rounded down, and nothing must expire early.
            let time = time.subtractingReportingOverflow(touchedStep - 1)
            questions.ask(
                .names(
                    .unused(
                        before: time.overflow ? .min : time.partialValue, shards: shards,
                        limit: limit), then))
        }
    }

    func moving(_ rights: [ShardRight], then: @escaping StoreAnswer<[StoredSession]>) {
        guard !rights.isEmpty else { return then(.success([])) }
        questions.ask(.moving(rights, then))
    }

    /// Nobody knows without asking.
    func has(_ id: String) -> Bool { true }

    func count(then: @escaping StoreAnswer<Int>) { questions.ask(.count(then)) }
}
