import Notation

/// The connections of peers that chose their routing ids themselves, as their first requests showed
/// them.
///
/// A request tells the number of its handshake and the descriptor of its connection. Once a peer
/// has gone, another one's connection may have that descriptor before the peer's last requests are
/// read; their answers would then reach whoever connects by the same routing id. So the connection
/// of a handshake is noted once; a request that seems to come over another one has lost its own.
struct ChosenIdentities {
    private var noted: [Int: Int64] = [:]
    /// Those before them, until as many came again.
    private var former: [Int: Int64] = [:]

    /// No connection is this one.
    static let gone = Int64.max

    /// The connection of a handshake whose request was read; `found` is the one that has its
    /// descriptor now. 0: the handshake is unknown, or the peer chose no routing id.
    mutating func connection(ofHandshake number: Int, found: Int64) -> Int64 {
        guard number > 0, found != 0 else { return found }
        if let own = noted[number] { return own == found ? own : Self.gone }
        let own = former[number] ?? found
        if noted.count == Limits.chosenIdentitiesMax {
            former = noted
            noted.removeAll(keepingCapacity: true)
        }
        noted[number] = own
        return own == found ? own : Self.gone
    }
}

extension Limits {
    /// Connections with routing ids of their own that are remembered at least, twice as many at
    /// most: half a megabyte.
    static let chosenIdentitiesMax = 8_192
}
