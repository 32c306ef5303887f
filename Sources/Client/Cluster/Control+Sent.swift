extension Control {
    /// A request to a cluster whose sender does not wait for the reply.
    struct Sent {
        var bytes: [UInt8]
        var session: String?
        /// The member that took it; nil: none has.
        var place: String?
        /// Until another member is asked for it, or it is forgotten.
        var patience = Deadline(milliseconds: Route.attemptMilliseconds)
        /// How often a member has named another one.
        var hops = 0
    }

    /// Milliseconds until a member that took a request counts as away: it may hold one for a second
    /// while its session moves.
    private static let silenceMilliseconds = 4_000
    /// Requests that are kept to be sent on. Beyond it one goes out once.
    private static let unansweredKeptMax = 1_000

    /// Sends a request to the owner of its session, as soon as there is a connection.
    func sendOn(_ id: String, _ bytes: [UInt8], of session: String?) throws(ClientError) {
        var sent = Sent(bytes: bytes, session: session)
        try offer(&sent)
        if unanswered.count < Self.unansweredKeptMax { unanswered[id] = sent }
    }

    /// Offers what no member took yet. Forgets what got no answer, and who should have given it:
    /// its sender repeats it, and it goes to another member.
    func tendUnanswered() throws(ClientError) {
        for (id, var sent) in unanswered {
            if sent.place == nil {
                try offer(&sent)
                unanswered[id] = sent
            } else if sent.patience.isPast {
                unanswered[id] = nil
                if let place = sent.place { leave(place, sent.session) }
            }
        }
    }

    /// Whether a reply only said where its session is, so that its request goes there. A member
    /// that names none, or comes in a row of those that do not agree, has its reply returned: the
    /// sender repeats the request after a while.
    func isSentOn(after reply: Reply) throws(ClientError) -> Bool {
        guard let id = reply.id, var sent = unanswered.removeValue(forKey: id), reply.isMoved,
            let session = sent.session
        else { return false }
        sent.hops += 1
        guard let owner = reply.owner, owner.endpoints.control != reply.place,
            sent.hops < Route.hopsMax
        else {
            route?.note(session, nil)
            return false
        }
        route?.note(session, owner)
        sent.place = nil
        sent.patience = Deadline(milliseconds: Route.attemptMilliseconds)
        try offer(&sent)
        unanswered[id] = sent
        return true
    }

    /// Sends it where its session is, if there is a connection now. A member without one for a
    /// while counts as away.
    private func offer(_ sent: inout Sent) throws(ClientError) {
        let place = route?.place(of: sent.session) ?? seed
        do throws(ClientError) {
            let socket = try socket(at: place)
            try socket.revive()
            if try socket.send(sent.bytes) {
                sent.place = place
                sent.patience = Deadline(milliseconds: Self.silenceMilliseconds)
                return
            }
        } catch {
            // A member may name an address that is none.
            guard case .transport = error, place != seed else { throw error }
            sent.patience = Deadline(milliseconds: 0)
        }
        guard sent.patience.isPast else { return }
        leave(place, sent.session)
        sent.patience = Deadline(milliseconds: Route.attemptMilliseconds)
    }
}
