import ZeroMQ

/// The sockets that take events: a SUB, for publishers, and a PULL, for those that push.
enum EventSource {
    case events, pushes
}

/// The reactor's sockets and descriptors, and which of the sockets it reads at present.
struct Polling: ~Copyable {
    /// By their places in the poller.
    enum Source: Int {
        case signals
        case outbox
        case updates
        case control
        case events
        case pushes
        case handshakes
        /// The first group of readers; the others follow.
        case readers
    }

    private var poller = Poller()
    private(set) var readsEvents = true
    private(set) var readsRequests = true
    /// Whether the socket stands within a message whose rest is to be skipped.
    private var isMidEvent = false
    private var isMidPush = false
    var isMidRequest = false

    init(signals: CInt, outbox: CInt, _ sockets: borrowing Sockets) {
        poller.watch(descriptor: signals)
        poller.watch(descriptor: outbox)
        poller.watch(sockets.updates)
        poller.watch(sockets.control)
        poller.watch(sockets.events)
        poller.watch(sockets.pushes)
        poller.watch(sockets.handshakes.socket)
    }

    /// Watches these groups of readers, in place of those before.
    mutating func watch(_ groups: [ReaderGroup]) {
        poller.forget(from: Source.readers.rawValue)
        for group in groups { poller.watch(group.socket) }
    }

    /// Whether some group of readers has subscriptions to be read.
    var isAnyReaderReady: Bool {
        (Source.readers.rawValue..<poller.count).contains { !poller.ready(at: $0).isEmpty }
    }

    /// Whether no socket is left unread for want of room.
    var readsAll: Bool { readsEvents && readsRequests }

    mutating func wait(milliseconds: Int) throws(ZeroMQError) {
        try poller.wait(milliseconds: milliseconds)
    }

    /// Whether a socket may have events.
    func hasEvents(from source: EventSource) -> Bool {
        switch source {
        case .events: isReady(.events)
        case .pushes: isReady(.pushes)
        }
    }

    /// Whether a socket stands within an event whose rest is to be skipped.
    func isWithinEvent(from source: EventSource) -> Bool {
        source == .events ? isMidEvent : isMidPush
    }

    mutating func setWithinEvent(_ isWithin: Bool, from source: EventSource) {
        switch source {
        case .events: isMidEvent = isWithin
        case .pushes: isMidPush = isWithin
        }
    }

    func isReady(_ source: Source) -> Bool { !poller.ready(at: source.rawValue).isEmpty }

    /// Reads events from now on, or leaves them; returns whether that is a change.
    mutating func setReadsEvents(_ reads: Bool) -> Bool {
        guard reads != readsEvents else { return false }
        readsEvents = reads
        setInterest(reads, in: .events)
        setInterest(reads, in: .pushes)
        return true
    }

    /// Reads requests from now on, or leaves them.
    mutating func setReadsRequests(_ reads: Bool) {
        guard reads != readsRequests else { return }
        readsRequests = reads
        setInterest(reads, in: .control)
    }

    private mutating func setInterest(_ reads: Bool, in source: Source) {
        poller.setInterest(reads ? .readable : [], at: source.rawValue)
    }
}
