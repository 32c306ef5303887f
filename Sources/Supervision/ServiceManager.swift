// Supervision: what every program needs that runs as a service.
//
// `ServiceManager` tells systemd how it goes; `StandardStreams` prints the ready line and errors.

import CSystem
import Glibc
import Notation
import Platform

/// Reports a program's state to the service manager that started it, by datagrams.
///
/// The protocol is systemd's `sd_notify`, without its library. One thread uses it. It never waits:
/// a datagram without room is sent at the next occasion, in its order.
package final class ServiceManager {
    /// A change of the program's state.
    package enum Change: Equatable {
        case ready
        /// The configuration is read again, since a monotonic time; `ready` ends it.
        case reloading(since: Int)
        /// The daemon takes nothing more and ends.
        case stopping
        /// The end takes this much longer, in nanoseconds.
        case extended(by: Int)
    }

    private let descriptor: CInt
    private let path: String
    /// Datagrams without room so far.
    private var waiting: [String] = []
    private var status = ""
    private var isStatusTold = true
    /// Nanoseconds within which the watchdog must be fed; nil: there is none.
    package let watchdog: Int?

    /// Changes that may wait. A manager that reads none for so long has forgotten the daemon.
    private static var waitingMax: Int { 16 }
    /// Bytes of a status: some lines in a terminal.
    private static var statusBytesMax: Int { 512 }

    /// With an empty `path`, or one that no socket can have, nothing is sent or opened.
    package init(path: String, watchdog: Int?) {
        let hasManager = unsafe gs_datagram_path_fits(path) != 0
        self.path = path
        self.watchdog = hasManager ? watchdog : nil
        descriptor = hasManager ? gs_datagrams_open() : -1
    }

    /// Whether a socket is open for a manager.
    package var isOpen: Bool { descriptor >= 0 }

    /// Reads the environment and removes what it read, which is meant for this process alone.
    ///
    /// Call it before other threads exist, which could be reading the environment.
    package convenience init(takingEnvironment process: CInt = getpid()) {
        let path = Host.variable("NOTIFY_SOCKET") ?? ""
        let watchdog = Self.watchdog(
            microseconds: Host.variable("WATCHDOG_USEC"),
            process: Host.variable("WATCHDOG_PID"), own: process)
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
            unsafe unsetenv(name)
        }
        self.init(path: path, watchdog: watchdog)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The watchdog's time in nanoseconds; nil if there is none, or it is another process's.
    package static func watchdog(microseconds: String?, process: String?, own: CInt) -> Int? {
        guard let microseconds, let time = Int(microseconds), time > 0,
            time <= Int.max / 1_000
        else { return nil }
        if let process, Int(process) != Int(own) { return nil }
        return time * 1_000
    }

    package func notify(_ change: Change) {
        guard descriptor >= 0 else { return }
        if waiting.count == Self.waitingMax { waiting.removeFirst(2) }
        waiting.append(Self.text(of: change))
        flush()
    }

    /// Sends a line for `systemctl status`, if it differs from the last one.
    package func notify(status: String) {
        guard descriptor >= 0 else { return }
        let line = Printable.line(status, bytesMax: Self.statusBytesMax)
        guard line != self.status else { return }
        self.status = line
        isStatusTold = false
        flush()
    }

    /// Sends a sign of life. One without room is not sent later.
    package func feedWatchdog() {
        guard watchdog != nil, waiting.isEmpty else { return }
        _ = send("WATCHDOG=1")
    }

    /// Sends what had no room before.
    package func flush() {
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

    /// Returns false if it must be tried again; true if it is sent or no manager is there.
    private func send(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            unsafe gs_datagram_send(descriptor, path, bytes.baseAddress, bytes.count) != 1
        }
    }
}
