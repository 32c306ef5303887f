import ZeroMQ

/// A socket for requests to one address. For one thread.
final class RequestSocket {
    var peer: PeerConnection

    /// - Parameter isDirect: it takes no request before it is connected, so that one can go
    ///   elsewhere instead.
    init(_ connection: Connection, to place: String, isDirect: Bool) throws(ClientError) {
        do throws(ZeroMQError) {
            peer = try PeerConnection(
                .dealer, in: connection.context, to: place,
                keys: connection.keys?.options ?? [], .lingerMilliseconds(0),
                .messageBytesMax(messageBytesMax), .immediate(isDirect),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
        } catch {
            throw ClientError(error)
        }
    }

    func send(_ bytes: [UInt8]) throws(ClientError) -> Bool {
        try transport { () throws(ZeroMQError) in try peer.socket.send(bytes) }
    }

    func revive() throws(ClientError) {
        try transport { () throws(ZeroMQError) in try peer.revive() }
    }

    /// Sends as soon as there is a connection; false: there was none in time.
    func send(_ bytes: [UInt8], before deadline: Deadline) throws(ClientError) -> Bool {
        try revive()
        var poller = Poller()
        peer.watch(in: &poller)
        poller.watch(peer.socket, for: .writable)
        let fault: HandshakeFault
        do throws(ZeroMQError) {
            while true {
                if try peer.socket.send(bytes) { return true }
                if let found = try peer.check() {
                    fault = found
                    break
                }
                let rest = deadline.milliseconds
                if rest == 0 { return false }
                try poller.wait(milliseconds: rest)
            }
        } catch {
            throw ClientError(error)
        }
        throw ClientError(fault, of: peer)
    }
}
