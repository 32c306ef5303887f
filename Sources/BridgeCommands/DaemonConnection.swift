import Bridges
import Commands
import GesturedClient
import Glibc
import Notation

/// A bridge's way to the daemon: events out, requests and their answers, updates in.
///
/// Nothing here waits for the daemon, and the daemon may come and go: `isThere` says whether it
/// takes events now.
final class DaemonConnection {
    /// Events that wait while a daemon that is there takes none: a second of a table's fingers,
    /// beyond the thousand that libzmq holds.
    static let waitingMax = 4_096
    static let waitingBytesMax = 1_024 * 1_024

    private let connection: Connection
    private let publisher: Publisher
    private let control: Control
    private var updateThread: UpdateThread?
    private var waiting = BoundedQueue<BridgeEvent>(
        countMax: DaemonConnection.waitingMax, bytesMax: DaemonConnection.waitingBytesMax)
    /// Whether the daemon takes events.
    private(set) var isThere = false
    /// Whether `takeUpdates` has given everything that there was when the topics were followed.
    private(set) var hasJoined = false
    private(set) var published = 0
    /// Events that were lost because the daemon went or took nothing.
    private(set) var dropped = 0
    /// Replies that could not be read.
    var badReplies: Int { control.unreadCount }
    private var arrived: [Control.Reply] = []

    init(_ connection: Connection) throws(Failure) {
        self.connection = connection
        (publisher, control) = try daemon { () throws(ClientError) in
            (try connection.publisher(), try connection.control())
        }
    }

    var endpoints: Endpoints { connection.endpoints }
    /// Why the daemon is away, as far as keys are the reason; nil: they are not.
    var reasonOfAbsence: ShownText? {
        if let fault = publisher.fault { return "\(fault)" }
        return Tool.reasonOfSilence(at: endpoints.eventsTaker, hasKeys: connection.keys != nil)
    }

    /// Why updates do not come though the daemon takes events; nil: they come.
    var reasonOfDeafness: ShownText? {
        guard isThere, let error = updateThread?.reasonOfAbsence else { return nil }
        return "\(error)"
    }

    /// Publishes an event; it may wait behind others while the daemon is slow.
    ///
    /// Returns false, and counts it, where the daemon is not there or too many events wait.
    @discardableResult
    func publish(_ event: BridgeEvent) throws(Failure) -> Bool {
        guard isThere, waiting.append(event, bytes: event.topic.utf8.count + event.body.count)
        else {
            dropped += 1
            return false
        }
        try flush()
        return true
    }

    /// Sends a request and returns the id of its reply. Without a daemon it waits in the socket, at
    /// most a thousand of them.
    func ask(_ operation: String, _ fields: [Node.Member]) throws(Failure) -> String {
        try daemon { () throws(ClientError) in try control.send(operation, fields) }
    }

    /// The replies that have come.
    func replies() throws(Failure) -> [Control.Reply] {
        try takeReplies()
        defer { arrived = [] }
        return arrived
    }

    private func takeReplies() throws(Failure) {
        try daemon { () throws(ClientError) in
            while let reply = try control.takeReply() { arrived.append(reply) }
        }
    }

    /// Whether replies came while something was sent: the descriptor tells of them no more.
    func hasReplies() throws(Failure) -> Bool {
        try takeReplies()
        return !arrived.isEmpty
    }

    /// Follows the topics that begin with one of the prefixes, from their present state on. Once.
    func follow(_ prefixes: [String]) {
        updateThread = UpdateThread(connection, prefixes: prefixes)
    }

    /// Gives the updates that have come, healed by the client library, to `body`: as many as one
    /// turn has time for. The next turn begins at once where more are left.
    func takeUpdates(_ body: (ReceivedUpdate) -> Void) throws(Failure) {
        guard let updateThread else { return }
        hasJoined = try updateThread.take(body)
    }

    var descriptors: [CInt] {
        [publisher.descriptor] + control.descriptors + (updateThread.map { [$0.descriptor] } ?? [])
    }

    /// Sees whether the daemon is there, and sends what waits.
    func flush() throws(Failure) {
        try daemon { () throws(ClientError) in
            isThere = try publisher.isHeard()
            guard isThere else {
                // It would reach the next daemon late.
                dropped += waiting.removeAll()
                return
            }
            while let event = waiting.first {
                let frames = [Array(event.topic.utf8), event.body]
                guard try publisher.offer(frames) else { return }
                waiting.removeFirst()
                published += 1
            }
        }
    }

    /// Sends what waits, as long as the daemon takes it; the rest is lost.
    func finish() throws(Failure) {
        for _ in 0..<Self.finishTries {
            try flush()
            if waiting.isEmpty { return }
            usleep(Self.finishMicroseconds)
        }
        dropped += waiting.removeAll()
    }

    /// A second in all: a daemon that takes nothing for so long stands still.
    private static let finishTries = 100
    private static let finishMicroseconds: UInt32 = 10_000
}
