import CSystem
import Glibc
import Supervision
import Synchronization

/// Lines for the administrator: to the journal if it listens, else to standard error, where each
/// begins with its time.
///
/// Events write no lines, and repeated lines are counted. Any thread may use it and none ever
/// waits for the reader: a line without room is dropped and counted.
final class Log: Sendable {
    typealias Level = Configuration.LogLevel

    /// Where lines go.
    enum Outlet: Sendable {
        /// A descriptor that takes lines of text.
        case lines(CInt)
        case journal(Journal)
    }

    /// Lines of one kind within a span of time.
    private struct Repetition {
        var told: Int
        var more = 0
        var last: LogRecord
    }

    private struct State {
        var repetitions: [LogEvent: Repetition] = [:]
        /// Lines without room since the last line that said how many.
        var dropped = 0
    }

    private let outlet: Outlet
    private let rank: Atomic<Int>
    private let state = Mutex(State())
    private let droppedTotal = Atomic<Int>(0)

    /// Nanoseconds in which one line of a counted kind is written.
    static var span: Int { 10_000_000_000 }

    init(level: Level = .info, to outlet: Outlet = Outlet()) {
        self.outlet = outlet
        rank = Atomic(level.rank)
    }

    /// Sets which lines are written from now on.
    func set(_ level: Level) { rank.store(level.rank, ordering: .relaxed) }

    /// Lines without room since the start.
    var dropped: Int { droppedTotal.load(ordering: .relaxed) }

    func write(_ event: LogEvent, _ detail: String = "") { write(LogRecord(event, detail)) }

    func write(_ record: LogRecord, at time: Int = Clock.monotonic()) {
        guard record.event.level.rank <= rank.load(ordering: .relaxed) else { return }
        state.withLock { state in
            guard record.event.isCounted else { return write(record, &state) }
            if var repetition = state.repetitions[record.event],
                time - repetition.told < Self.span || repetition.more > 0
            {
                repetition.more += 1
                repetition.last = record
                state.repetitions[record.event] = repetition
            } else {
                state.repetitions[record.event] = Repetition(told: time, last: record)
                if let opposite = record.event.opposite {
                    writeCount(opposite, at: time, &state)
                }
                write(record, &state)
            }
        }
    }

    /// Writes how many lines were counted instead of written, once their span is over. Called about
    /// once a second; at the end with `isLast`.
    func tick(at time: Int = Clock.monotonic(), isLast: Bool = false) {
        state.withLock { state in
            for event in LogEvent.allCases {
                guard let repetition = state.repetitions[event],
                    isLast || time - repetition.told >= Self.span
                else { continue }
                writeCount(event, at: time, &state)
            }
        }
    }

    /// Writes how many lines of a kind were counted, before a line of the opposite kind.
    private func writeCount(_ event: LogEvent, at time: Int, _ state: inout State) {
        guard let repetition = state.repetitions[event], repetition.more > 0 else { return }
        var record = repetition.last
        let seconds = max(1, (time - repetition.told + 500_000_000) / 1_000_000_000)
        record.detail += " … \(repetition.more) more like it in \(seconds) s"
        state.repetitions[event] = Repetition(told: time, last: repetition.last)
        if let opposite = event.opposite { writeCount(opposite, at: time, &state) }
        write(record, &state)
    }

    private func write(_ record: LogRecord, _ state: inout State) {
        if state.dropped > 0 {
            let lost = LogRecord(.linesDropped, "\(state.dropped) since the last one that did")
            guard send(lost) else { return drop(&state) }
            state.dropped = 0
        }
        if !send(record) { drop(&state) }
    }

    private func drop(_ state: inout State) {
        state.dropped += 1
        droppedTotal.wrappingAdd(1, ordering: .relaxed)
    }

    /// Returns whether there was room.
    private func send(_ record: LogRecord) -> Bool {
        switch outlet {
        case .lines(let descriptor): return Self.write(record, to: descriptor)
        case .journal(let journal):
            switch journal.send(record) {
            case .sent: return true
            case .full: return false
            // The journal has gone: its reader looks at standard error next.
            case .failed: return Self.write(record, to: STDERR_FILENO)
            }
        }
    }

    private static func write(_ record: LogRecord, to descriptor: CInt) -> Bool {
        let time = Timestamp.text(ofWallNanoseconds: Clock.wall())
        var line = "\(time) gestured: \(record.event.level.rawValue): \(record.text)\n"
        // A log without a reader is no reason to stop.
        return line.withUTF8 { bytes in
            unsafe gs_write_unless_full(descriptor, bytes.baseAddress, bytes.count) == 0
        }
    }
}

extension Configuration.LogLevel {
    /// A higher rank writes more.
    fileprivate var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }
}
