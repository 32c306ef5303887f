import Glibc
import Notation
import ZeroMQ

extension Control {
    /// A request that goes on to whoever has its session.
    private struct Call {
        var id: String
        var bytes: [UInt8]
        var session: String?
        /// It may go to another member where nobody has answered.
        var isRepeated: Bool
        var end: Deadline
        var hops = 0
    }

    /// Sends one request to the owner of its session, and follows it where it moves.
    ///
    /// Where a member says nothing for a second, the next one is asked; a request that changes
    /// something and has no id goes nowhere else once it is sent.
    func requestOfCluster(
        _ operation: String, _ fields: [Node.Member], tries: Int
    ) throws(ClientError) -> Node {
        let (id, bytes) = message(operation, fields)
        let isRepeated =
            tries > 1 || Self.reads.contains(operation)
            || (operation == "publish" && hasID(fields))
        var call = Call(
            id: id, bytes: bytes, session: Route.session(operation, fields),
            isRepeated: isRepeated, end: Deadline(milliseconds: timeoutMilliseconds))
        repeat {
            if let reply = try answer(of: &call) {
                if operation == "members", case .success(let node) = reply.result {
                    route?.meet(Member.list(node, seed: reply.place))
                }
                return try reply.result.get()
            }
        } while !call.end.isPast
        throw noAnswer
    }

    /// The same as a value, for one of many.
    func requestResult(
        _ operation: String, _ fields: [Node.Member]
    ) -> Result<Node, ClientError> {
        Result { () throws(ClientError) in
            try requestOfCluster(operation, fields, tries: 1)
        }
    }

    private func hasID(_ fields: [Node.Member]) -> Bool {
        fields.first { $0.name == "body" }?.value["id"] != nil
    }

    /// Asks once; nil: it is to be asked again.
    private func answer(of call: inout Call) throws(ClientError) -> Reply? {
        guard let place = route?.place(of: call.session) else { throw noAnswer }
        let patience = min(Route.attemptMilliseconds, call.end.milliseconds)
        guard try offer(call.bytes, to: place, before: Deadline(milliseconds: patience)) else {
            leave(place, call.session)
            return nil
        }
        let deadline =
            call.isRepeated
            ? Deadline(milliseconds: min(Route.attemptMilliseconds, call.end.milliseconds))
            : call.end
        while let reply = try nextReply(before: deadline) {
            // Replies to abandoned requests may still arrive.
            if let answered = reply.id, answered != call.id { continue }
            guard reply.isMoved, let session = call.session else { return reply }
            route?.note(session, reply.owner)
            call.hops += 1
            let isKnown = reply.owner.map { $0.endpoints.control != reply.place } ?? false
            if !isKnown || call.hops % Route.hopsMax == 0 {
                let pause = min(Route.pauseMilliseconds, call.end.milliseconds)
                usleep(UInt32(pause) * 1_000)
            }
            return nil
        }
        leave(place, call.session)
        return nil
    }

    /// Asks the next member from now on, since the present one has not answered.
    package func leave() {
        let place = seed
        route?.leave(place)
    }

    func leave(_ place: String, _ session: String?) {
        route?.leave(place)
        if let session { route?.note(session, nil) }
    }

    /// Whether a member took a request. One that names an address that is none is as one that is
    /// away.
    private func offer(
        _ bytes: [UInt8], to place: String, before deadline: Deadline
    ) throws(ClientError) -> Bool {
        do throws(ClientError) {
            return try socket(at: place).send(bytes, before: deadline)
        } catch {
            if case .transport = error, place != seed { return false }
            throw error
        }
    }
}
