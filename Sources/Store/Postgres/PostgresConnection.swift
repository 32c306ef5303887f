import CPostgres
import Glibc

/// Where the database is, and how this program reports itself there.
package struct PostgresTarget: Hashable, Sendable {
    /// A connection URI, `postgresql://…`, or words as `host=… dbname=…`.
    package var url: String
    /// A file of passwords as libpq reads it; nil: its own.
    package var passFile: String?

    package init(url: String, passFile: String? = nil) {
        self.url = url
        self.passFile = passFile
    }
}

/// One connection to a server, without blocking: each answer has a deadline.
///
/// Past it the socket is closed and the outcome is unknown. Nothing is cancelled: a wait for a
/// standby that is cancelled looks like success. Its owner uses it on one thread at a time.
@safe final class PostgresConnection {
    private var handle: OpaquePointer?
    /// How long an answer may take.
    private let milliseconds: Int
    private let warnings = Warnings()
    private var prepared: Set<String> = []
    /// The SQLSTATE of the last failure; empty: it had none.
    private(set) var failureCode = ""

    /// Connects, and runs `settings`, statements with semicolons.
    init(
        _ target: PostgresTarget, name: String, milliseconds: Int, settings: String
    ) throws(StoreError) {
        self.milliseconds = milliseconds
        if let flaw = PostgresTarget.libraryFlaw {
            throw StoreError(.unavailable, "PostgreSQL: it \(flaw)")
        }
        // The first `dbname` may be a whole URI, and what comes after it wins.
        var options = [
            ("dbname", target.url), ("application_name", name), ("client_encoding", "UTF8"),
            ("connect_timeout", "\(Self.connectSecondsMax)"),
            ("tcp_user_timeout", "\(Self.unackedMillisecondsMax)"),
            ("fallback_application_name", "gestured"),
        ]
        if let passFile = target.passFile { options.append(("passfile", passFile)) }
        let opened = unsafe Self.connect(options)
        guard let opened = unsafe opened else {
            throw StoreError(.unavailable, "PostgreSQL: out of memory")
        }
        unsafe handle = opened
        guard unsafe PQstatus(opened) == CONNECTION_OK else {
            let text = Self.oneLine(unsafe String(cString: PQerrorMessage(opened)))
            unsafe PQfinish(opened)
            unsafe handle = nil
            throw StoreError(Self.kind(ofRefusal: text), "PostgreSQL: \(text)")
        }
        unsafe PQsetNoticeReceiver(
            opened,
            { context, result in
                guard let context = unsafe context else { return }
                let code = unsafe PQresultErrorField(result, PostgresConnection.sqlState)
                guard let code = unsafe code, unsafe String(cString: code) == "01000" else {
                    return
                }
                unsafe Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue().count += 1
            }, Unmanaged.passUnretained(warnings).toOpaque())
        unsafe PQsetnonblocking(opened, 1)
        try run(settings)
    }

    deinit { close() }

    /// Seconds for each address of the URL.
    static var connectSecondsMax: Int { 2 }
    /// How long sent bytes may stay without the peer's word.
    private static var unackedMillisecondsMax: Int { 1_500 }

    private final class Warnings { var count = 0 }

