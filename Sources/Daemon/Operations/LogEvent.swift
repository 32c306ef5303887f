import Notation

/// Every kind of line in the log, by the words with which it begins.
///
/// docs/operations.md says what each means and what to do.
enum LogEvent: String, CaseIterable, Sendable {
    case cannotStart = "cannot start"
    case failed = "cannot go on"
    case started = "started"
    case stopping = "stopping"
    case stopped = "stopped"
    case stoppedUnstored = "stopped, and not everything is stored"
    case reloaded = "the configuration is read again"
    case reloadRefused = "the configuration is refused, and the one before stays"
    case restartNeeded = "only a restart changes"
    case lanesLate = "not all lanes answer"
    case lanesBack = "all lanes answer again"
    case storeDamaged = "the store is damaged"
    case storeUnread = "the store cannot be read now, it is tried again"
    case storeUnbegun = "the store cannot be written; nothing is counted until it can be"
    case storeFails = "nothing can be stored, it is tried again"
    case storeBack = "it can be stored again"
    case storeWaits = "the store waits for the disk"
    case storeGoesOn = "the disk has answered the store"
    case memberJoined = "a member of a cluster"
    case standbyDoubted = "a failover of the database may lose acknowledged changes"
    case leaseLate = "the lease is late, and nothing is acknowledged"
    case leaseBack = "the lease is renewed"
    case memberLost = "another member has taken over"
    case memberOutside = "it cannot join again, it is tried again"
    case memberFenced = "a member is late, and its shards are taken over"
    case sessionUnreachable = "a stored session cannot be reached"
    case storeNotClosed = "the store could not be closed in order"
    case clockDoubted = "the clock jumped, and no session expires until it is clear"
    case clockBelieved = "the clock is believed again"
    case subscriptionsMany = "there are many subscriptions"
    case peerCut = "a peer's connection is cut"
    case keyRefused = "a peer's key is refused"
    case keysTaken = "keys and grants are read"
    case grantDoubted = "a grant has no effect"
    case grantMissing = "clients without a table may do nothing but hello"
    case grantsWidened = "clients may do everything now"
    case keysMissing = "keys are missing"
    case keysPassedOver = "files in the folder of keys are passed over"
    case keyExposed = "a secret key can be read by others"
    case eventsRefused = "events are refused"
    case linesDropped = "lines of the log found no room"

    var level: Configuration.LogLevel {
        switch self {
        case .cannotStart, .failed, .reloadRefused: .error
        case .stoppedUnstored, .restartNeeded, .lanesLate, .storeDamaged, .storeUnread,
            .storeUnbegun, .storeFails, .storeWaits, .sessionUnreachable, .storeNotClosed,
            .clockDoubted,
            .standbyDoubted, .leaseLate, .memberLost, .memberOutside, .memberFenced,
            .subscriptionsMany, .peerCut, .keyRefused, .grantDoubted, .grantMissing, .grantsWidened,
            .keysMissing, .keysPassedOver, .keyExposed, .eventsRefused, .linesDropped:
            .warning
        case .started, .stopping, .stopped, .reloaded, .lanesBack, .storeBack, .storeGoesOn,
            .memberJoined, .leaseBack, .clockBelieved, .keysTaken:
            .info
        }
    }

    /// The kind of line that this one ends.
    var opposite: LogEvent? { Self.opposites[self] }

    private static let opposites: [LogEvent: LogEvent] = [
        .lanesBack: .lanesLate, .storeBack: .storeFails, .storeGoesOn: .storeWaits,
        .leaseBack: .leaseLate, .clockBelieved: .clockDoubted,
    ]

    /// Whether a disk or a peer can cause any number of them: then repeated ones are counted.
    var isCounted: Bool {
        switch self {
        case .lanesLate, .lanesBack, .storeUnread, .storeFails, .storeBack, .storeWaits,
            .storeGoesOn, .memberJoined, .leaseLate, .leaseBack, .memberLost, .memberOutside,
            .memberFenced,
            .clockDoubted, .clockBelieved, .subscriptionsMany, .peerCut,
            .keyRefused, .linesDropped:
            true
        case .cannotStart, .failed, .started, .stopping, .stopped, .stoppedUnstored, .reloaded,
            .reloadRefused, .restartNeeded, .storeDamaged, .storeUnbegun,
            .sessionUnreachable, .storeNotClosed, .standbyDoubted,
            .eventsRefused, .keysTaken, .grantDoubted, .grantMissing, .grantsWidened, .keysMissing,
            .keysPassedOver, .keyExposed:
            false
        }
    }
}

/// One line for the administrator.
struct LogRecord: Equatable, Sendable {
    var event: LogEvent
    /// The text behind the kind's own words.
    var detail: String
    /// The subject of the line, for searches in the journal. A peer can fill any of them.
    var session: String?
    var topic: String?
    var code: String?

    init(
        _ event: LogEvent, _ detail: String = "", session: String? = nil, topic: String? = nil,
        code: String? = nil
    ) {
        self.event = event
        self.detail = detail
        self.session = session
        self.topic = topic
        self.code = code
    }

    /// The line without its level, made printable.
    var text: String {
        let whole = detail.isEmpty ? event.rawValue : "\(event.rawValue): \(detail)"
        return Printable.line(whole, bytesMax: Self.textBytesMax)
    }

    /// Bytes of a line: with its level it fits a pipe's PIPE_BUF.
    private static var textBytesMax: Int { 2_048 }
}
