import CSQLite
import CSystem
import Glibc

/// One open database file.
///
/// Its owner uses it on one queue at a time; SQLite does not check that.
@safe final class SQLiteConnection {
    enum Access {
        case write
        case read
    }

    let path: String
    private let handle: OpaquePointer

    init(_ path: String, _ access: Access) throws(StoreError) {
        self.path = path
        try StoreAccess.refuseObstacle(path)
        _ = Self.isSetUp
        _ = gs_read_error_take()
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_NOMUTEX
            | (access == .write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY)
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let error = unsafe Self.error(code, path, unsafe opened)
            unsafe sqlite3_close(opened)
            throw error
        }
        unsafe self.handle = handle
        // Another program may look at the file: waits for it.
        unsafe sqlite3_busy_timeout(handle, Self.busyMillisecondsMax)
        // SQLite opens what it cannot open for writing for reading.
        guard access == .write, unsafe sqlite3_db_readonly(handle, "main") == 1,
            unsafe Glibc.access(path, W_OK) == 0
        else { return }
        throw StoreError(.disk, "\(path): cannot be opened for writing now")
    }

    /// SQLite's reads go through functions that remember failures.
    private static let isSetUp: Void = {
        gs_sqlite_count_no_memory()
        unsafe gs_sqlite_read_by(gs_read, gs_pread)
    }()

    /// The log as SQLite names it: beside the database, behind all links.
    var logFile: String {
        unsafe String(cString: sqlite3_filename_wal(sqlite3_db_filename(handle, "main")))
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    private static var busyMillisecondsMax: CInt { 2_000 }

    /// Leaves the log's files in place: on a full disk they could not be made again.
    func keepLogFiles() {
        var isOn: CInt = 1
        unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
    }

    func run(_ sql: String) throws(StoreError) {
        _ = gs_read_error_take()
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    func prepare(_ sql: String) throws(StoreError) -> Statement {
        _ = gs_read_error_take()
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code) }
        return unsafe Statement(statement, of: self)
    }

    /// A column of the first row, as a number; 0 without a row.
    func number(_ sql: String, column: CInt = 0) throws(StoreError) -> Int {
        let statement = try prepare(sql)
        return try statement.step() ? statement.int(column) : 0
    }

    /// Rows that the last statement has changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    func error(_ code: CInt) -> StoreError { unsafe Self.error(code, path, handle) }

    /// The failure of the disk since the last statement began; nil: it read all.
    var readFailure: StoreError? { Self.readFailure(path) }

    private static func readFailure(_ path: String) -> StoreError? {
        let code = gs_read_error_take()
        guard code != 0 else { return nil }
        return StoreError(
            .disk, "\(path): cannot be read: \(unsafe String(cString: strerror(code)))")
    }

    private static func error(
        _ code: CInt, _ path: String, _ handle: OpaquePointer?
    ) -> StoreError {
        let text = unsafe String(
            cString: handle.map { unsafe sqlite3_errmsg($0) }
                ?? sqlite3_errstr(code))
        // SQLite reports some failures of the disk as damage.
        if let failure = readFailure(path) { return failure }
        let kind: StoreError.Kind =
            switch code & 0xff {
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            case SQLITE_IOERR: .disk
            case SQLITE_FULL: .full
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .forbidden
            default: .unavailable
            }
        let mending: String =
            switch code & 0xff {
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                StoreAccess.mending(path).map { ": \($0)" } ?? ""
            case SQLITE_FULL: ": make room on its file system"
            default: ""
            }
        return StoreError(kind, "\(path): \(text)\(mending)")
    }
}

/// A prepared statement, used again and again.
@safe final class Statement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Whether there is a row.
    func step() throws(StoreError) -> Bool {
        _ = gs_read_error_take()
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = connection.error(code)
            reset()
            throw error
        }
    }

    /// Runs it to its end and makes it ready for the next use.
    func finish() throws(StoreError) {
        while try step() {}
        reset()
    }

    /// As `finish`, with first parameters that are lent and not copied.
    func finish(binding text: String, _ bytes: [UInt8]) throws(StoreError) {
        _ = try number(binding: text, bytes)
    }

    /// The same; returns the number that the statement has, or 0.
    func number(binding text: String, _ bytes: [UInt8]) throws(StoreError) -> Int {
        var text = text
        let result: Result<Int, StoreError> = text.withUTF8 { characters in
            unsafe characters.withMemoryRebound(to: CChar.self) { characters in
                check(
                    unsafe sqlite3_bind_text(
                        handle, 1, characters.baseAddress, CInt(characters.count), nil))
                return unsafe bytes.withUnsafeBytes { bytes in
                    check(
                        unsafe sqlite3_bind_blob(
                            handle, 2, bytes.baseAddress, CInt(bytes.count), nil))
                    return attempt()
                }
            }
        }
        return try result.get()
    }

    /// For a closure that lends memory, which would widen the typed error.
    private func attempt() -> Result<Int, StoreError> {
        do throws(StoreError) {
            var number = 0
            while try step() { number = int(0) }
            reset()
            return .success(number)
        } catch {
            return .failure(error)
        }
    }

    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    // MARK: Parameters, from 1

    func bind(_ place: CInt, _ number: Int) {
        check(unsafe sqlite3_bind_int64(handle, place, Int64(number)))
    }

    func bind(_ place: CInt, _ text: String) {
        var text = text
        let code = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_bind_text(
                    handle, place, characters.baseAddress, CInt(characters.count), Self.copied)
            }
        }
        check(code)
    }

    func bind(_ place: CInt, _ bytes: [UInt8]) {
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe sqlite3_bind_blob(
                handle, place, bytes.baseAddress, CInt(bytes.count), Self.copied)
        }
        check(code)
    }

    /// The sixteen bytes of a number, the highest first.
    func bind(_ place: CInt, _ number: UInt128) {
        let code = unsafe withUnsafeBytes(of: number.bigEndian) { bytes in
            unsafe sqlite3_bind_blob(
                handle, place, bytes.baseAddress, CInt(bytes.count), Self.copied)
        }
        check(code)
    }

    /// SQLite copies what is bound; the macro for it is a cast, which is not imported.
    private static var copied: sqlite3_destructor_type {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func check(_ code: CInt) {
        precondition(code == SQLITE_OK, "a parameter that cannot be bound: \(code)")
    }

    // MARK: Columns, from 0

    func isNull(_ column: CInt) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func int(_ column: CInt) -> Int { Int(unsafe sqlite3_column_int64(handle, column)) }

    func text(_ column: CInt) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func bytes(_ column: CInt) -> [UInt8] {
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        guard count > 0, let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
