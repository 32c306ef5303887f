package import Geometry
import Gestures
package import Interactions
import Notation

/// The state by which a session table opens sessions: scenes, epochs, and the contacts that were
/// refused before their session was open.
package struct SessionOpener: Sendable {
    /// The scenes that events and reactions may name.
    package private(set) var catalog: SceneCatalog
    /// The scene of sessions that open by their first event; nil: `open` alone opens one.
    package var autoOpen: SceneReference?
    package var frameRate: Int
    /// Takes the place of every scene's own seed.
    package var seed: UInt64?
    private var epochs: EpochNames
    /// Contacts whose `began` was refused and opened no session, of all sessions.
    private var refused = RefusedContacts()

    package init(
        scenes: [String: Scene], autoOpen: SceneReference?, frameRate: Int, seed: UInt64? = nil,
        epochs: EpochNames
    ) {
        catalog = SceneCatalog(scenes)
        self.autoOpen = autoOpen
        self.frameRate = frameRate
        self.seed = seed
        self.epochs = epochs
    }

    // MARK: Scenes

    /// The catalog's scenes. Open sessions keep the former catalog, until they are given this one.
    package var scenes: [String: Scene] {
        get { catalog.scenes }
        set { catalog = SceneCatalog(newValue) }
    }

    /// The scene of a session that opens by this event.
    package func scene(of event: Event, session id: String) throws(Rejection) -> Scene {
        switch event.payload {
        case .open(let reference), .replace(let reference): return try scene(reference)
        case .close: throw .unknown(session: id)
        case .gesture, .command, .notification, .assign, .change: break
        }
        guard let autoOpen else { throw .unknown(session: id) }
        return try scene(autoOpen)
    }

    package func scene(_ reference: SceneReference) throws(Rejection) -> Scene {
        switch reference {
        case .inline(let inline): return inline.scene
        case .named(let name): return try catalog.scene(name)
        }
    }

    /// The same as a session's first event.
    func first(_ event: Event) -> Event {
        guard case .replace(let reference) = event.payload else { return event }
        var event = event
        event.payload = .open(reference)
        return event
    }

    // MARK: Sessions

    /// A session of the next epoch. `opened` is the wall clock at its step 0, `key` that of the
    /// hashes of ids.
    package func makeSession(
        _ id: String, _ scene: Scene, opened: Instant,
        beginning: Session.Beginning = .new(version: 0), key: UInt128 = 0,
        mayCount: Bool = true
    ) -> Session {
        var scene = scene
        if let seed { scene.seed = seed }
        return Session(
            id: id, epoch: nextEpoch(of: id), scene: scene, opened: opened,
            frameRate: frameRate, beginning: beginning, key: key, catalog: catalog,
            mayCount: mayCount)
    }

    /// Epochs are named so from now on; before the first session.
    package mutating func name(epochs: EpochNames) { self.epochs = epochs }

    /// This member owns a shard for the `epoch`th time that it has changed hands.
    package mutating func begin(shard: Int, epoch: Int) {
        epochs.begin(shard: shard, epoch: epoch)
    }

    /// The epoch of the next session of a name that opens.
    package func nextEpoch(of id: String) -> String { epochs.next(of: id) }

    /// A session was opened: its epoch is used, and it suppresses what is left of its refused
    /// contacts.
    package mutating func opened(_ session: inout Session) {
        epochs.use(of: session.id)
        session.suppress(refused.remove(of: session.id))
    }

    // MARK: Contacts

    /// The rejection of the contact that this sample continues, if it was refused.
    package mutating func judge(_ contact: Contact) -> Rejection? { refused.judge(contact) }

    /// Refuses an event that opens no session, and remembers a refused `began`.
    package mutating func refuse(
        _ contact: Contact?, with rejection: Rejection
    ) -> Session.Reception {
        guard let contact else { return .refused(rejection) }
        if let first = refused.judge(contact) { return .suppressed(first) }
        if contact.phase == .began { refused.insert(contact, rejection) }
        return .refused(rejection)
    }
}

/// Names the lives of sessions. No two sessions of one name share an epoch.
package struct EpochNames: Sendable {
    /// The openings of one shard's sessions.
    private struct ShardEpochs: Sendable {
        /// The number of the last one.
        var last: Int

        init(first: Int) { last = first }
    }

    private enum Numbering: Sendable {
        /// One count for all sessions of a lane, different on every lane.
        case ofLane(Int, laneCount: Int)
        /// A count for each shard of a cluster, after the number of times that it changed hands.
        case ofShards([ShardEpochs?])
        /// A count for each name, so that simulated sessions do not change each other.
        case ofEachName
    }

    private let epoch: String
    private var numbering: Numbering
    private var used = 0
    private var usedByName: [String: Int] = [:]

    /// `epoch.n`, where no other lane of the daemon has the same `n`.
    package init(epoch: String, lane: Int, laneCount: Int) {
        self.epoch = epoch
        numbering = .ofLane(lane, laneCount: laneCount)
    }

    /// `tag-shard.n`, where `n` grows over all members that own the shard in turn.
    package init(cluster tag: String, shards: Int) {
        epoch = tag
        numbering = .ofShards(Array(repeating: nil, count: shards))
    }

    /// This member owns a shard for the `epoch`th time that it has changed hands.
    mutating func begin(shard: Int, epoch: Int) {
        guard case .ofShards(var shards) = numbering else { return }
        numbering = .ofEachName
        shards[shard] = ShardEpochs(first: epoch << Self.openingsBits)
        numbering = .ofShards(shards)
    }

    /// Bits for the number of a session's opening while a shard has one owner.
    private static let openingsBits = 26

    /// `epoch` for the first session of each name, then `epoch.2` and so on.
    package init(ofEachName epoch: String) {
        self.epoch = epoch
        numbering = .ofEachName
    }

    func next(of id: String) -> String {
        switch numbering {
        case .ofLane(let lane, let laneCount): return "\(epoch).\(used * laneCount + lane + 1)"
        case .ofShards(let shards):
            let shard = StableHash(id).shard(of: shards.count)
            return "\(epoch)-\(shard).\((shards[shard]?.last ?? 0) + 1)"
        case .ofEachName:
            guard let used = usedByName[id] else { return epoch }
            return "\(epoch).\(used + 1)"
        }
    }

    mutating func use(of id: String) {
        switch numbering {
        case .ofLane: used += 1
        case .ofShards(var shards):
            numbering = .ofEachName
            shards[StableHash(id).shard(of: shards.count)]?.last += 1
            numbering = .ofShards(shards)
        case .ofEachName: usedByName[id, default: 0] += 1
        }
    }
}

extension Rejection {
    package static func unknown(session: String) -> Rejection {
        Rejection(.unknownSession, "there is no session \"\(session)\"")
    }

    /// `known`: the daemon's scenes, as far as the caller knows them.
    package static func unknown(scene: String, among known: [String] = []) -> Rejection {
        let all = known.isEmpty ? "" : ", \(knownNames(nearestTo: scene, among: known))"
        return Rejection(
            .unknownScene, "there is no scene \"\(TableReader.shortened(scene))\"\(all)")
    }

    package static func unknown(component: String, among known: [String]) -> Rejection {
        Rejection(
            .unknownComponent,
            "there is no component \"\(TableReader.shortened(component))\", "
                + knownNames(nearestTo: component, among: known))
    }
}
