package import Geometry
import Gestures
import Interactions
package import Notation

/// All of a session as it stands, motion and all: what was encoded of it goes on to the bit.
///
/// Its scene is not in it: whoever keeps the one keeps the other.
package struct SessionSnapshot: Codable, Sendable {
    /// The layout of what follows; another one is refused.
    package static var currentFormat: Int { 1 }

    let format: Int
    let epoch: String
    /// The wall clock at step 0, in nanoseconds since the Unix epoch.
    let opened: Int64
    package let clock: Step
    let jumped: Int
    let badges: BadgeLedger
    let seen: SeenIDs
    /// Tells whether the ids' hashes are of one's own key, and not what the key is.
    let keyMark: String
    let random: SplitMix64
    let restsForced: Int
    let refused: RefusedContacts
    /// Read only when it is known by which clock.
    let hands: [Node]
    let machines: [Node]
    /// Nil in what was written before there were any.
    let notes: [ComponentNotes]?
    let routes: Routes?
    /// The reactions that wait.
    let reactions: [ReactionState.Wait]?
    let outgoing: Outgoing
    /// The causes of reactions that time alone brings; nil: there are none.
    let timers: [ReactionState.Timer]?
    /// Nil: 1.
    let revision: Int?
}

/// How a session goes on.
package enum Continuation: Sendable {
    /// As the very same: epoch, clock and what was told are the former ones'.
    case same
    /// As a new life that tells everything anew: in an epoch of its own, with the clock's step 0
    /// at an instant of the wall clock, and counts whose versions go on after `version`. The
    /// former ones' own versions count up to `latest`.
    case moved(epoch: String, opened: Instant, version: Int, latest: Int = .max)
}

extension Session {
    /// All of it; to be asked for between two events.
    package var state: SessionSnapshot {
        SessionSnapshot(
            format: SessionSnapshot.currentFormat, epoch: epoch,
            opened: Int64(opened.nanoseconds), clock: clock, jumped: jumped, badges: badges,
            seen: seen, keyMark: Self.mark(of: ids), random: effects.random,
            restsForced: effects.restsForced, refused: refused,
            hands: trackings.map { Node(encoding: $0) },
            machines: machines.map { Node(encoding: $0) },
            notes: notes.contains { $0 != ComponentNotes() } ? notes : nil,
            routes: routes.isEmpty ? nil : routes,
            reactions: reacting.waits.isEmpty ? nil : reacting.waits, outgoing: outgoing,
            timers: reacting.timers.isEmpty ? nil : reacting.timers,
            revision: revision == 1 ? nil : revision)
    }

    /// A session that goes on from where another one stood. `id`, `frameRate` and `key` are as
    /// at an opening; the ids that were applied are known only where the key is the same.
    ///
    /// Throws where the state is not of the scene, or of no session that could be.
    package init(
        _ state: SessionSnapshot, id: String, scene: Scene, frameRate: Int, key: UInt128,
        catalog: SceneCatalog = .none, continuing: Continuation
    ) throws(NodeError) {
        guard state.format == SessionSnapshot.currentFormat else {
            throw NodeError(
                path: "format",
                message: "is \(state.format); this version knows \(SessionSnapshot.currentFormat)")
        }
        var (epoch, version) = (state.epoch, state.badges.version)
        var opened = Instant(nanoseconds: Int(state.opened))
        if case .moved(let newEpoch, let instant, let former, let latest) = continuing {
            version = max(min(version, latest), former)
            (epoch, opened) = (newEpoch, instant)
        }
        self.init(
            id: id, epoch: epoch, scene: scene, opened: opened, frameRate: frameRate,
            beginning: .replaced(version: version), key: key, catalog: catalog)
        try state.check(scene)
        let info = state.info(opened: opened)
        for index in machines.indices {
            machines[index] = try state.machine(index, scene, with: info)
        }
        if let excess = machines.reduce(Bulk(), { $0 + $1.bulk }).excess(of: .sessionMax) {
            throw NodeError(path: "machines", message: "have more than \(excess)")
        }
        clock = state.clock
        jumped = state.jumped
        if Self.mark(of: ids) == state.keyMark { seen = state.seen }
        effects = Effects(random: state.random)
        effects.restsForced = state.restsForced
        refused = state.refused
        notes = state.notes ?? machines.map { _ in ComponentNotes() }
        routes = state.routes ?? routes
        revision = state.revision ?? 1
        trackings = try state.trackings(with: info)
        try checkTrackings()
        try checkTimers()
        switch continuing {
        case .same:
            badges = state.badges
            if badges.variables == nil { badges.begin(scene.variables) }
            outgoing = state.outgoing
            outgoing.begin(scene)
            mayBeAsked = true
        case .moved:
            badges = BadgeLedger(state.badges.counts, after: version)
            badges.begin(scene.variables, state.badges.variables?.values)
            outgoing = Outgoing(componentCount: machines.count)
            outgoing.rows.raiseFloor(to: state.outgoing.exportedRowsFloor)
            outgoing.begin(scene)
            outgoing.events.append(.restored)
            if version > 0 {
                badges.renew()
                outgoing.changeBadges(at: clock)
            }
        }
        takeRowsTopics()
        for index in machines.indices { reschedule(index, machines[index].schedule) }
        reacting = ReactionState(scene, at: motion)
        reacting.goOn(state.reactions ?? [], state.timers)
        takePhases()
        if case .moved = continuing { react(to: .restored) }
    }

