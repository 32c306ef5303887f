import Synchronization

/// What those who run the daemon are told, and what of theirs it takes.
extension Reactor {
    /// Does what is due, in each round.
    func serve(at now: Int) {
        switch steward.watchdog.judge(at: now) {
        case .begin:
            let trip = RoundTrip(.watch, lanes: lanes.indices, at: now)
            steward.watchdog.begin(trip)
            send(trip)
        case .late(let missing, let age): tellOfLate(missing, age: age)
        case .none: break
        }
        // One after the other, so that a lane that stands still gathers no settings.
        if steward.adoption == nil, let read = steward.reload.take() { adopt(read) }
    }

    private func send(_ trip: RoundTrip) {
        for lane in lanes.indices { add(.roundTrip(trip), to: lane) }
    }

    /// Takes a round trip that has passed all lanes.
    func take(_ trip: RoundTrip) {
        switch trip.purpose {
        case .watch:
            let late = steward.watchdog.take(trip, at: Clock.monotonic())
            steward.manager.feedWatchdog()
            if let late { steward.log.tell(.lanesBack, "after \(late / 1_000_000) ms") }
        case .adopt:
            steward.adoption = nil
            endReload()
        }
    }

    private func tellOfLate(_ missing: [Int], age: Int) {
        let names = missing.map { "\($0)" }.joined(separator: ", ")
        let watchdog = steward.manager.watchdog == nil ? "" : "; the watchdog is not fed"
        steward.log.tell(
            .lanesLate,
            "no word for \(age / 1_000_000) ms of lane \(names) of 0 to \(lanes.count - 1)"
                + watchdog)
    }

    // MARK: Once a second

    /// Tells how the daemon fares, where that has changed, and what is due of the log.
    func tellFigures() {
        let now = Clock.monotonic()
        steward.count(
            Steward.Figures(
                time: now, events: counters.get(.events), updates: counters.get(.updates)))
        tellStatus()
        tellOfStore(storeHealth)
        if let entry = steward.refusals.entry(count: counters.get(.rejected), at: now) {
            steward.log.tell(entry)
        }
        steward.log.tick(at: now)
        steward.manager.flush()
    }

    /// Tells the status with the rates of the last whole second.
    func tellStatus() {
        steward.manager.tell(
            status: StatusLine.text(
                sessions: counters.get(.sessions), moving: counters.get(.moving),
                eventsPerSecond: steward.rates.events, updatesPerSecond: steward.rates.updates,
                store: storeHealth, flaw: steward.flaw))
    }

    private var storeHealth: StoreHealth { keeper?.health(at: Clock.monotonic()) ?? .off }

    private func tellOfStore(_ health: StoreHealth) {
        switch health {
        case .waiting(let seconds):
            guard !steward.hasStoreStalled else { return }
            steward.hasStoreStalled = true
            steward.log.tell(.storeWaits, "for \(seconds) s; what moves goes on")
        case .off, .good, .failing:
            guard steward.hasStoreStalled else { return }
            steward.hasStoreStalled = false
            steward.log.tell(.storeGoesOn)
        }
    }

    // MARK: The configuration, read again

    /// Begins to read the configuration again.
    func readConfiguration() {
        steward.manager.tell(.reloading(since: Clock.monotonic()))
        steward.reload.begin()
    }

    /// Takes what was read, all of it or nothing, and hands it to the lanes.
    private func adopt(_ read: Result<Configuration, StartError>) {
        let judged = read.flatMap { configuration in
            configuration.flaw(after: steward.configuration).map { .failure($0) }
                ?? .success(configuration)
        }
        switch judged {
        case .failure(let error):
            steward.flaw = "\(Notice.reloadRefused.rawValue): \(error.message)"
            steward.log.tell(.reloadRefused, error.message)
            tellStatus()
            endReload()
        case .success(var configuration):
            let unchanged = configuration.keepFixed(of: steward.configuration)
            steward.configuration = configuration
            steward.settings.take(configuration)
            scenes = configuration.scenes.keys.sorted()
            sessionsMax = configuration.sessionsMax
            steward.log.set(configuration.logLevel)
            tellOfReload(unchanged)
            let trip = RoundTrip(
                .adopt(steward.settings), lanes: lanes.indices, at: Clock.monotonic())
            steward.adoption = trip
            send(trip)
        }
    }

    private func tellOfReload(_ unchanged: [String]) {
        let names = unchanged.joined(separator: ", ")
        steward.flaw = unchanged.isEmpty ? nil : "\(Notice.restartNeeded.rawValue) \(names)"
        steward.log.tell(.reloaded, "scenes: \(scenes.joined(separator: ", "))")
        if !unchanged.isEmpty { steward.log.tell(.restartNeeded, names) }
        tellStatus()
    }

    /// Tells the manager once nothing is on its way any more.
    private func endReload() {
        guard steward.adoption == nil, steward.reload.isIdle else { return }
        steward.manager.tell(.ready)
    }

    // MARK: The end

    func tellOfStopping() {
        let refused = steward.refusals.entry(
            count: counters.get(.rejected), at: Clock.monotonic(), isLast: true)
        if let refused { steward.log.tell(refused) }
        steward.log.tell(.stopping, "no more events are read")
        steward.manager.tell(.stopping)
        steward.manager.tell(status: "stopping: what is not stored is stored")
    }

    /// Asks for time for one more part of the end: a part that hangs gets no more.
    func extendStop() { steward.manager.tell(.extended(by: 30_000_000_000)) }
}
