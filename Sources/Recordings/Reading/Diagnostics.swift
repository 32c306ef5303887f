/// Collects what is wrong with a file.
///
/// A bad line ends the reading, unless the person asked to keep going: then it is left out and
/// named. Only the format that reads the file may write here.
struct Diagnostics {
    /// The lines left out that are named one by one; more are only counted.
    static let namedMax = 10

    let file: String
    /// Whether a line that cannot be read is left out.
    let keepsGoing: Bool
    private(set) var skipped = 0
    private var firstSkipped: RecordingError?
    private var leftOut: [String] = []
    private var notes: [String] = []

    init(file: String, keepsGoing: Bool) {
        self.file = file
        self.keepsGoing = keepsGoing
    }

    func error(_ line: Int, _ message: String) -> RecordingError {
        RecordingError(file: file, line: line, message: message)
    }

    /// Throws the error, or leaves its line out where reading keeps going.
    mutating func skipLine(_ error: RecordingError) throws(RecordingError) {
        guard keepsGoing else { throw error }
        skipped += 1
        if firstSkipped == nil { firstSkipped = error }
        if skipped <= Self.namedMax { notes.append("\(error): left out") }
    }

    /// Whether something of good lines was left out.
    var hasLeftOut: Bool { !leftOut.isEmpty }

    /// Why nothing is left of a file: the first bad line, or else what was left out of good lines.
    func nothingLeft(_ error: RecordingError) -> RecordingError {
        guard var first = firstSkipped else {
            return self.error(error.line, ([error.message] + leftOut).joined(separator: "; "))
        }
        first.message += "; \(counted(skipped, "line")) left out, and then: \(error.message)"
        return first
    }

    /// Adds a note that is no reason to refuse the file.
    mutating func addNote(_ message: String, leavesOut: Bool = false) {
        notes.append("\(file): \(message)")
        if leavesOut { leftOut.append(message) }
    }

    /// All notes, each one line.
    var messages: [String] {
        guard skipped > 0 else { return notes }
        return notes + ["\(file): \(counted(skipped, "line")) left out in all"]
    }
}

/// `1 line`, `2 lines`.
package func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
}

/// `pointer 3 (line 17), pointer 4 (line 21) and 5 more`.
func listed(_ things: [(pointer: Int, line: Int)]) -> String {
    let named = things.prefix(Diagnostics.namedMax).map {
        "pointer \($0.pointer) (line \($0.line))"
    }
    let rest = things.count - named.count
    return named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
}
