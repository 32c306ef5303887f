import Bridges
import Commands
import Glibc

/// The file of a `DeliveryLedger`: it has each id before the daemon does.
final class LedgerFile {
    /// Bytes of a file that is read; far more than its bound of lines.
    private static let bytesMax = 4 * 1_024 * 1_024

    let path: String
    private var file: CInt = -1
    private var lines = 0

    /// Opens the file, makes it where it is not there, and keeps other bridges out of it.
    ///
    /// Returns the ledger in it.
    init(path: String, _ ledger: inout DeliveryLedger) throws(Failure) {
        self.path = path
        file = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw fault() }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            throw .file("\(path): another bridge uses it; give this one another --client-id")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(file, &chunk, chunk.count)
            guard count >= 0 else { throw fault() }
            if count == 0 { break }
            bytes += chunk.prefix(count)
            guard bytes.count <= Self.bytesMax else { throw .file("\(path): not a ledger") }
        }
        ledger = DeliveryLedger(reading: String(decoding: bytes, as: UTF8.self))
        if ledger.unread > 0 {
            BridgeLog.printWarning("\(path): \(ledger.unread) lines cannot be read; left out")
        }
        lines = bytes.count { $0 == 0x0A }
        // A line that a dying bridge did not finish must not swallow the next one.
        if bytes.last.map({ $0 != 0x0A }) ?? false { try add("\n") }
    }

    deinit { if file >= 0 { close(file) } }

    /// Adds lines; they are on the disk when it returns. Writes the file anew where it is long.
    func append(_ added: [String], of ledger: DeliveryLedger) throws(Failure) {
        if lines + added.count > DeliveryLedger.linesMax {
            try replace(by: ledger)
            return
        }
        try add(added.joined())
        lines += added.count
    }

    /// Writes the whole ledger. A bridge that is killed meanwhile may double a message, but
    /// never loses it.
    func replace(by ledger: DeliveryLedger) throws(Failure) {
        guard ftruncate(file, 0) == 0 else { throw fault() }
        try add(ledger.text)
        lines = ledger.count
    }

    private func add(_ text: String) throws(Failure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw fault() }
            rest = rest.dropFirst(max(0, count))
        }
        guard fdatasync(file) == 0 else { throw fault() }
    }

    private func fault() -> Failure { .file("\(path): \(Console.words(for: errno))") }
}