    /// The same for every session of one key, and of no use for guessing it.
    private static func mark(of ids: KeyedHash) -> String {
        // No event's id is that long.
        let text = String(repeating: "gestured", count: Limits.idBytesMax / 8 + 1)
        return String(ids(text), radix: 16)
    }

    private func checkTrackings() throws(NodeError) {
        guard
            trackings.allSatisfy({ tracking in
                machines.indices.contains(tracking.component) && tracking.hand.isSound
                    && tracking.user.map(Name.isValid) != false
                    && isSoundBesideOthers(tracking)
                    && tracking.sharedDrag?.isSound(componentCount: machines.count) != false
                    && tracking.arena.isSound(
                        machines[tracking.component].recognizers, tracker: scene.velocity)
            })
        else { throw NodeError(path: "hands", message: "are not on these components") }
    }

    /// Whether a component has no other contacts of the same hand, and not too many.
    private func isSoundBesideOthers(_ tracking: ContactTracking) -> Bool {
        let own = trackings.filter { $0.component == tracking.component }
        return own.count { $0.hand.isSame(as: tracking.hand) } == 1
            && own.reduce(0) { $0 + $1.arena.count } <= Limits.componentContactsMax
    }

    /// A timer of more than a day would never fire, and its session never be parked.
    private func checkTimers() throws(NodeError) {
        let latest = motion.after(seconds: Limits.timerImportedSecondsMax)
        func check(_ timer: Step?, _ path: String, _ index: Int) throws(NodeError) {
            if let timer, timer != .never, timer > latest {
                throw NodeError(
                    path: "\(path).\(index)",
                    message: "waits for longer than \(Int(Limits.timerImportedSecondsMax)) s")
            }
        }
        for (index, machine) in machines.enumerated() {
            try check(machine.nextTimer, "machines", index)
        }
        for (index, tracking) in trackings.enumerated() {
            try check(tracking.arena.nextTimer, "hands", index)
        }
    }
}

extension NodeError {
    /// The same of something that stands in a list.
    fileprivate func within(_ list: String, _ index: Int) -> NodeError {
        var error = self
        error.path = "\(list).\(index)" + (path.isEmpty ? "" : ".\(path)")
        return error
    }
}

extension SessionSnapshot {
    /// The clock of a session that goes on, for its decoders, opened at `instant`.
    ///
    /// The shift is rounded to 2⁻¹⁰ ms: then times of today move by exactly as much, all of them.
    fileprivate func info(opened instant: Instant) -> [CodingUserInfoKey: any Sendable] {
        let milliseconds = Double(instant.nanoseconds - Int(opened)) / 1e6
        return [.clockShift: (milliseconds * 1_024).rounded() / 1_024]
    }

    fileprivate func machine(
        _ index: Int, _ scene: Scene, with info: [CodingUserInfoKey: any Sendable]
    ) throws(NodeError) -> any Machine {
        do throws(NodeError) {
            let component = scene.components[index]
            return try component.parameters.machine(
                from: machines[index], viewport: component.placement.frame.size,
                tracker: scene.velocity, with: info)
        } catch {
            throw error.within("machines", index)
        }
    }

