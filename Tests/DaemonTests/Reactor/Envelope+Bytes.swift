import Notation
import Protocol

@testable import Daemon

extension Envelope {
    init(identity: [UInt8], hasDelimiter: Bool, id: Node? = nil) {
        self = unsafe identity.withUnsafeBytes {
            unsafe Envelope(identity: $0, hasDelimiter: hasDelimiter, id: id)
        }
    }
}

extension RequestRound {
    /// The envelope and the text of one message of the ROUTER socket, behind another request.
    static func split(_ frames: [[UInt8]]) -> (Envelope, request: [UInt8]?) {
        var round = RequestRound()
        for frames in [[[9], [9]], frames] {
            round.begin()
            for frame in frames {
                unsafe frame.withUnsafeBytes { unsafe round.append($0) }
            }
        }
        let (envelope, text) = round.split(round.requests[1])
        return (envelope, text.map { round.bytes.array($0) })
    }
}
