import Geometry

extension Configuration {
    /// A key whose value a running daemon keeps from its start.
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

    /// Bound sockets, the queues of sessions and open files stay as they are.
    private static var fixedKeys: [FixedKey] {
        [
            FixedKey("events", \.events), FixedKey("events_connect", \.eventsConnect),
            FixedKey("updates", \.updates), FixedKey("control", \.control),
            FixedKey("sockets.push", \.push),
            FixedKey("state_dir", \.stateDirectory), FixedKey("lanes", \.lanes),
            FixedKey("store.durability", \.durability), FixedKey("store.url", \.cluster.url),
            FixedKey("cluster.name", \.cluster.name),
            FixedKey("cluster.advertise", \.cluster.advertise),
            FixedKey("cluster.shards", \.cluster.shards),
            FixedKey("cluster.lease", \.cluster.leaseSeconds),
            FixedKey("cluster.weight", \.cluster.weight),
            FixedKey("sockets.send_high_water_mark", \.sendHighWaterMark),
            FixedKey("sockets.receive_high_water_mark", \.receiveHighWaterMark),
            FixedKey("sockets.linger_ms", \.lingerMilliseconds),
            FixedKey("sockets.ipv6", \.ipv6),
            FixedKey("security.server_key", \.security.serverKey),
            FixedKey("security.publisher_key", \.security.publisherKey),
        ]
    }

    /// Takes the running values of the keys that only a restart changes; returns the names of the
    /// keys that differ.
    mutating func keepFixed(of running: Configuration) -> [String] {
        let changed = Self.fixedKeys.filter { !$0.isSame(self, running) }
        for key in changed { key.keep(&self, running) }
        return changed.map(\.name)
    }
}

extension LaneSettings {
    init(
        _ configuration: Configuration, epoch: String, choice: LaneChoice, key: UInt128,
        versionFloor: Int
    ) {
        self.init(
            grid: Grid(), epoch: epoch, scenes: [:], autoOpen: nil,
            frameRate: configuration.frameRate, sessionsMax: configuration.sessionsMax,
            idleSteps: 0, retentionSteps: 0, choice: choice, key: key,
            versionFloor: versionFloor)
        take(configuration)
    }

    /// Takes the values that a running lane can change.
    mutating func take(_ configuration: Configuration) {
        scenes = configuration.scenes
        autoOpen = configuration.autoOpen.isEmpty ? nil : configuration.autoOpen
        frameRate = configuration.frameRate
        tellsTouches = configuration.touches
        sessionsMax = configuration.sessionsMax
        idleSteps = Int(configuration.idleTimeoutSeconds * Double(Step.perSecond))
        // The store knows whole seconds of use. A session never expires early.
        retentionSteps = Int(configuration.retentionSeconds.rounded(.up)) * Step.perSecond
    }
}
