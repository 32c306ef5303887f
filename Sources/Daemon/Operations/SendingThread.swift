import Platform

/// The thread of libzmq that carries all updates, as the system sees it.
struct SendingThread {
    /// The system's file of its times; nil: the system has none.
    private let path: String?

    /// A socket must be there: libzmq starts its threads with the first.
    init() {
        let tasks = "/proc/self/task"
        let name = "ZMQbg/IO/\(Sockets.IOThread.updates.rawValue)"
        path = (Folder.names(in: tasks) ?? []).lazy.map { "\(tasks)/\($0)" }.first {
            Self.text("\($0)/comm")?.hasPrefix(name) == true
        }.map { "\($0)/schedstat" }
    }

    /// Nanoseconds since the start in which it had something to do: it ran, or waited for a
    /// processor. Nil: the system does not tell.
    var busyNanoseconds: Int? {
        guard let path, let text = Self.text(path) else { return nil }
        let fields = text.split(separator: " ").prefix(2).compactMap { Int($0) }
        return fields.count == 2 ? fields[0] + fields[1] : nil
    }

    private static func text(_ path: String) -> String? {
        (try? PlainFile.beginning(path, bytesMax: 128)).map { String(decoding: $0, as: UTF8.self) }
    }
}
