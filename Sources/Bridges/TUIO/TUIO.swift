import Geometry

/// Reads the cursors of TUIO 1.1 (`/tuio/2Dcur`) and TUIO 2.0 (`/tuio2/ptr`) and makes touches of
/// them.
///
/// A frame is one tracker's picture of its contacts. Its messages are gathered and applied at its
/// end, which is `fseq` or `alv`, all or none. One of TUIO 2.0 that is too large for a datagram
/// comes in several bundles: each begins with the same `frm`, and the last one ends with `alv`. A
/// contact lives as long as the frames list it as alive; nothing else ends it but the silence of
/// its source. Datagrams are lost, repeated and overtake each other, so a frame may be missing,
/// late, or a restarted tracker's first.
package struct TUIO: Sendable {
    package enum Count: String, CaseIterable, Sendable {
        case packets, frames
        /// Frames that came after a newer one.
        case late
        /// Frames of which the end was lost.
        case incomplete
        /// Sources whose numbers of frames began anew.
        case restarted
        /// Sources that fell silent.
        case silent
        /// Packets that are no OSC, or beyond a bound.
        case malformedPackets = "malformed_packets"
        /// Messages of TUIO that lack an argument or have a wrong one.
        case malformedMessages = "malformed_messages"
        /// Messages of others, and of profiles that are not read.
        case ignored
        /// Messages of a further source while there are too many.
        case refusedSources = "refused_sources"
    }

    /// A contact: the number of its source, and its id there.
    package struct ContactKey: Hashable, Sendable {
        package var source: Int
        package var id: Int
    }

    /// Sources at once: trackers of one table, and tables of one room. Further ones are refused
    /// until one is silent.
    package static let sourcesMax = 16
    /// Ids in one list of living contacts, and contacts that one frame sets.
    package static let aliveMax = 512
    /// Bytes of the name that a source gives itself.
    package static let nameBytesMax = 256
    /// Milliseconds of silence after which the contacts of a source are cancelled.
    package static let silenceMilliseconds = 3_000
    /// A frame that is lower than the last one by less than this is late; one that is lower by
    /// more comes from a restarted tracker.
    package static let lateFramesMax = 100
    /// Coordinates are 0 … 1; a tracker may see a finger beside its table.
    package static let coordinates = -1.0...2.0

    var sources: [String: TUIOSource] = [:]
    /// By address, the tracker whose frame of 2.0 is not complete yet.
    private var unfinished: [String: String] = [:]
    private var lastSource = 0
    package var touches: Touches<ContactKey>
    package private(set) var counters = Counters<Count>()

    package init(touches: Touches<ContactKey>) { self.touches = touches }

    package var sourceCount: Int { sources.count }

    /// Takes one datagram.
    /// - Parameter sender: its address, with the port, as `127.0.0.1:3333`. Without the port it
    ///   stands for a source without a name: some senders have another port for each datagram.
    package mutating func take(_ packet: [UInt8], from sender: String, at moment: Moment) {
        counters.count(.packets)
        guard let messages = OSCMessage.all(in: packet) else {
            counters.count(.malformedPackets)
            return
        }
        let address = sender.lastIndex(of: ":").map { String(sender[..<$0]) } ?? sender
        // The name is said within a packet, for the messages behind it.
        var name: String?
        for message in Self.inOrder(messages) {
            take(message, &name, from: address, at: moment)
        }
    }

    private mutating func take(
        _ message: OSCMessage, _ name: inout String?, from address: String, at moment: Moment
    ) {
        guard let part = TUIOPart(message) else {
            counters.count(TUIOPart.isKnown(message.address) ? .malformedMessages : .ignored)
            return
        }
        if let said = part.source {
            guard said.utf8.count <= Self.nameBytesMax else {
                counters.count(.malformedMessages)
                return
            }
            // A name begins with a space, so that it cannot be an address.
            name = said.isEmpty ? address : " " + said
        } else if part.version == 2, case .frame = part.content {
            name = address
        }
        let source = name ?? (part.version == 2 ? unfinished[address] : nil) ?? address
        let key = "\(part.version)\(source)"
        guard hear(key, at: moment) else {
            counters.count(.refusedSources)
            return
        }
        if sources[key]?.gather(part) == false { counters.count(.malformedMessages) }
        let incomplete = sources[key]?.takeIncompleteCount() ?? 0
        if incomplete > 0 { counters.count(.incomplete, incomplete) }
        if part.isLast {
            apply(key, at: moment)
        } else if let change = sources[key]?.takeRest() {
            apply(change, of: sources[key]?.number ?? 0, at: moment)
        }
        guard part.version == 2 else { return }
        if part.isLast {
            unfinished[address] = nil
        } else if case .frame = part.content,
            unfinished[address] != nil || unfinished.count < Self.sourcesMax
        {
            unfinished[address] = source
        }
    }

    /// Returns false where there are too many sources.
    private mutating func hear(_ key: String, at moment: Moment) -> Bool {
        if sources[key] == nil {
            guard sources.count < Self.sourcesMax else { return false }
            lastSource += 1
            sources[key] = TUIOSource(number: lastSource)
        }
        sources[key]?.heard = moment.steady
        return true
    }

    private mutating func apply(_ key: String, at moment: Moment) {
        guard var source = sources[key] else { return }
        let number = source.number
        switch source.judge() {
        case .late:
            counters.count(.late)
            source.forgetFrame()
        case .restarted:
            counters.count(.restarted)
            for id in source.placed.sorted() {
                touches.cancel(ContactKey(source: number, id: id), at: moment)
            }
            source.placed = []
            fallthrough
        case .next:
            counters.count(.frames)
            apply(source.takeFrame(), of: number, at: moment)
        }
        sources[key] = source
    }

    private mutating func apply(
        _ change: TUIOSource.Change, of number: Int, at moment: Moment
    ) {
        for id in change.lifted {
            touches.lift(ContactKey(source: number, id: id), at: moment)
        }
        for (id, place, isNew) in change.placed {
            let key = ContactKey(source: number, id: id)
            if isNew {
                touches.place(key, place.x, place.y, at: moment)
            } else {
                touches.move(key, place.x, place.y, at: moment)
            }
        }
    }

    /// Cancels the contacts of silent sources and forgets these; repeats contacts that rest.
    package mutating func tick(at moment: Moment) {
        let silent = sources.filter { moment.steady - $0.value.heard >= Self.silenceMilliseconds }
        for (key, source) in silent.sorted(by: { $0.value.number < $1.value.number }) {
            for id in source.placed.sorted() {
                touches.cancel(ContactKey(source: source.number, id: id), at: moment)
            }
            counters.count(.silent)
            sources[key] = nil
            unfinished = unfinished.filter { "2\($0.value)" != key }
        }
        touches.tick(at: moment)
    }
}
