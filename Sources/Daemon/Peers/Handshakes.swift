import Notation
import Security
import ZeroMQ

/// Answers libzmq's question whether a peer may connect (ZAP, RFC 27), and numbers the connections.
///
/// Every bound socket has a domain, so libzmq asks here before it takes a connection's first
/// message. Each connection gets a number, which its messages carry: by that number the book of
/// subscriptions knows whose a subscription is. Behind it stands the number of its client, where
/// its endpoint asks for a key. Peers that speak a protocol of before ZMTP 3 have no handshake to
/// ask about; libzmq refuses them. A web page's POST to one of the ports looks to it like ZMTP 1,
/// so this keeps pages out, too.
struct Handshakes: ~Copyable {
    let socket: Socket
    /// Those that have shown a key.
    var clients = ClientRights()
    /// The connections of those that chose their routing ids.
    var chosen = ChosenIdentities()
    /// The routing ids of those that chose none.
    var routingIDs = RoutingIDs()
    private var latest = 0

    /// libzmq looks for the handler at this endpoint of its context. Made before other sockets
    /// bind.
    static let endpoint = "inproc://zeromq.zap.01"

    /// The question of one handshake.
    struct Question {
        fileprivate let asker: [UInt8]
        fileprivate let number: [UInt8]
        /// The socket to which the peer connects: its name, for readers with that of their group.
        let domain: String
        let address: String
        /// Nil: the endpoint asks for none, or what came is none.
        let key: CurveKey?
        /// The endpoint asks for a key, and what came is none: this is let in nowhere.
        fileprivate let lacksKey: Bool
    }

    /// The answer to it.
    enum Answer {
        /// With the client's number; nil: it needs no key.
        case welcome(client: Int?)
        case refused
    }

    init(in context: Context) throws(ZeroMQError) {
        let socket = try Socket(.router, in: context)
        try socket.bind(Self.endpoint)
        self.socket = socket
    }

    /// Reads the next question; nil: there is none.
    func next(by frame: inout Message) throws(ZeroMQError) -> Question? {
        while let request = try socket.receiveMessage(framesMax: 9, by: &frame) {
            // Identity, delimiter, version, request id, domain, address, identity, mechanism, key.
            guard request.count >= 8 else { continue }
            let isCurve = request[7].elementsEqual("CURVE".utf8)
            let key = isCurve && request.count > 8 ? CurveKey(bytes: request[8]) : nil
            return Question(
                asker: request[0], number: request[3],
                domain: String(decoding: request[4], as: UTF8.self),
                address: String(decoding: request[5], as: UTF8.self),
                key: key, lacksKey: isCurve && key == nil)
        }
        return nil
    }

    mutating func answer(_ question: Question, _ answer: Answer) throws(ZeroMQError) {
        var reply = [question.asker, [], Array("1.0".utf8), question.number]
        switch answer {
        case .welcome(let client) where !question.lacksKey:
            latest += 1
            let name = Sender.text(number: latest, client: client ?? -1)
            reply += [Array("200".utf8), [], Array(name.utf8), []]
        case .welcome, .refused:
            // By 400 libzmq would give up for good, and a client whose key is authorized later
            // would have to be started again. By 300 it tries again by itself.
            reply += [Array("300".utf8), Array("this key is not authorized".utf8), [], []]
        }
        _ = try socket.send(frames: reply)
    }
}

extension Limits {
    /// Handshakes that are answered in one round: a flood of connections waits.
    static let handshakesPerRoundMax = 64
}
