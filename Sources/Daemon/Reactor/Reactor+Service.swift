import Synchronization

/// What those who run the daemon are told, and what of theirs it takes.
extension Reactor {
    /// Does what is due, in each round.
    func serve(at now: Int) {
        switch operations.watchdog.judge(at: now) {
        case .begin:
            let trip = Barrier(.watch, lanes: lanes.indices, at: now)
            operations.watchdog.begin(trip)
            send(trip)
        case .late(let missing, let age): tellOfLate(missing, age: age)
        case .none: break
        }
        // One after the other, so that a lane that stands still gathers no settings.
        if operations.adoption == nil, let read = operations.reload.take() { adopt(read) }
    }

    private func send(_ trip: Barrier) {
        for lane in lanes.indices { add(.barrier(trip), to: lane) }
    }

    /// Takes a round trip that has passed all lanes.
    func take(_ trip: Barrier) {
        switch trip.purpose {
        case .watch:
            let late = operations.watchdog.take(trip, at: Clock.monotonic())
            operations.manager.feedWatchdog()
            if let late { operations.log.tell(.lanesBack, "after \(late / 1_000_000) ms") }
        case .adopt:
            operations.adoption = nil
            endReload()
        }
    }

    private func tellOfLate(_ missing: [Int], age: Int) {
        let names = missing.map { "\($0)" }.joined(separator: ", ")
        let watchdog = operations.manager.watchdog == nil ? "" : "; the watchdog is not fed"
        operations.log.tell(
            .lanesLate,
            "no word for \(age / 1_000_000) ms of lane \(names) of 0 to \(lanes.count - 1)"
                + watchdog)
    }

    // MARK: Once a second

    /// Tells how the daemon fares, where that has changed, and what is due of the log.
    func tellFigures() {
        let now = Clock.monotonic()
        operations.count(
            Operations.Figures(
                time: now, events: counters.get(.events), updates: counters.get(.updates)))
        tellStatus()
        tellOfStore(storeHealth)
        if let entry = operations.rejectionLog.entry(count: counters.get(.rejected), at: now) {
            operations.log.tell(entry)
        }
        operations.log.tick(at: now)
        operations.manager.flush()
    }

    /// Tells the status with the rates of the last whole second.
    func tellStatus() {
        operations.manager.tell(
            status: StatusLine.text(
                sessions: counters.get(.sessions), moving: counters.get(.moving),
                eventsPerSecond: operations.rates.events,
                updatesPerSecond: operations.rates.updates,
                store: storeHealth, flaw: operations.flaw))
    }

    private var storeHealth: StoreHealth { storeWriter?.health(at: Clock.monotonic()) ?? .off }

    private func tellOfStore(_ health: StoreHealth) {
        switch health {
        case .waiting(let seconds):
            guard !operations.hasStoreStalled else { return }
            operations.hasStoreStalled = true
            operations.log.tell(.storeWaits, "for \(seconds) s; what moves goes on")
        case .off, .good, .failing:
            guard operations.hasStoreStalled else { return }
            operations.hasStoreStalled = false
            operations.log.tell(.storeGoesOn)
        }
    }

    // MARK: The configuration, read again

    /// Begins to read the configuration again.
    func readConfiguration() {
        operations.manager.tell(.reloading(since: Clock.monotonic()))
        operations.reload.begin()
    }

    /// Takes what was read, all of it or nothing, and hands it to the lanes.
    private func adopt(_ read: Result<Configuration, StartError>) {
        let judged = read.flatMap { configuration in
            configuration.flaw(after: operations.configuration).map { .failure($0) }
                ?? .success(configuration)
        }
        switch judged {
        case .failure(let error):
            operations.flaw = "\(LogEvent.reloadRefused.rawValue): \(error.message)"
            operations.log.tell(.reloadRefused, error.message)
            tellStatus()
            endReload()
        case .success(var configuration):
            let unchanged = configuration.keepFixed(of: operations.configuration)
            operations.configuration = configuration
            operations.settings.take(configuration)
            operations.log.set(configuration.logLevel)
            tellOfReload(unchanged)
            let trip = Barrier(
                .adopt(operations.settings), lanes: lanes.indices, at: Clock.monotonic())
            operations.adoption = trip
            send(trip)
        }
    }

    private func tellOfReload(_ unchanged: [String]) {
        let names = unchanged.joined(separator: ", ")
        operations.flaw = unchanged.isEmpty ? nil : "\(LogEvent.restartNeeded.rawValue) \(names)"
        operations.log.tell(
            .reloaded, "scenes: \(operations.settings.scenes.keys.sorted().joined(separator: ", "))"
        )
        if !unchanged.isEmpty { operations.log.tell(.restartNeeded, names) }
        tellStatus()
    }

    /// Tells the manager once nothing is on its way any more.
    private func endReload() {
        guard operations.adoption == nil, operations.reload.isIdle else { return }
        operations.manager.tell(.ready)
    }

    // MARK: The end

    func tellOfStopping() {
        let refused = operations.rejectionLog.entry(
            count: counters.get(.rejected), at: Clock.monotonic(), isLast: true)
        if let refused { operations.log.tell(refused) }
        operations.log.tell(.stopping, "no more events are read")
        operations.manager.tell(.stopping)
        operations.manager.tell(status: "stopping: what is not stored is stored")
    }

    /// Asks for time for one more part of the end: a part that hangs gets no more.
    func extendStop() { operations.manager.tell(.extended(by: 30_000_000_000)) }
}
