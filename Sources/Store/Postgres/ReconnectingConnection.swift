import Threads

/// One of a member's connections, made anew when it fails.
///
/// If one fails, all are made anew, once the generation is raised: none still reads a former
/// primary, and nothing that a former one has sent is taken. Several threads may use it, one at a
/// time, under a lock; the compiler cannot check that.
final class ReconnectingConnection: @unchecked Sendable {
    enum Purpose: String, CaseIterable, Sendable {
        case lease
        case commit
        case read

        /// The connection's name in `pg_stat_activity`, by which others end it.
        func name(of member: Int) -> String { "gestured \(member) \(rawValue)" }

        /// How long an answer may take. A lease that is renewed later than this has lapsed.
        var answerMilliseconds: Int { self == .lease ? 700 : 2_000 }
    }

    let purpose: Purpose
    private let target: PostgresTarget
    private let durability: SQLiteStore.Durability
    private let seat: Seat
    private var connection: PostgresConnection?
    private var connecting: Connecting?
    /// The connection's own.
    private var holder: Seat.Holder?
    private let lock = Lock()

    init(
        _ purpose: Purpose, _ target: PostgresTarget, _ durability: SQLiteStore.Durability,
        _ seat: Seat
    ) {
        self.purpose = purpose
        self.target = target
        self.durability = durability
        self.seat = seat
    }

    /// Milliseconds that a fence waits for a statement of the fenced, before it is cut off.
    static var lockMillisecondsMax: Int { 200 }

    /// All statements name each key: an index is right, also where the server knows no figures yet.
    ///
    /// Epochs and generations are synced whatever the durability: one that fell back after a crash
    /// would be used twice. Only changes may be less durable, see `ready`.
    static let settings =
        """
        SET search_path = gestured; SET plan_cache_mode = force_generic_plan;
        SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
        SET jit = off; SET statement_timeout = 0; SET lock_timeout = \(lockMillisecondsMax);
        SET idle_session_timeout = 0; SET default_transaction_isolation = 'read committed';
        SET synchronous_commit = on
        """

    /// Runs `body` with a connection of the current holder. A failure closes it if the server's
    /// answer is unknown.
    func use<Result>(
        _ body: (PostgresConnection, Seat.Holder) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        let (connection, holder) = try ready()
        do throws(StoreError) {
            return try body(connection, holder)
        } catch {
            if !connection.isOpen { seat.fail(holder) }
            throw error
        }
    }

    private func ready() throws(StoreError) -> (PostgresConnection, Seat.Holder) {
        let (current, isBroken) = try seat.current()
        if let connection, let holder, connection.isOpen, holder == current {
            return (connection, holder)
        }
        connection?.close()
        connection = nil
        let made = try connect(current)
        if isBroken { try raise(current, by: made) }
        switch purpose {
        case .lease: try made.run("LISTEN gestured")
        // A commit waits for whoever holds its rows; nobody holds them for long.
        case .commit:
            let sync = durability == .full ? "on" : "off"
            try made.run("SET lock_timeout = 0; SET synchronous_commit = \(sync)")
        case .read: break
        }
        let now = try seat.current().holder
        (connection, holder) = (made, now)
        return (made, now)
    }

    /// Connects on a thread of its own, since that may take several times as long as an answer. Who
    /// comes later waits for the same trial.
    private func connect(_ holder: Seat.Holder) throws(StoreError) -> PostgresConnection {
        if connecting?.member != holder.member { connecting = nil }
        let milliseconds = purpose.answerMilliseconds
        let trial =
            connecting
            ?? Connecting(
                holder.member, target, name: purpose.name(of: holder.member),
                milliseconds: milliseconds, settings: Self.settings)
        connecting = trial
        guard let result = trial.wait(milliseconds: milliseconds) else {
            throw StoreError(.unavailable, "PostgreSQL: no connection within \(milliseconds) ms")
        }
        connecting = nil
        return try result.get()
    }

