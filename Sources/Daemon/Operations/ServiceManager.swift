import CSystem
import Glibc

/// The service manager that started the daemon, told by datagrams how it fares.
///
/// The protocol is that of systemd's `sd_notify`, without its library. Used on one thread; it never
/// waits: what finds no room is told at the next occasion, in its order.
final class ServiceManager {
    /// What changes the state that the manager has of the daemon.
    enum Change: Equatable {
        case ready
        /// The configuration is read again, since a time on the monotonic clock; `ready` ends it.
        case reloading(since: Int)
        /// Nothing more is taken; the end is near.
        case stopping
        /// The end takes so much longer, in nanoseconds.
        case extended(by: Int)
    }

    private let descriptor: CInt
    private let path: String
    /// Changes that found no room yet, with their lines.
    private var waiting: [String] = []
    private var status = ""
    private var isStatusTold = true
    /// Nanoseconds within which the watchdog is to be fed; nil: there is none.
    let watchdog: Int?

    /// Changes that may wait: a manager that takes none for so long has forgotten the daemon.
    private static var waitingMax: Int { 16 }
    /// Bytes of a status: a line in a terminal, or some.
    private static var statusBytesMax: Int { 512 }

    /// Nobody is told where `path` is empty.
    init(path: String, watchdog: Int?) {
        self.path = path
        self.watchdog = path.isEmpty ? nil : watchdog
        descriptor = path.isEmpty ? -1 : gs_datagrams_open()
    }

    /// As the environment says, from which it is then gone: it is meant for this process alone.
    ///
    /// Called before there are other threads, which could be reading the environment.
    convenience init(takingEnvironment process: CInt = getpid()) {
        let path = Files.environment("NOTIFY_SOCKET") ?? ""
        let watchdog = Self.watchdog(
            microseconds: Files.environment("WATCHDOG_USEC"),
            process: Files.environment("WATCHDOG_PID"), own: process)
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
            unsafe unsetenv(name)
        }
        self.init(path: path, watchdog: watchdog)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The watchdog's time in nanoseconds; nil where none is asked for, or of another process.
    static func watchdog(microseconds: String?, process: String?, own: CInt) -> Int? {
        guard let microseconds, let time = Int(microseconds), time > 0,
            time <= Int.max / 1_000
        else { return nil }
        if let process, Int(process) != Int(own) { return nil }
        return time * 1_000
    }

    func tell(_ change: Change) {
        guard descriptor >= 0 else { return }
        if waiting.count == Self.waitingMax { waiting.removeFirst(2) }
        waiting.append(Self.text(of: change))
        flush()
    }

    /// Tells a line for `systemctl status`, if it is another than before.
    func tell(status: String) {
        guard descriptor >= 0 else { return }
        let line = Printable.line(status, bytesMax: Self.statusBytesMax)
        guard line != self.status else { return }
        self.status = line
        isStatusTold = false
        flush()
    }

    /// Tells that the daemon works; what finds no room is not made up for.
    func feedWatchdog() {
        guard watchdog != nil, waiting.isEmpty else { return }
        _ = send("WATCHDOG=1")
    }

    /// Tells what found no room before.
    func flush() {
        while let first = waiting.first, send(first) { waiting.removeFirst() }
        if waiting.isEmpty, !isStatusTold { isStatusTold = send("STATUS=\(status)") }
    }

    private static func text(of change: Change) -> String {
        switch change {
        case .ready: "READY=1"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time / 1_000)"
        case .stopping: "STOPPING=1"
        case .extended(let time): "EXTEND_TIMEOUT_USEC=\(time / 1_000)"
        }
    }

    /// Whether it need not be tried again: it is sent, or nobody is there.
    private func send(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            unsafe gs_datagram_send(descriptor, path, bytes.baseAddress, bytes.count) != 1
        }
    }
}
