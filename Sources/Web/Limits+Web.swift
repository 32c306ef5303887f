package import Notation

extension Limits {
    /// WebSockets that are open at once: each may hold a message and a queue of the bounds below.
    package static let webClientsMax = 256
    /// Connections in all, with those that only fetch files.
    package static let webConnectionsMax = 512
    /// Bytes of all answers to requests for files and figures that are not taken yet: two of the
    /// largest file.
    package static let webAnswerBytesMax = 32 * 1_024 * 1_024
    /// Bytes of a client's message: as large as the daemon takes one, for imports.
    package static let webMessageBytesMax = messageBytesMax
    /// Bytes of an event's body: the daemon's own bound. A thousand events may wait for a daemon
    /// that does not read.
    package static let webBodyBytesMax = 64 * 1_024
    /// Fragments of a message: browsers send one or two.
    package static let webFragmentsMax = 64
    /// Members of a message, and of a request in it: no operation has more than ten. A message of
    /// the largest may have 150,000, which take a tenth of a second.
    package static let webMembersMax = 256
    /// Bytes of a member's name that is looked at: no longer one means anything here. Swift brings
    /// a text into its normal form to tell it from others, which takes a tenth of a second for
    /// a MB.
    package static let webNameBytesMax = 64
    /// Bytes of an operation's name that is looked at: none has more.
    package static let webOperationBytesMax = 16
    /// Bytes that write one byte of a text in JSON, at most: as `\u0041` does.
    static let webWrittenBytesOfByteMax = 6
    /// Prefixes that one client subscribes to: five topics of some fifty sessions.
    package static let webSubscriptionsMax = 256
    /// Bytes of all clients' different prefixes, each with its overhead. The daemon cuts its
    /// subscriber above 3 MiB, and when more than 384 KiB come at once and keep it busy, as they
    /// all do when it has restarted.
    package static let webSubscriptionBytesMax = 384 * 1_024
    /// Bytes that a prefix costs the daemon beside its own.
    package static let webSubscriptionOverheadBytes = 32
    /// Bytes of prefixes that all clients begin and end in a second, on average, with overhead. At
    /// most 4,096 changes: the daemon cuts its subscriber above 8,192, and above 256 KiB.
    package static let webSubscriptionBytesPerSecond = 128 * 1_024
    /// The same at once: 16,384 changes, besides the ends that are paid; the daemon takes 32,768.
    package static let webSubscriptionBurstBytesMax = 512 * 1_024
    /// Prefixes that begin in a turn of the loop: one that a client's 255 others are beginnings of
    /// takes 40 µs.
    package static let webSubscriptionsOfTurnMax = 64
    /// One client has at most this part of the rate, and of the shared bytes that are free.
    package static let webSubscriptionShare = 8
    /// Sessions that one client binds: a page has eleven cards, and those of a replay.
    package static let webBoundSessionsMax = 32
    /// Those that wait to be closed: a dozen of each of 256 clients, and some more. With those that
    /// clients bind, 8,192 at most, they take 4 MiB at 300 bytes each.
    package static let webLeftSessionsMax = 4_096
    /// Seconds for which such a session waits for its page: one that lost its connection tries
    /// again every second, and a reload is over by then.
    package static let webBoundSeconds = 10
    /// Sessions that are being closed at once: the daemon takes 256 requests of a peer, and clients
    /// need 96 of them.
    package static let webClosingMax = 32
    /// Requests of one client that wait for the daemon: more than a page asks at once.
    package static let webRequestsMax = 32
    /// Those of all clients that are with the daemon at once; the others wait in the bridge, where
    /// clients take turns. The daemon sees one peer in them, takes 256 costly requests of a peer,
    /// and serves them in their order: fewer keep the way of a newcomer's request short.
    package static let webRequestsInAllMax = 96
    /// Those of one client among them.
    package static let webRequestsAtOnceMax = 16
    /// Those beside them of clients that are answered soon: costly requests of many others do not
    /// keep them waiting, and those beyond wait with all others.
    package static let webSoonRequestsMax = 32
    /// Those of one client among all of these.
    package static let webSoonAtOnceMax = 4
    /// Nanoseconds within which an answer comes soon; one within half of the usual time does, too.
    package static let webSoonNanoseconds = 20_000_000
    /// Bytes of answers under way, as far as they are foreseen: over CURVE they take 50 ms, for
    /// which other answers wait behind them.
    package static let webAwaitedBytesMax = 8 * 1_024 * 1_024
    /// Bytes of an answer that is small: it need not wait for the others, and all that may be under
    /// way take 8 MiB.
    package static let webSmallAnswerBytes = 64 * 1_024
    /// Bytes that an answer is taken to have which is never large; a newcomer's first other one, at
    /// least; and its export.
    package static let webSmallAnswerGuessBytes = 16 * 1_024
    package static let webAnswerGuessBytes = 256 * 1_024
    package static let webExportGuessBytes = 1_024 * 1_024
    /// Bytes of all requests that wait in the bridge: sixteen of the largest.
    package static let webWaitingBytesMax = 16 * 1_024 * 1_024
    /// One client has at most this part of what is free of them, but always so many bytes.
    package static let webWaitingShare = 8
    package static let webWaitingBytesMin = 16 * 1_024
    /// Bytes of a request to a cluster that is kept until it is answered, so that it can go on to
    /// another member: an event's body fits, twice over. All requests together take 12 MiB.
    package static let webKeptBytesMax = 128 * 1_024
    /// Messages of one client a second, on average: ten fingers at 200 samples a second.
    package static let webMessagesPerSecond = 2_000
    /// Bytes of one client a second, on average.
    package static let webBytesPerSecond = 1_024 * 1_024
    /// Messages of one client that are refused, since above the rate or faulty, until it is closed.
    package static let webFaultsMax = 1_000
    /// How many of them are forgiven each second.
    package static let webFaultsPerSecond = 10
    /// Bytes of a message above the rate that count as one more refusal: four of the largest, which
    /// had to be inflated all the same, close their client.
    package static let webFaultBytes = 4 * 1_024
    /// Bytes that one client gets before the next one's turn: what the kernel takes at once.
    package static let webTurnBytesMax = 16 * 1_024
    /// Bytes of a waiting frame that still takes a newer one in. Only transitions pile up so far.
    package static let webMergedBytesMax = 64 * 1_024
    /// A larger one does so while it has at most this many times the newer one's bytes.
    package static let webMergedTimesMax = 4
    /// Bytes that wait for one client: some hundred scenes, or one whole export.
    package static let webQueueBytesMax = 4 * 1_024 * 1_024
    /// Bytes that a waiting message costs beside its own: an entry and the head of its memory.
    package static let webQueueOverheadBytes = 96
    /// The same of all clients, with the messages of clients that are arriving: half of what the
    /// service may have, for memory has gaps.
    package static let webQueuesBytesMax = 256 * 1_024 * 1_024
    /// Nanoseconds for which messages of the daemon are read, and as long again for which updates
    /// are handed out, before clients are served again.
    package static let webTurnNanoseconds = 4_000_000
    /// Bytes of updates that wait to be handed out: a session has at most what is free of them, or
    /// the newest of each topic. A session may always have so many.
    package static let webInboxBytesMax = 16 * 1_024 * 1_024
    package static let webInboxLineBytesMin = 64 * 1_024
    /// The same with all that is the newest of its topic: then the daemon's socket holds the rest.
    package static let webInboxFullBytes = 64 * 1_024 * 1_024
    /// Bytes of a frame that is large: to make it one with another one takes 50 µs. So many bytes
    /// of large ones are made one in a turn of the loop, which takes some ms.
    package static let webLargeFrameBytes = 16 * 1_024
    package static let webMergedBytesOfTurnMax = 512 * 1_024
    /// Seconds until the daemon must have answered a request.
    package static let webRequestSeconds = 10
    /// Seconds without a heartbeat until the daemon counts as gone; it beats once a second.
    package static let webHeartbeatSeconds = 3
}
