import Notation
import ZeroMQ

/// Answers libzmq's question whether a peer may connect (ZAP, RFC 27), and numbers the connections.
///
/// Every bound socket has a domain, so libzmq asks here before it takes a connection's first
/// message. Each connection gets a number, which its messages carry: by that number the book of
/// subscriptions knows whose a subscription is. Peers that speak a protocol of before ZMTP 3 have
/// no handshake to ask about; libzmq refuses them. A web page's POST to one of the ports looks to
/// it like ZMTP 1, so this keeps pages out, too.
struct Handshakes: ~Copyable {
    let socket: Socket
    private var latest = 0

    /// libzmq looks for the handler at this endpoint of its context. Made before other sockets
    /// bind.
    static let endpoint = "inproc://zeromq.zap.01"

    init(in context: Context) throws(ZeroMQError) {
        let socket = try Socket(.router, in: context)
        try socket.bind(Self.endpoint)
        self.socket = socket
    }

    /// Answers what was asked, at most so many times: a handshake waits until its turn comes.
    mutating func answer(atMost countMax: Int, by frame: inout Message) throws(ZeroMQError) {
        for _ in 0..<countMax {
            guard let request = try socket.receiveMessage(framesMax: 8, by: &frame) else { return }
            // Identity, delimiter, version, request id, domain, address, identity, mechanism.
            guard request.count >= 8 else { continue }
            latest += 1
            let reply = [
                request[0], [], Array("1.0".utf8), request[3], Array("200".utf8), [],
                Array("\(latest)".utf8), [],
            ]
            _ = try socket.send(frames: reply)
        }
    }
}

extension Limits {
    /// Handshakes that are answered in one round: a flood of connections waits.
    static let handshakesPerRoundMax = 64
}
