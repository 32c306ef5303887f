import Glibc
import Notation
import ZeroMQ

/// The sockets for events to the members of a cluster. For one thread.
final class MemberEventSockets {
    /// For so long an owner is believed without a word: it passes on what is no more its own.
    private static let fresh = Duration.seconds(1)
    /// A publisher of events must not wait: a member that is there answers sooner.
    private static let momentMilliseconds = 300
    /// Sessions whose owners are remembered; then all are forgotten, and asked for anew.
    private static let foundMax = 10_000
    /// The third frame of an event that goes to one member alone: how often it may be passed on.
    private static let passes: [UInt8] = [UInt8(ascii: "3")]
    /// An event whose topic names no session goes where this one's would go.
    private static let noSession = "-"

    private struct Found {
        var member: Member
        var isCluster: Bool
        var until: ContinuousClock.Instant
    }

    private let connection: Connection
    private let control: Control
    /// Asks for the member that takes what is offered: it waits for no more than a moment.
    private let finder: Control
    private var found: [String: Found] = [:]
    /// By the address that takes the member's events.
    private var sockets: [String: EventSocket] = [:]
    /// The member that takes what is offered, and since when it is waited for.
    private var home: Found?
    private var homeSince = ContinuousClock.now

    init(_ connection: Connection) throws(ClientError) {
        self.connection = connection
        control = try connection.control()
        finder = try Connection(
            to: connection.endpoints,
            timeoutMilliseconds: min(
                connection.timeoutMilliseconds, Self.momentMilliseconds),
            keys: connection.keys
        ).control()
    }

    func publish(topic: [UInt8], body: [UInt8]) throws(ClientError) {
        let (socket, isCluster) = try ready(for: topic)
        try socket.publish(isCluster ? [topic, body, Self.passes] : [topic, body])
    }

    func waitForSubscription(to topic: [UInt8]) throws(ClientError) { _ = try ready(for: topic) }

    var fault: ClientError? { home.flatMap { sockets[$0.member.endpoints.eventsTaker]?.fault } }

    /// The owner's socket, once it takes a topic; an owner that takes nothing for a second is left.
    private func ready(for topic: [UInt8]) throws(ClientError) -> (EventSocket, isCluster: Bool) {
        let text = String(decoding: topic, as: UTF8.self)
        let session = Route.session(ofTopic: text) ?? Self.noSession
        let deadline = Deadline(milliseconds: connection.timeoutMilliseconds)
        while !deadline.isPast {
            guard let found = try find(session) else {
                let pause = min(Route.pauseMilliseconds, deadline.milliseconds)
                usleep(UInt32(pause) * 1_000)
                continue
            }
            do throws(ClientError) {
                let socket = try socket(at: found.member)
                try socket.waitForSubscription(
                    to: topic,
                    withinMilliseconds: min(Route.attemptMilliseconds, deadline.milliseconds))
                return (socket, found.isCluster)
            } catch {
                guard case .noAnswer = error else { throw error }
                self.found[session] = nil
                control.route?.leave(found.member.endpoints.control)
            }
        }
        throw .noAnswer(
            endpoint: connection.endpoints.asked, milliseconds: connection.timeoutMilliseconds)
    }

    private func find(_ session: String) throws(ClientError) -> Found? {
        if let known = found[session], .now < known.until { return known }
        found[session] = nil
        let location = try control.locate(session)
        guard let owner = location.owner else { return nil }
        if found.count >= Self.foundMax { found = [:] }
        let new = Found(
            member: owner, isCluster: location.version > 0, until: .now + Self.fresh)
        found[session] = new
        return new
    }

    private func socket(at member: Member) throws(ClientError) -> EventSocket {
        let place = member.endpoints.eventsTaker
        if let socket = sockets[place] { return socket }
        if sockets.count >= Member.membersMax { sockets = [:] }
        let socket = try EventSocket(connection, to: member.endpoints)
        sockets[place] = socket
        return socket
    }
}

extension MemberEventSockets {
    var descriptor: CInt {
        home.flatMap { sockets[$0.member.endpoints.eventsTaker] }?.descriptor ?? finder.descriptor
    }

    /// Whether a member takes events; one that takes none for a second is left for the next.
    func isHeard() throws(ClientError) -> Bool {
        guard let socket = try homeSocket() else { return false }
        if try socket.isHeard() {
            homeSince = .now
            return true
        }
        if .now - homeSince > Self.fresh, let left = home {
            home = nil
            finder.route?.leave(left.member.endpoints.control)
        }
        return false
    }

    func offer(_ frames: [[UInt8]]) throws(ClientError) -> Bool {
        guard let socket = try homeSocket() else { return false }
        return try socket.offer(home?.isCluster == true ? frames + [Self.passes] : frames)
    }

    /// The socket at the member that any event may go to; nil while none answers.
    private func homeSocket() throws(ClientError) -> EventSocket? {
        if home == nil, homeSince <= .now {
            do throws(ClientError) {
                let reply = try finder.request(
                    "locate", [Node.Member("session", Node(.string(Self.noSession)))])
                home = Member(reply["owner"], seed: finder.seed).map {
                    Found(member: $0, isCluster: Member.isCluster(reply), until: .now)
                }
                homeSince = .now
            } catch {
                guard error.isAbsence else { throw error }
                finder.leave()
            }
            if home == nil { homeSince = .now + Self.fresh }
        }
        return try home.map { (found) throws(ClientError) in try socket(at: found.member) }
    }
}
