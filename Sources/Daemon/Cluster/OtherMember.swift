import Notation
import ZeroMQ

/// The way to another member's events, for those that came here and belong there.
///
/// A socket of its own, so that an event goes to this member alone.
final class OtherMember {
    let member: Int
    let socket: Socket

    init(_ member: Int, _ socket: consuming Socket) {
        self.member = member
        self.socket = socket
    }
}

extension Limits {
    /// Members to which events are passed on: each takes a socket, of which libzmq has 1,023.
    static let otherMembersMax = 256
}
