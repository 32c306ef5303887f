import Geometry

/// Reads the cursors and objects of TUIO 1.1 (`/tuio/2Dcur`, `/tuio/2Dobj`) and the pointers and
/// tokens of TUIO 2.0 (`/tuio2/ptr`, `/tuio2/tok`), and makes touches of them.
///
/// An object's symbol is its class of 1.1, or its component of 2.0. Where a tracker gives no
/// component above 0, the number in a `/tuio2/sym` of the same id stands for it.
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
        /// Messages of others, and of profiles that are not read; objects without a symbol.
        case ignored
        /// Messages of a further source while there are too many.
        case refusedSources = "refused_sources"
    }

    /// A contact: the number of its source, and its id there.
    package struct ContactKey: Hashable, Sendable {
        package var source: Int
        package var id: Int
    }

    /// Sources of a profile at once: trackers of one table, and tables of one room. Further ones
    /// are refused until one is silent.
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
    /// The greatest number of a symbol, as the protocol has it.
    package static let symbolMax = Int(Int32.max)
    /// Radians of an object's angle: those of a sane tracker are 0 … 2π.
    package static let angleMax = 1_000.0
    /// Coordinates are 0 … 1; a tracker may see a finger beside its table.
    package static let coordinates = -1.0...2.0

    var sources: [String: TUIOSource] = [:]
    /// By address, the tracker whose frame of 2.0 is not complete yet.
    private var unfinished: [String: String] = [:]
    private var lastSource = 0
    package var touches: Touches<ContactKey>
    package private(set) var counters = Counters<Count>()

    package init(touches: Touches<ContactKey>) { self.touches = touches }

    /// Trackers. One of 1.1 has frames of cursors and frames of objects.
    package var sourceCount: Int {
        sources.keys.count { key in
            let objects = TUIOPart.Profile.objects.rawValue
            guard key.hasPrefix(objects) else { return true }
            let cursors = TUIOPart.Profile.cursors.rawValue
            return sources["\(cursors)\(key.dropFirst(objects.count))"] == nil
        }
    }

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
        var said = Said()
        for message in Self.inOrder(messages) {
            take(message, &said, from: address, at: moment)
        }
        // Some trackers end both frames of a packet by the number of the one of cursors.
        guard let key = said.objects, said.ended.contains(.cursors), !said.ended.contains(.objects),
            let change = sources[key]?.takeFrame()
        else { return }
        apply(change, of: sources[key]?.number ?? 0, at: moment)
    }

    /// The things that a packet has said for the messages behind them.
    private struct Said {
        /// The names of trackers.
        var names: [TUIOPart.Profile: String] = [:]
        /// Profiles of which a frame has ended.
        var ended: Set<TUIOPart.Profile> = []
        /// The source of its objects.
        var objects: String?

        /// The name for a profile's messages; both profiles of 1.1 may share one.
        func name(of profile: TUIOPart.Profile) -> String? {
            switch profile {
            case .second: names[.second]
            case .cursors: names[.cursors] ?? names[.objects]
            case .objects: names[.objects] ?? names[.cursors]
            }
        }
    }

    private mutating func take(
        _ message: OSCMessage, _ said: inout Said, from address: String, at moment: Moment
    ) {
        guard let part = TUIOPart(message) else {
            counters.count(TUIOPart.isKnown(message.address) ? .malformedMessages : .ignored)
            return
        }
        if let name = part.source {
            guard name.utf8.count <= Self.nameBytesMax else {
                counters.count(.malformedMessages)
                return
            }
            // A name begins with a space, so that it cannot be an address.
            said.names[part.profile] = name.isEmpty ? address : " " + name
        } else if part.profile == .second, case .frame = part.content {
            said.names[part.profile] = address
        }
        let former = part.profile == .second ? unfinished[address] : nil
        let source = said.name(of: part.profile) ?? former ?? address
        let key = part.profile.rawValue + source
        guard hear(key, part.profile, at: moment) else {
            counters.count(.refusedSources)
            return
        }
        if sources[key]?.gather(part) == false { counters.count(.malformedMessages) }
        let incomplete = sources[key]?.takeIncompleteCount() ?? 0
        if incomplete > 0 { counters.count(.incomplete, incomplete) }
        if part.profile == .objects { said.objects = key }
        if part.isLast {
            said.ended.insert(part.profile)
            apply(key, at: moment)
        } else if let change = sources[key]?.takeRest() {
            apply(change, of: sources[key]?.number ?? 0, at: moment)
        }
        guard part.profile == .second else { return }
        if part.isLast {
            unfinished[address] = nil
        } else if case .frame = part.content,
            unfinished[address] != nil || unfinished.count < Self.sourcesMax
        {
            unfinished[address] = source
        }
    }

    /// Returns false where there are too many sources.
    private mutating func hear(
        _ key: String, _ profile: TUIOPart.Profile, at moment: Moment
    ) -> Bool {
        if sources[key] == nil {
            guard sources.values.count(where: { $0.profile == profile }) < Self.sourcesMax
            else { return false }
            lastSource += 1
            sources[key] = TUIOSource(number: lastSource, of: profile)
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
        if change.namelessCount > 0 { counters.count(.ignored, change.namelessCount) }
        for (id, sight, isNew) in change.placed {
            let key = ContactKey(source: number, id: id)
            let place = sight.place
            if let mark = sight.mark {
                if isNew {
                    touches.place(key, mark, place.x, place.y, at: moment)
                } else {
                    touches.move(key, mark, place.x, place.y, at: moment)
                }
            } else if isNew {
                touches.place(key, place.x, place.y, user: sight.user, at: moment)
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
            let second = TUIOPart.Profile.second.rawValue
            unfinished = unfinished.filter { second + $0.value != key }
        }
        touches.tick(at: moment)
    }
}
