import Geometry

extension Configuration {
    /// One key of which a running daemon keeps the value that it started with.
    private struct FixedKey {
        let name: String
        let isSame: (Configuration, Configuration) -> Bool
        let keep: (inout Configuration, Configuration) -> Void

        init<Value: Equatable>(
            _ name: String, _ path: WritableKeyPath<Configuration, Value>
        ) {
            self.name = name
            isSame = { $0[keyPath: path] == $1[keyPath: path] }
            keep = { $0[keyPath: path] = $1[keyPath: path] }
        }
    }

    /// Sockets that are bound, queues that sessions live on and files that are open stay.
    private static var fixedKeys: [FixedKey] {
        [
            FixedKey("events", \.events), FixedKey("events_connect", \.eventsConnect),
            FixedKey("updates", \.updates), FixedKey("control", \.control),
            FixedKey("state_dir", \.stateDirectory), FixedKey("lanes", \.lanes),
            FixedKey("store.durability", \.durability),
            FixedKey("sockets.send_high_water_mark", \.sendHighWaterMark),
            FixedKey("sockets.receive_high_water_mark", \.receiveHighWaterMark),
            FixedKey("sockets.linger_ms", \.lingerMilliseconds),
            FixedKey("sockets.ipv6", \.ipv6),
        ]
    }

    /// Keeps what only a restart changes as it is in a running one; returns the names of the keys
    /// that it would change.
    mutating func keepFixed(of running: Configuration) -> [String] {
        let changed = Self.fixedKeys.filter { !$0.isSame(self, running) }
        for key in changed { key.keep(&self, running) }
        return changed.map(\.name)
    }
}

extension LaneSettings {
    init(
        _ configuration: Configuration, epoch: String, laneCount: Int, key: UInt128, floor: Int
    ) {
        self.init(
            grid: Grid(), epoch: epoch, scenes: [:], autoOpen: nil,
            frameRate: configuration.frameRate, sessionsMax: configuration.sessionsMax,
            idleSteps: 0, retentionSteps: 0, laneCount: laneCount, key: key, floor: floor)
        take(configuration)
    }

    /// Takes what a running lane can change.
    mutating func take(_ configuration: Configuration) {
        scenes = configuration.scenes
        autoOpen = configuration.autoOpen.isEmpty ? nil : configuration.autoOpen
        frameRate = configuration.frameRate
        sessionsMax = configuration.sessionsMax
        idleSteps = Int(configuration.idleTimeoutSeconds * Double(Step.perSecond))
        // No session is gone from the store before it is from memory.
        let kept = max(configuration.retentionSeconds, configuration.idleTimeoutSeconds)
        retentionSteps = Int(kept) * Step.perSecond
    }
}