    fileprivate func trackings(
        with info: [CodingUserInfoKey: any Sendable]
    ) throws(NodeError) -> [ContactTracking] {
        var decoded: [ContactTracking] = []
        for (index, node) in hands.enumerated() {
            do throws(NodeError) {
                decoded.append(try node.decode(ContactTracking.self, with: info))
            } catch {
                throw error.within("hands", index)
            }
        }
        return decoded
    }

    /// Whether it is of such a scene, and nothing in it leads beyond an array or a number.
    fileprivate func check(_ scene: Scene) throws(NodeError) {
        func check(_ isSound: Bool, _ path: String) throws(NodeError) {
            if !isSound { throw NodeError(path: path, message: "is of no session of this scene") }
        }
        try check(machines.count == scene.components.count, "machines")
        try check(hands.count <= machines.count * Limits.componentContactsMax, "hands")
        try check(jumped >= 0 && jumped <= clock.count, "jumped")
        try check(Limits.openedImported.contains(Int(opened)), "opened")
        try check(Name.isValid(epoch), "epoch")
        try check((1...Limits.versionImportedMax).contains(revision ?? 1), "revision")
        try check(badges.isSound(scene.variables), "badges")
        try check((0...Limits.restsForcedImportedMax).contains(restsForced), "restsForced")
        try check(refused.isSound, "refused")
        let isNoted =
            notes.map { notes in
                notes.count == machines.count && notes.allSatisfy { $0.isSound(at: clock) }
            } ?? true
        try check(isNoted, "notes")
        let now = Step(clock.count - jumped)
        let areRoutesSound =
            routes?.isSound(componentCount: machines.count, now: now) ?? true
        try check(areRoutesSound, "routes")
        try check((reactions ?? []).areSound(scene, now: now), "reactions")
        try check(timers?.areSound(scene, now: now) ?? true, "timers")
        try check(outgoing.isSound(componentCount: machines.count), "outgoing")
    }
}

extension BadgeLedger {
    fileprivate var isSound: Bool {
        version >= firstVersion && firstVersion >= 0
            && version <= Limits.versionImportedMax
    }

    fileprivate func isSound(_ variables: [Variable]) -> Bool {
        guard isSound else { return false }
        // A session that was encoded before there were any begins with the scene's.
        guard let ledger = self.variables else { return true }
        return ledger.isSound(variables)
    }
}

extension Outgoing {
    fileprivate func isSound(componentCount: Int) -> Bool {
        let fresh = Outgoing(componentCount: componentCount)
        let seqs =
            transitionSeqs + [rejectedSeq]
            + (states + [badge, session] + (variables.map { [$0] } ?? [])).map(\.seq)
        return states.count == componentCount && transitionSeqs.count == componentCount
            && seqs.allSatisfy((0...Limits.versionImportedMax).contains)
            && transitions.allSatisfy { (0..<componentCount).contains($0.component) }
            && formerBadges.allSatisfy { $0.badges.isSound }
            && rejectionLimit.isSound(like: fresh.rejectionLimit)
            && pictures.isSound(componentCount: componentCount)
            && rows.isSound && rows.list.count <= componentCount
            && rows.list.allSatisfy {
                $0.isSound && (0..<componentCount).contains($0.component)
            }
    }
}

extension Limits {
    /// Versions of counts that an imported session may have reached: three quarters of what JSON
    /// holds exactly, so that a hostile one leaves numbers for all that follow.
    package static let versionImportedMax = 3 << 51
    /// Worlds that were put to rest since the last frame of an imported session: they go into the
    /// daemon's figures. A session has 32 components; a few steps may follow one frame.
    package static let restsForcedImportedMax = 1_024
    /// When an imported session may have opened, in nanoseconds since the Unix epoch. A session of
    /// 18 years may be older than a clock that stands at 1970; the latest instant of all, with as
    /// many years of it, still fits an integer.
    package static let openedImported = -1 << 59...Int.max - 1 << 59
    /// Seconds until the timers of an imported session: no timer of ours is set for longer.
    package static let timerImportedSecondsMax = 86_400.0
}
