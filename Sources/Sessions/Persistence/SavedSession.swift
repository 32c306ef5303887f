package import Geometry
package import Interactions
package import Notation

/// The part of a session that outlives the process.
package struct SavedSession: Hashable, Sendable {
    /// Where its scene is to be had.
    package enum Source: Hashable, Sendable {
        case named(String)
        /// A scene object as JSON.
        case document(String)
    }

    package struct Component: Hashable, Sendable {
        package var id: String
        package var state: SavedState

        package init(id: String, state: SavedState) {
            self.id = id
            self.state = state
        }
    }

    package var source: Source
    /// The generator's present state.
    package var seed: UInt64
    package var components: [Component]
    package var counts: BadgeCounts
    /// The counts' present version.
    package var version: Int
    /// The store's life in which it was written; in each later one, versions that were told after
    /// it may not have been stored.
    package var generation: Int
    /// How many ids were applied, as far as it matters for their ring.
    package var seenTotal: Int
    /// How often its scene was changed, and 1.
    package var revision: Int
    /// By their names, in the order of the scene that it had.
    package var variables: [Variable] = []
    package var waits: [SavedWait] = []
    /// Versions of rows that are told begin above it, because higher ones were told than would come
    /// of the rest. 0: none were.
    package var rowsFloor = 0

    package init(
        source: Source, seed: UInt64, components: [Component], counts: BadgeCounts, version: Int,
        generation: Int, seenTotal: Int, revision: Int = 1
    ) {
        self.source = source
        self.seed = seed
        self.components = components
        self.counts = counts
        self.version = version
        self.generation = generation
        self.seenTotal = seenTotal
        self.revision = revision
    }
}

extension [SavedSession.Component] {
    /// The place of a component; nil: there is none of this id.
    func index(of id: String) -> Int? {
        // There are few, and a closure would get a copy of each.
        for index in indices where self[index].id == id { return index }
        return nil
    }
}

extension Session {
    /// Where it would settle if nothing more came; nil: its scene has no source to name.
    package func record(generation: Int = 0) -> SavedSession? {
        var record = recordWithoutComponents(generation: generation)
        record?.components = machines.indices.map { recordComponent($0) }
        return record
    }

    /// The part of its record that belongs to no component. Waits have as much left as at a step
    /// of the clock that it may not have reached: at rest it stands where something came last.
    package func recordWithoutComponents(
        generation: Int, at step: Step = .zero
    ) -> SavedSession? {
        let source: SavedSession.Source
        if let document = scene.document {
            source = .document(document)
        } else if let name = scene.name {
            source = .named(name)
        } else {
            return nil
        }
        var record = SavedSession(
            source: source, seed: seed, components: [], counts: badges.counts,
            version: badges.version, generation: generation, seenTotal: seen.total,
            revision: revision)
        record.variables = variables
        let now = Step(max(clock, step).count - jumped)
        record.waits = reacting.saved(scene, at: now)
        record.rowsFloor = savedRowsFloor
        return record
    }

    package func recordComponent(_ index: Int) -> SavedSession.Component {
        SavedSession.Component(id: scene.components[index].id, state: machines[index].savedState)
    }

    /// The generator's present state.
    package var seed: UInt64 { effects.random.state }

    /// How often waits of its reactions began or ended, beside those that a touch prolongs.
    package var waitChanges: Int { reacting.waitChanges }
}

extension Limits {
    /// A version of counts that the store may hold: seven eighths of what JSON holds exactly. An
    /// imported one is smaller.
    package static let versionStoredMax = 7 << 50
    /// Lives of a store, or owners of a shard, one after the other: one a second for eight years.
    /// With the versions that each of them leaves out, a version still fits JSON.
    package static let livesMax = 1 << 28
    /// Versions of one session's counts that may be told before they are stored: a disk that takes
    /// nothing for days. After an unclean end as many are left out.
    package static let versionsUnstoredMax = 1 << 20
}
