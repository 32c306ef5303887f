import CZeroMQ

/// Options of a socket. Most hold for the connections made after they are set.
package enum SocketOption: Equatable, Sendable {
    /// Messages that may wait for one peer; then sending is refused or drops. 0 is without limit.
    case sendHighWaterMark(Int)
    /// Messages of one peer that may wait to be received; 0 is without limit.
    case receiveHighWaterMark(Int)
    /// How long sent messages may still leave after the end of the socket.
    case lingerMilliseconds(Int)
    /// Bytes of a frame beyond which the peer's connection is dropped.
    case messageBytesMax(Int)
    /// How long a peer may take to introduce itself.
    case handshakeMilliseconds(Int)
    /// XPUB: reports every subscription, not only the first to its topic.
    case verboseSubscriptions(Bool)
    /// XPUB: reports every end of a subscription, too. Set it last: it replaces the one above.
    case verboseSubscriptionsAndEnds(Bool)
    /// Asks the context's handler of ZAP before a peer may connect, and refuses the protocols of
    /// before ZMTP 3, which have no handshake. Not empty.
    case zapDomain(String)
    /// Whether peers of the endpoints that are bound from now on prove by CURVE that they have a
    /// key, and all that passes is encrypted. Set ``curveSecretKey(_:)`` before. `false`: no more.
    case curveServer(Bool)
    /// The secret key of this end: 32 bytes.
    case curveSecretKey([UInt8])
    /// The public key of this end, where it connects: 32 bytes.
    case curvePublicKey([UInt8])
    /// The public key of the end to which it connects: 32 bytes. It speaks CURVE from now on.
    case curveServerKey([UInt8])
    /// XPUB: a full peer refuses the message instead of losing it. One slow peer then holds up
    /// all, so this is for a publisher with one peer.
    case holdsWhenFull(Bool)
    /// ROUTER: refuses a message to an absent peer instead of dropping it.
    case mandatoryRouting(Bool)
    /// The first pause between attempts to connect.
    case reconnectMilliseconds(Int)
    /// The longest pause between attempts to connect; the pauses double up to it.
    case reconnectMillisecondsMax(Int)
    /// How long a blocking send waits; −1 is for ever.
    case sendTimeoutMilliseconds(Int)
    /// Messages wait only for established connections, not for those being made.
    case immediate(Bool)
    case ipv6(Bool)
    /// The I/O thread of the context that serves this socket's connections, from 0.
    case ioThread(Int)
    /// The name by which a ROUTER knows this socket: 1 to 255 bytes, the first not 0.
    case identity([UInt8])
    /// SUB: also receives the messages whose first frame begins with these bytes.
    case subscribe([UInt8])
    /// SUB: cancels one `subscribe` of the same bytes.
    case unsubscribe([UInt8])

    /// The value for C, in the option's own width.
    enum Value {
        case int(CInt)
        case int64(Int64)
        case bytes([UInt8])
    }

    var raw: (name: CInt, value: Value) {
        switch self {
        case .sendHighWaterMark(let count): (ZMQ_SNDHWM, .int(CInt(clamping: count)))
        case .receiveHighWaterMark(let count): (ZMQ_RCVHWM, .int(CInt(clamping: count)))
        case .lingerMilliseconds(let time): (ZMQ_LINGER, .int(CInt(clamping: time)))
        case .messageBytesMax(let count): (ZMQ_MAXMSGSIZE, .int64(Int64(count)))
        case .handshakeMilliseconds(let time): (ZMQ_HANDSHAKE_IVL, .int(CInt(clamping: time)))
        case .verboseSubscriptions(let on): (ZMQ_XPUB_VERBOSE, .int(on ? 1 : 0))
        case .verboseSubscriptionsAndEnds(let on): (ZMQ_XPUB_VERBOSER, .int(on ? 1 : 0))
        case .zapDomain(let name): (ZMQ_ZAP_DOMAIN, .bytes(Array(name.utf8)))
        case .curveServer(let on): (ZMQ_CURVE_SERVER, .int(on ? 1 : 0))
        case .curveSecretKey(let key): (ZMQ_CURVE_SECRETKEY, .bytes(key))
        case .curvePublicKey(let key): (ZMQ_CURVE_PUBLICKEY, .bytes(key))
        case .curveServerKey(let key): (ZMQ_CURVE_SERVERKEY, .bytes(key))
        case .holdsWhenFull(let on): (ZMQ_XPUB_NODROP, .int(on ? 1 : 0))
        case .mandatoryRouting(let on): (ZMQ_ROUTER_MANDATORY, .int(on ? 1 : 0))
        case .reconnectMilliseconds(let time): (ZMQ_RECONNECT_IVL, .int(CInt(clamping: time)))
        case .reconnectMillisecondsMax(let time):
            (ZMQ_RECONNECT_IVL_MAX, .int(CInt(clamping: time)))
        case .sendTimeoutMilliseconds(let time): (ZMQ_SNDTIMEO, .int(CInt(clamping: time)))
        case .immediate(let on): (ZMQ_IMMEDIATE, .int(on ? 1 : 0))
        case .ipv6(let on): (ZMQ_IPV6, .int(on ? 1 : 0))
        // A bit for each thread that may.
        case .ioThread(let number): (ZMQ_AFFINITY, .int64(1 << Int64(number)))
        case .identity(let bytes): (ZMQ_ROUTING_ID, .bytes(bytes))
        case .subscribe(let bytes): (ZMQ_SUBSCRIBE, .bytes(bytes))
        case .unsubscribe(let bytes): (ZMQ_UNSUBSCRIBE, .bytes(bytes))
        }
    }
}
