import Commands
import Glibc

/// Where a table's lines go: to standard output as they are, or through Python into Parquet.
final class TableOutput {
    /// The interpreter, and the variable that names another.
    private static let interpreter = "python3"
    private static let variable = "GESTURED_PYTHON"
    /// Bytes of the interpreter's complaint that are kept.
    private static let complaintBytesMax = 65_536

    /// The end of a pipe to the interpreter; nil: standard output.
    private var pipe: Int32?
    private var complaint: Int32 = -1
    private var process: pid_t = 0
    private let python: String

    /// Lines of comma-separated values on standard output.
    init() { python = "" }

    /// Starts an interpreter that turns them into Parquet, in a file or on standard output.
    ///
    /// It is asked whether it can before anything is run, so that a missing package costs nobody
    /// a minute.
    init(parquetTo path: String?) throws(Failure) {
        python = environment(Self.variable) ?? Self.interpreter
        let trial = ["-c", "import gestured.parquet, pyarrow.csv, pyarrow.parquet"]
        try start(trial)
        let (status, words) = try end()
        guard status == 0 else { throw missing(words) }
        try start(["-m", "gestured.parquet"] + (path.map { ["--output", $0] } ?? []))
    }

    deinit { _ = try? end() }

    func write(_ lines: ShownJSON) throws(Failure) {
        guard let pipe else { return try Console.printLines(lines) }
        // An interpreter that ended says why in `finish`.
        do throws(Failure) {
            try OutputFile(adopting: dup(pipe), path: python).write(lines)
        } catch {
            if error != .outputClosed { throw error }
        }
    }

    /// Ends the table; throws where the interpreter failed.
    func finish() throws(Failure) {
        guard pipe != nil else { return }
        let (status, words) = try end()
        guard status == 0 else {
            throw .file("--format parquet: \(Self.lastLine(words) ?? "\(python) failed")")
        }
    }

    private func missing(_ words: String) -> Failure {
        let reason = Self.lastLine(words) ?? "cannot be run"
        return .file(
            """
            --format parquet needs the Python package gestured with its tables: \
            pip install './Clients/python[tables]' (\(python): \(reason); \
            \(Self.variable) names another interpreter)
            """)
    }

    private static func lastLine(_ words: String) -> String? {
        words.split(separator: "\n").last.map(String.init)
    }

    // MARK: The interpreter

    private func start(_ arguments: [String]) throws(Failure) {
        let input = try makePipe()
        let errors = try makePipe()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
        let words = [python] + arguments
        // The child gets copies of these words; they are freed whatever happens.
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        let code = unsafe posix_spawnp(&process, python, &actions, nil, &pointers, environ)
        close(input.reading)
        close(errors.writing)
        pipe = input.writing
        complaint = errors.reading
        if code != 0 {
            process = 0
            _ = try end()
            throw missing(Console.words(for: code))
        }
    }

    private func makePipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else {
            throw .file("\(python): \(Console.words(for: errno))")
        }
        // The interpreter would hold its own input open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Closes the interpreter's input, and waits until it has ended.
    private func end() throws(Failure) -> (status: Int32, words: String) {
        guard let open = pipe else { return (0, "") }
        close(open)
        pipe = nil
        var words: [UInt8] = []
        do throws(Failure) {
            let chunks = ChunkReader(descriptor: complaint, name: python)
            while let chunk = try chunks.next() {
                if words.count < Self.complaintBytesMax { words += chunk }
            }
        } catch {
            words += Array("unreadable".utf8)
        }
        close(complaint)
        var status: Int32 = 0
        if process > 0 {
            while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }
        return (status, String(decoding: words, as: UTF8.self))
    }
}
