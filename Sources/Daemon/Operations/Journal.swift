import CSystem
import Glibc
import Notation
import Platform
import Supervision

/// systemd's journal, by its native protocol: each record is one datagram of fields.
///
/// https://systemd.io/JOURNAL_NATIVE_PROTOCOL/
@safe final class Journal: Sendable {
    static let path = "/run/systemd/journal/socket"

    private let descriptor: CInt
    private let path: String

    enum Outcome {
        case sent
        /// The reader is too slow.
        case full
        /// No reader is there.
        case failed
    }

    /// Nil if no socket can be opened.
    init?(path: String = Journal.path) {
        self.path = path
        descriptor = gs_datagrams_open()
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func send(_ record: LogRecord) -> Outcome {
        let bytes = Self.encode(record)
        let result = unsafe bytes.withUnsafeBytes {
            unsafe gs_datagram_send(descriptor, path, $0.baseAddress, $0.count)
        }
        return result == 0 ? .sent : result == 1 ? .full : .failed
    }

    /// Bytes of a field that a peer can fill.
    private static var fieldBytesMax: Int { 1_024 }

    static func encode(_ record: LogRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        append("MESSAGE", record.text, to: &bytes)
        append("PRIORITY", "\(record.event.level.priority)", to: &bytes)
        append("SYSLOG_IDENTIFIER", "gestured", to: &bytes)
        append("SESSION", ofPeer: record.session, to: &bytes)
        append("TOPIC", ofPeer: record.topic, to: &bytes)
        append("CODE", ofPeer: record.code, to: &bytes)
        return bytes
    }

    /// Writes a value of one line; a line break would begin another field.
    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes += "\(name)=\(value)\n".utf8
    }

    /// Writes a value that a peer can fill.
    private static func append(_ name: String, ofPeer value: String?, to bytes: inout [UInt8]) {
        guard let value else { return }
        append(name, Printable.line(value, bytesMax: fieldBytesMax), to: &bytes)
    }
}

extension Log.Outlet {
    /// The journal if it reads standard error, else standard error itself.
    init() {
        let isJournal = StandardStreams.isJournal(
            STDERR_FILENO, stream: Host.variable("JOURNAL_STREAM"))
        if isJournal, let journal = Journal() {
            self = .journal(journal)
        } else {
            self = .lines(gs_reopen_unblocked(STDERR_FILENO))
        }
    }
}

extension Configuration.LogLevel {
    /// As syslog numbers them.
    fileprivate var priority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug: 7
        }
    }
}
