import Membership
import Supervision
import Synchronization

/// The daemon's reports to its administrators, and the configuration that it takes from them.
extension Reactor {
    /// Watches the lanes and takes a configuration that was read. Called once a round.
    func superviseLanes(at now: Int) {
        switch operations.watchdog.judge(at: now) {
        case .begin:
            let barrier = Barrier(.watch, lanes: lanes.indices, at: now)
            operations.watchdog.begin(barrier)
            work.addToAll(barrier)
        case .late(let missing, let age): reportLate(missing, age: age)
        case .none: break
        }
        // One after the other, so that a lane that stands still gathers no settings.
        if operations.adoption == nil, let read = operations.reload.take() { adopt(read) }
    }

    /// A barrier has passed all lanes.
    func complete(_ barrier: Barrier) {
        switch barrier.purpose {
        case .watch:
            let late = operations.watchdog.take(barrier, at: Clock.monotonic())
            operations.manager.feedWatchdog()
            if let late { operations.log.write(.lanesBack, "after \(late / 1_000_000) ms") }
        case .probe: work.cluster?.driver.send(.lanesAnswered)
        case .adopt:
            operations.adoption = nil
            endReload()
        }
    }

    private func reportLate(_ missing: [Int], age: Int) {
        let names = missing.map { "\($0)" }.joined(separator: ", ")
        let watchdog = operations.manager.watchdog == nil ? "" : "; the watchdog is not fed"
        operations.log.write(
            .lanesLate,
            "no word for \(age / 1_000_000) ms of lane \(names) of 0 to \(lanes.count - 1)"
                + watchdog)
    }

    // MARK: Once a second

    /// Reports how the daemon fares to the manager and the log, where that has changed.
    func reportFigures() {
        let now = Clock.monotonic()
        operations.count(
            Operations.Figures(
                time: now, events: counters.get(.events), updates: counters.get(.updates)))
        reportStatus()
        reportStore(storeHealth)
        if let entry = operations.rejectionLog.record(count: counters.get(.rejected), at: now) {
            operations.log.write(entry)
        }
        operations.log.tick(at: now)
        operations.manager.flush()
    }

    /// Reports the status with the rates of the last whole second.
    func reportStatus() {
        operations.manager.notify(
            status: StatusLine.text(
                sessions: counters.get(.sessions), moving: counters.get(.moving),
                eventsPerSecond: operations.rates.events,
                updatesPerSecond: operations.rates.updates,
                store: storeHealth, flaw: operations.flaw))
    }

    private var storeHealth: StoreHealth { storeWriter?.health(at: Clock.monotonic()) ?? .off }

    private func reportStore(_ health: StoreHealth) {
        switch health {
        case .waiting(let seconds):
            guard !operations.hasStoreStalled else { return }
            operations.hasStoreStalled = true
            operations.log.write(.storeWaits, "for \(seconds) s; what moves goes on")
        case .off, .good, .failing:
            guard operations.hasStoreStalled else { return }
            operations.hasStoreStalled = false
            operations.log.write(.storeGoesOn)
        }
    }

    // MARK: The configuration, read again

    /// Begins to read the configuration again.
    func readConfiguration() {
        operations.manager.notify(.reloading(since: Clock.monotonic()))
        operations.reload.begin()
    }

    /// Takes what was read, all of it or nothing, and hands it to the lanes.
    private func adopt(_ read: Result<Configuration, StartError>) {
        let judged = read.flatMap { configuration in
            configuration.flaw(after: operations.configuration).map { .failure($0) }
                ?? .success(configuration)
        }.flatMap(takeKeys)
        switch judged {
        case .failure(let error):
            operations.flaw = "\(LogEvent.reloadRefused.rawValue): \(error.message)"
            operations.log.write(.reloadRefused, error.message)
            reportStatus()
            endReload()
        case .success(var configuration):
            let unchanged = configuration.keepFixed(of: operations.configuration)
            operations.configuration = configuration
            operations.settings.take(configuration)
            operations.log.set(configuration.logLevel)
            reportReload(unchanged)
            let barrier = Barrier(
                .adopt(operations.settings), lanes: lanes.indices, at: Clock.monotonic())
            operations.adoption = barrier
            work.addToAll(barrier)
        }
    }

    private func reportReload(_ unchanged: [String]) {
        let names = unchanged.joined(separator: ", ")
        operations.flaw = unchanged.isEmpty ? nil : "\(LogEvent.restartNeeded.rawValue) \(names)"
        operations.log.write(
            .reloaded, "scenes: \(operations.settings.scenes.keys.sorted().joined(separator: ", "))"
        )
        if !unchanged.isEmpty { operations.log.write(.restartNeeded, names) }
        reportStatus()
    }

    /// Tells the manager that the reload is over, once no lane has settings to take.
    private func endReload() {
        guard operations.adoption == nil, operations.reload.isIdle else { return }
        operations.manager.notify(.ready)
    }
}