    private static func connect(_ options: [(String, String)]) -> OpaquePointer? {
        var words = unsafe options.map { unsafe strdup($0.0) } + [nil]
        var values = unsafe options.map { unsafe strdup($0.1) } + [nil]
        defer {
            unsafe (words + values).forEach { unsafe free($0) }
        }
        return unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe values.withUnsafeMutableBufferPointer { values in
                unsafe words.withMemoryRebound(to: UnsafePointer<CChar>?.self) { words in
                    unsafe values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
                        unsafe PQconnectdbParams(words.baseAddress, values.baseAddress, 1)
                    }
                }
            }
        }
    }

    var isOpen: Bool { unsafe handle != nil }

    /// Whether the last statement was warned about: a wait for the standby was cut short.
    var wasWarned: Bool { warnings.count > 0 }

    /// Throws, and closes the connection, unless the standbys have what the last statement wrote.
    ///
    /// PostgreSQL calls a wait for them done that was cut short, and only warns. The rows are
    /// there, and may be gone after a failover: they count once a later statement has waited.
    func confirm() throws(StoreError) {
        guard wasWarned else { return }
        close()
        throw StoreError(.unavailable, "PostgreSQL: a wait for the standby was cut short")
    }

    /// Whether the server keeps text as UTF-8.
    var isUnicode: Bool { parameter("server_encoding") == "UTF8" }

    var serverVersion: Int { unsafe handle.map { unsafe Int(PQserverVersion($0)) } ?? 0 }

    private func parameter(_ name: String) -> String {
        guard let handle = unsafe handle, let text = unsafe PQparameterStatus(handle, name) else {
            return ""
        }
        return unsafe String(cString: text)
    }

    /// Closes the socket at once; what was sent and not answered has an unknown outcome.
    func close() {
        guard let closing = unsafe handle else { return }
        unsafe handle = nil
        // Without it, libpq would send a farewell, and might wait for that.
        shutdown(unsafe PQsocket(closing), CInt(SHUT_RDWR))
        unsafe PQfinish(closing)
    }

    // MARK: Statements

    /// Runs statements without parameters or rows.
    func run(_ sql: String) throws(StoreError) {
        let handle = try unsafe begin()
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw unsent() }
        _ = try answer()
    }

    /// Runs a statement, which is prepared at its first use.
    func execute(
        _ statement: PostgresStatement, _ parameters: PostgresParameters = PostgresParameters()
    ) throws(StoreError) -> PostgresRows {
        if !prepared.contains(statement.name) {
            let handle = try unsafe begin()
            guard unsafe PQsendPrepare(handle, statement.name, statement.sql, 0, nil) == 1 else {
                throw unsent()
            }
            _ = try answer()
            prepared.insert(statement.name)
        }
        let handle = try unsafe begin()
        let isSent = unsafe parameters.withPointers { values, lengths, formats, count in
            unsafe PQsendQueryPrepared(
                handle, statement.name, count, values, lengths, formats, 1) == 1
        }
        guard isSent else { throw unsent() }
        return try answer()
    }

    private func begin() throws(StoreError) -> OpaquePointer {
        failureCode = ""
        warnings.count = 0
        guard let handle = unsafe handle else {
            throw StoreError(.unavailable, "PostgreSQL: the connection is closed")
        }
        return unsafe handle
    }

    private func unsent() -> StoreError { lost() }

    /// Closes the connection after a failure of its own.
    private func lost() -> StoreError {
        let text = unsafe handle.map { unsafe String(cString: PQerrorMessage($0)) } ?? ""
        close()
        let reason = Self.oneLine(text)
        return StoreError(
            .unavailable, "PostgreSQL: \(reason.isEmpty ? "the connection is lost" : reason)")
    }

    /// Waits for the answer. The rows of its last result.
    private func answer() throws(StoreError) -> PostgresRows {
        guard let handle = unsafe handle else { throw lost() }
        let end = Self.now() + milliseconds
        var isSending = true
        var rows: PostgresRows?
        var failure: StoreError?
        while true {
            if isSending {
                let rest = unsafe PQflush(handle)
                guard rest >= 0 else { throw lost() }
                isSending = rest == 1
            }
            while unsafe PQisBusy(handle) == 0 {
                guard let result = unsafe PQgetResult(handle) else {
                    if let failure { throw ended(failure) }
                    guard let rows else { throw lost() }
                    return rows
                }
                let taken = unsafe PostgresRows(result)
                switch taken.status {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: rows = taken
                default: failure = failure ?? self.failure(of: taken)
                }
            }
            guard try wait(until: end, toSend: isSending) else {
                close()
                throw StoreError(
                    .unavailable, "PostgreSQL: no answer within \(milliseconds) ms")
            }
            guard unsafe PQconsumeInput(handle) == 1 else {
                // The server's last words say why it closed the connection.
                if let failure { throw ended(failure) }
                throw lost()
            }
        }
    }

    /// A failure after which the server closes the connection closes it here, too.
    private func ended(_ failure: StoreError) -> StoreError {
        // 57P01 … 57P05 end sessions; a server that has become a standby takes no writes.
        let ends = failureCode.hasPrefix("57P") || failureCode.hasPrefix("08")
        let isBad = unsafe handle.map { unsafe PQstatus($0) != CONNECTION_OK } ?? true
        if ends || failureCode == "25006" || isBad { close() }
        return failure
    }

    private func failure(of rows: PostgresRows) -> StoreError {
        failureCode = rows.failureCode
        let text = Self.oneLine(rows.failureText)
        return StoreError(Self.kind(of: failureCode), "PostgreSQL: \(text) (\(failureCode))")
    }

    /// Waits for the socket; false: the time is over.
    private func wait(until end: Int, toSend isSending: Bool) throws(StoreError) -> Bool {
        let rest = end - Self.now()
        guard rest > 0, let handle = unsafe handle else { return false }
        let events = CInt(POLLIN) | (isSending ? CInt(POLLOUT) : 0)
        var waiting = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
        return unsafe poll(&waiting, 1, CInt(rest)) != 0 || Self.now() < end
    }

    // MARK: News

    /// Waits for another connection's notification; false: the time is over, or the descriptor
    /// `wakeup` is readable.
    func waitForNews(milliseconds: Int, unless wakeup: CInt) throws(StoreError) -> Bool {
        let end = Self.now() + milliseconds
        while true {
            guard let handle = unsafe handle else { throw lost() }
            guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
            var isThere = false
            while let news = unsafe PQnotifies(handle) {
                if unsafe news.pointee.be_pid != PQbackendPID(handle) { isThere = true }
                unsafe PQfreemem(news)
            }
            if isThere { return true }
            let rest = end - Self.now()
            guard rest > 0 else { return false }
            let socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
            var waiting = [socket, pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
            _ = unsafe poll(&waiting, 2, CInt(rest))
            guard waiting[1].revents == 0 else { return false }
        }
    }

    /// Milliseconds of the monotonic clock.
    static func now() -> Int { microseconds() / 1_000 }

    /// Microseconds of the monotonic clock.
    static func microseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }

    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { String($0.drop { $0 == "\t" || $0 == " " }) }
            .joined(separator: "; ")
    }
}
