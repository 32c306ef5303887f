import Notation

extension Limits {
    /// Bytes of ZMTP's greeting, with which each side begins.
    static let greetingBytes = 64
    /// Bytes that a peer has taken once CURVE has let it in: the greeting, a WELCOME of 170, and a
    /// READY of more than 60. One that is refused gets an ERROR of 12.
    static let handshakeTakenBytesMin = 64 + 170 + 32
    /// Bytes that a peer may send in its handshake: three commands of some 600 bytes and their
    /// metadata, with room to spare. libzmq would take a frame of a message's size.
    static let handshakeBytesMax = 8 * 1024
    /// Connections whose handshakes are unfinished at once. libzmq uses up to 20 KB and a
    /// descriptor for each, and waits for three seconds. As many clients may come back at once
    /// after a restart.
    static let handshakesUnfinishedMax = 512
    /// Bytes of subscriptions that a connection may send at once: some 30,000 usual ones. libzmq
    /// takes 10 µs and 5 KB for a random one of 100 bytes.
    static let subscriptionBurstBytesMax = 3 * 1024 * 1024
    /// Bytes of subscriptions that a connection may send in a second beyond that.
    static let subscriptionBytesPerSecondMax = 256 * 1024
    /// Nanoseconds after which a round of the reactor is too long: libzmq does not come back from
    /// taking subscriptions in. A subscriber that has sent this many bytes in that time is the
    /// reason.
    static let roundNanosecondsMax = 50_000_000
    static let roundBytesTakenMax = 384 * 1024
    /// The same for all connections together: many come at once when the daemon has started.
    static let subscriptionBurstBytesInAllMax = 12 * 1024 * 1024
    static let subscriptionBytesPerSecondInAllMax = 1024 * 1024
    /// Bytes of updates that may wait for a subscriber. No more wait for all of them together,
    /// since an update for many is kept once.
    static let updatesUnreadBytesMax = 128 * 1024 * 1024
    /// Bytes that a connection may send without completing a message: the largest, and its topic.
    static let unfinishedBytesMax = messageBytesMax + 128 * 1024
    /// Bytes of the unfinished messages of all connections together: some sixty of the largest, far
    /// more than peers send at once.
    static let unfinishedBytesInAllMax = 64 * 1024 * 1024
    /// Bytes of a message that may be unfinished without being counted: those of a handshake and of
    /// signs of life look like it.
    static let unfinishedBytesMin = 16 * 1024
    /// Bytes that libzmq has consumed and the reactor has not read, at which it is looked for
    /// unfinished messages.
    static let unreadBytesMax = 512 * 1024
}
