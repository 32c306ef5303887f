import Notation

/// All that the guard knows of peers' connections, from one look to the next. It performs nothing.
struct ConnectionWatch {
    /// The reactor's progress that one look needs beside the judge's.
    struct Reading {
        var eventBytes = 0
        var subscriptionsEmptied = 0
    }

    private(set) var judge: ConnectionJudge
    private(set) var events = UnreadMessages(.events)
    private(set) var requests = UnreadMessages(.requests)
    private(set) var memory = QueuedMemory()
    private var signs: SignsOfLife
    private(set) var unfinished: UnfinishedMessages
    /// Connections that are to be cut, and why.
    private(set) var cuts: [(descriptor: CInt, reason: ConnectionCutter.Reason)] = []

    init(isEncrypted: Bool, updatesWaitingMax: Int) {
        judge = ConnectionJudge(isEncrypted: isEncrypted, updatesWaitingMax: updatesWaitingMax)
        signs = SignsOfLife(isEncrypted: isEncrypted)
        unfinished = UnfinishedMessages(isEncrypted: isEncrypted)
    }

    /// Whether the reactor is to go through a round, which shows what it has read.
    var needsRound: Bool {
        judge.isAuditing || signs.isSuspicious || (memory.isShort && unfinished.areMany)
    }

    /// The process's memory, which is asked for when much waits.
    struct Memory {
        /// Its bytes.
        var resident: () -> Int
        /// Those that are allocated and that the daemon does not know of.
        var unexplained: () -> Int
    }

    /// Takes a look at all connections; `cuts` has what follows.
    mutating func look(
        _ samples: [ConnectionJudge.Sample], _ progress: ConnectionJudge.Progress,
        _ reading: Reading, at now: Int, accounted: (CInt) -> Int?,
        counts: (CInt) -> UnfinishedMessages.Counts?, process: Memory
    ) {
        cuts.removeAll(keepingCapacity: true)
        var progress = progress
        // Messages that wait to be read are in both.
        let waiting = max(events.bytes + requests.bytes, unfinished.bytes)
        if memory.isDue(waiting: waiting, at: now) {
            memory.look(
                resident: process.resident(), waiting: waiting, at: now,
                unexplained: process.unexplained)
        }
        progress.isMemoryShort = memory.isShort
        cuts += events.look(samples, read: reading.eventBytes, progress)
            .map { ($0, .tooManyEventsUnread) }
        cuts += requests.look(samples, read: progress.bytes - reading.eventBytes, progress)
            .map { ($0, .tooManyRequestsUnread) }
        let tooLively = signs.look(
            samples, emptied: reading.subscriptionsEmptied, at: now, accounted: accounted)
        cuts += tooLively.map { ($0, .tooManySignsOfLife) }
        cuts += unfinished.look(samples, progress, at: now, counts: counts)
            .map { ($0, .tooManyUnfinishedBytes) }
        cuts += judge.judge(samples, progress, at: now).map { ($0.descriptor, $0.reason) }
    }
}

extension ConnectionCutter.Reason {
    /// Whether the peer would do the same harm by a new connection at once.
    var slowsNewcomers: Bool {
        switch self {
        case .tooManyFrames, .tooManySignsOfLife, .tooManyUnfinishedBytes: true
        default: false
        }
    }
}
