import GesturedClient
import Notation
import Protocol
import Web

extension Bridge {
    /// Nanoseconds that a member may take to answer, before the next one is asked.
    private static let attempt = 1_000_000_000
    /// Nanoseconds until a session without an owner is asked for again.
    private static let pause = 100_000_000
    /// Members in a row that may send a request on, before it waits: two may not agree yet.
    private static let hopsMax = 3
    /// Sessions that the bridge itself asks for at a tick: a part of what the daemon takes of a
    /// peer.
    private static let wakingMax = 32
    /// Sessions that wait to be asked for: two minutes of ticks.
    private static let wakeableMax = 16_384

    /// Sends a request on where its session has moved. Returns whether the answer says so.
    func follow(_ reply: DaemonReply, from place: String) -> Bool {
        guard let call = pending[reply.number]?.call, let session = call.session,
            !call.text.isEmpty, reply.rest.starts(with: Self.refusal),
            let content = try? Document.json([UInt8(ascii: "{")] + reply.rest + Self.brace),
            let error = content["error"], error["code"]?.string == "moved"
        else { return false }
        let owner = Member(error["owner"], seed: place)
        daemons.note(session, at: owner)
        let hops = call.hops + 1
        pending[reply.number]?.call.hops = hops
        let isKnown = owner.map { $0.endpoints.control != place } ?? false
        if isKnown, hops % Self.hopsMax != 0 {
            resend(reply.number)
        } else {
            pending[reply.number]?.call.isWaiting = true
            pending[reply.number]?.call.sent = Clock.monotonic()
        }
        return true
    }

    private static let refusal = Array("\"ok\":false".utf8)
    private static let brace = [UInt8(ascii: "}")]

    /// Sends requests again that nobody has answered, asks for sessions whose member is gone, and
    /// hands on syncs that wait no longer. Four times a second.
    func followMembers() {
        for sync in daemons.tick() { inbox.append(Update(topic: sync.topic, body: sync.body)) }
        let now = Clock.monotonic()
        for (number, request) in pending {
            let call = request.call
            if call.text.isEmpty { continue }
            if call.isWaiting {
                if now - call.sent >= Self.pause { resend(number) }
            } else if now - call.sent >= Self.attempt {
                daemons.doubt()
                if call.isRepeated { resend(number, late: call.place) }
            }
        }
        // Beyond the bound a browser's own request brings its session back.
        wakeable += daemons.takeOrphans().prefix(max(0, Self.wakeableMax - wakeable.count))
        let next = wakeable.prefix(Self.wakingMax)
        wakeable.removeFirst(next.count)
        for session in next {
            let name = String(decoding: session, as: UTF8.self)
            _ = ask(.waking, until: seconds(Limits.webRequestSeconds), about: session) {
                Array("{\"id\":\($0),\"op\":\"time\",\"session\":\"\(name)\"}".utf8)
            }
        }
    }

    /// `late`: the member that has left it unanswered; nil: none has.
    private func resend(_ number: Int, late: String? = nil) {
        guard let request = pending[number] else { return }
        if case .closing(let name) = request.asker, bound.isHeld(name) {
            // Its page came back meanwhile.
            pending[number] = nil
            return
        }
        let call = request.call
        let place = (try? daemons.request(call.text, about: call.session, late: late)) ?? nil
        pending[number]?.call.sent = Clock.monotonic()
        pending[number]?.call.isWaiting = place == nil
        if let place { pending[number]?.call.place = place }
    }
}
