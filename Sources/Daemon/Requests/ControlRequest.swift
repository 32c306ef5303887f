import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Security
import Sessions

/// One operation of the control socket. It reads itself from the request, says where it is
/// performed, and performs.
///
/// A new operation is one file in this folder, with a type that conforms to one of the protocols
/// below, and one line in `ControlRequests.all`. A request passes in this order: `RequestFields`
/// reads the JSON, `ControlRequests` finds the type, the type checks its own members, and `submit`
/// answers at once or adds the request to the batch of the lanes that are to perform it. A lane
/// writes its reply into its chunk; the reactor sends it to the peer that the envelope names.
protocol ControlRequest: Sendable {
    /// The name in `op`.
    static var operation: String { get }

    /// Reads and checks its members; what is wrong is thrown as the refusal.
    init(_ fields: RequestFields) throws(Rejection)

    /// The right that it needs.
    var right: RequestRight { get }

    /// Leaves out what a client may not read. Called by the reactor.
    mutating func limit(to grant: Grant)

    /// Answers, or hands itself to the lanes. Called by the reactor.
    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection)
}

/// All operations. Which of them are there is said here alone.
enum ControlRequests {
    static let all: [any ControlRequest.Type] = [
        PublishRequest.self,
        HelloRequest.self,
        OpenRequest.self,
        CloseRequest.self,
        SnapshotRequest.self,
        ExportRequest.self,
        ImportRequest.self,
        SessionsRequest.self,
        ScenesRequest.self,
        SceneRequest.self,
        TimeRequest.self,
        HitRequest.self,
        LocateRequest.self,
        MembersRequest.self,
        StatsRequest.self,
        PeersRequest.self,
        TapRequest.self,
    ]

    /// Reads the request of that operation and hands it on; what is wrong is thrown as the refusal.
    static func submit(
        _ fields: RequestFields, _ envelope: Envelope, to reactor: Reactor
    ) throws(Rejection) {
        let operation = try fields.string("op")
        for type in all where type.operation == operation {
            return try type.read(fields, envelope, for: reactor)
        }
        if reactor.performOwn(operation, envelope) { return }
        throw Rejection(
            .unknownOperation,
            "there is no operation \"\(operation.prefix(64))\", "
                + knownNames(nearestTo: operation, among: all.map { $0.operation }))
    }
}

extension ControlRequest {
    /// Not by an existential of the value, which would allocate for most of them.
    fileprivate static func read(
        _ fields: RequestFields, _ envelope: Envelope, for reactor: Reactor
    ) throws(Rejection) {
        var request = try Self(fields)
        if envelope.client >= 0 {
            try reactor.permit(request.right, to: envelope.client)
            if let grant = reactor.clients.grant(of: envelope.client) { request.limit(to: grant) }
        }
        try request.submit(envelope, to: reactor)
    }

    mutating func limit(to grant: Grant) {}
}

/// A request about the daemon, which the reactor answers at once.
protocol ReactorRequest: ControlRequest {
    /// Writes the members of the reply.
    func reply(from reactor: Reactor, into buffer: inout ByteBuffer)
}

extension ReactorRequest {
    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection) {
        reactor.answer(envelope) { reply(from: reactor, into: &$0) }
    }
}

/// Something that a lane does for a request, as its batch carries it.
protocol LaneRequest: Sendable {
    /// Bytes of documents in it. They count as long as it waits: read, they take a multiple.
    var documentBytes: Int { get }

    /// The session that it is about, if it is about one.
    var subject: String? { get }
    /// Whether nobody is served by it but its asker: then it ends with the asker.
    var isForItsAskerAlone: Bool { get }

    /// Whether it may take so long that it waits for the lane's spare time.
    func isCostly(on table: LaneTable) -> Bool

    /// Performs on the lane's queue, and answers now or later.
    func perform(on table: LaneTable, answering envelope: Envelope, at moment: Moment)

    /// The session has become what changes of its scene made of it that `perform` had left:
    /// answers.
    func changesMade(on table: LaneTable, answering envelope: Envelope, at moment: Moment)

    /// Answers that it was not performed.
    func refuse(on table: LaneTable, answering envelope: Envelope, _ rejection: Rejection)
}

extension LaneRequest {
    var documentBytes: Int { 0 }
    var subject: String? { nil }
    var isForItsAskerAlone: Bool { false }

    func isCostly(on table: LaneTable) -> Bool { false }

    func changesMade(on table: LaneTable, answering envelope: Envelope, at moment: Moment) {}

    func refuse(on table: LaneTable, answering envelope: Envelope, _ rejection: Rejection) {
        table.sink.chunk.refuse(envelope, rejection)
    }
}

/// A request about one session, which that session's lane performs.
protocol SessionRequest: ControlRequest, LaneRequest {
    var session: String { get }

    /// Performs; what is thrown is answered as the refusal.
    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection)
}

extension SessionRequest {
    var subject: String? { session }

    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection) {
        if let lane = reactor.work.ownLane(of: session) {
            reactor.work.add(.request(envelope, self), to: lane)
        } else {
            reactor.place(.request(envelope, self), of: session)
        }
    }

    func perform(on table: LaneTable, answering envelope: Envelope, at moment: Moment) {
        do throws(Rejection) {
            try perform(on: table, for: envelope, at: moment)
        } catch {
            table.sink.chunk.refuse(envelope, error)
        }
    }
}

/// A request that every lane performs a part of; the last one answers.
protocol AllLanesRequest: ControlRequest {
    /// The object in which the lanes gather their parts.
    func gathering(lanes: Int) -> any LaneRequest
}

extension AllLanesRequest {
    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection) {
        reactor.work.addToAll(.request(envelope, gathering(lanes: reactor.lanes.count)))
    }
}