    /// Raises the member's generation, so that nothing of its former connections is taken.
    private func raise(_ holder: Seat.Holder, by connection: PostgresConnection) throws(StoreError)
    {
        var expected = holder.generation
        // Another connection of this member may raise it at the same time.
        for _ in 0..<ReconnectingConnection.Purpose.allCases.count + 1 {
            let parameters = PostgresParameters().bigint(holder.member).bigint(expected)
            let names = [Purpose.commit.name(of: holder.member)]
            let rows = try connection.cutting(names) { () throws(StoreError) in
                try connection.execute(.reconnect, parameters)
            }
            try connection.confirm()
            if rows.count > 0 {
                seat.raise(to: rows.int(0, 0), of: holder.member)
                return
            }
            guard let found = try connection.generation(of: holder.member) else {
                seat.lose(holder.member)
                throw Seat.lost(holder.member)
            }
            if try seat.current().holder.generation == found { return }
            expected = found
        }
        throw StoreError(.unavailable, "PostgreSQL: the generation changes all the time")
    }

    /// Why a statement found no member for its holder: throws `notOwner` if it is gone. Otherwise
    /// its connection is a former one, and is closed.
    func judge(_ connection: PostgresConnection, _ holder: Seat.Holder) throws(StoreError)
        -> StoreError
    {
        guard try connection.generation(of: holder.member) != nil else {
            seat.lose(holder.member)
            return Seat.lost(holder.member)
        }
        connection.close()
        return StoreError(
            .unavailable,
            "PostgreSQL: the connection is of generation \(holder.generation), which "
                + "is over")
    }

    func close() {
        lock.lock()
        defer { lock.unlock() }
        connection?.close()
        connection = nil
        connecting = nil
    }
}

/// A connection that is being made, on a thread of its own; another thread waits for it. One lock
/// guards all that both share; the compiler cannot check that.
private final class Connecting: @unchecked Sendable {
    let member: Int
    private var result: Result<PostgresConnection, StoreError>?
    private let condition = Condition()

    init(
        _ member: Int, _ target: PostgresTarget, name: String, milliseconds: Int, settings: String
    ) {
        self.member = member
        Thread.start("gestured.link") { [weak self] in
            let result: Result<PostgresConnection, StoreError>
            do throws(StoreError) {
                result = .success(
                    try PostgresConnection(
                        target, name: name, milliseconds: milliseconds, settings: settings))
            } catch {
                result = .failure(error)
            }
            // Closed with nobody to take it.
            self?.take(result)
        }
    }

    private func take(_ result: Result<PostgresConnection, StoreError>) {
        condition.lock()
        self.result = result
        condition.signal()
        condition.unlock()
    }

    /// Nil: the time is over.
    func wait(milliseconds: Int) -> Result<PostgresConnection, StoreError>? {
        let end = Condition.Deadline(milliseconds: milliseconds)
        condition.lock()
        defer { condition.unlock() }
        while result == nil, condition.wait(until: end) {}
        return result
    }
}

extension PostgresConnection {
    /// The generation of a member; nil: it is gone.
    func generation(of member: Int) throws(StoreError) -> Int? {
        let rows = try execute(.standing, PostgresParameters().bigint(member))
        return rows.count > 0 ? rows.int(0, 0) : nil
    }

    /// Runs a statement that changes a member. If it waits for a statement of that member for too
    /// long, ends the connections of these names, and runs it once more.
    func cutting(
        _ names: [String], _ body: () throws(StoreError) -> PostgresRows
    ) throws(StoreError) -> PostgresRows {
        do throws(StoreError) {
            return try body()
        } catch {
            guard failureCode == Self.lockNotAvailable else { throw error }
            _ = try execute(.cut, PostgresParameters().texts(names))
            return try body()
        }
    }

    /// The SQLSTATE of a statement that has waited for a lock for too long.
    private static var lockNotAvailable: String { "55P03" }
}
