import Glibc
import Notation
import Supervision
import ZeroMQ

/// The end in order: what was read is done, stored and sent.
extension Reactor {
    /// Ends lanes and store. Told to stop once more, it waits for the disk no longer.
    func finish() throws(ZeroMQError) {
        reportStopping()
        // The last orders of a cluster: what is another member's must not be stored again.
        _ = work.dispatch(suppressingWakeupsOf: outbox)
        awaitLookUps()
        for lane in lanes { lane.stop() }
        var isWhole = true
        if let storeWriter { isWhole = try storeAll(by: storeWriter) }
        try sendOutgoing()
        for reply in unanswered.paced.takeAll() { try send(reply) }
        operations.log.write(isWhole ? .stopped : .stoppedUnstored)
    }

    /// Lets lanes do what waits for sessions that are being read.
    private func awaitLookUps() {
        let end = Clock.monotonic() + Limits.lookUpSecondsMax * 1_000_000_000
        while Clock.monotonic() < end, lanes.contains(where: { !$0.isLookedUp() }) {
            usleep(1_000)
        }
    }

    /// Returns whether everything is stored.
    private func storeAll(by storeWriter: StoreWriter) throws(ZeroMQError) -> Bool {
        for lane in lanes {
            extendStop()
            lane.storeLast()
        }
        // Batches under way come first, then the rest; a store that fails is left.
        for _ in 0..<3 {
            // All of them are asked each time, for being asked hands over what is left.
            guard lanes.map({ $0.isStored() }).contains(false) else { break }
            extendStop()
            guard storeWriter.drain(unless: isGivenUp) else { return false }
            // With the answers the lanes are told what is stored.
            try sendOutgoing()
        }
        let isWhole = lanes.allSatisfy { $0.isStored() }
        extendStop()
        if isWhole { work.cluster?.driver.finish(unless: isGivenUp) }
        // Everything is stored by now, or is not, whatever this comes to.
        _ = storeWriter.stop(isWhole: isWhole, unless: isGivenUp)
        return isWhole
    }

    /// Whether it was told to stop once more, and the disk has had its time.
    private func isGivenUp() -> Bool {
        readSignals()
        return signals.isGivenUp(at: Clock.monotonic())
    }

    private func reportStopping() {
        let refused = operations.rejectionLog.record(
            count: counters.get(.rejected), at: Clock.monotonic(), isLast: true)
        if let refused { operations.log.write(refused) }
        operations.log.write(.stopping, "no more events are read")
        operations.manager.notify(.stopping)
        operations.manager.notify(status: "stopping: what is not stored is stored")
    }

    /// Asks the manager for more time for one part of the end: a part that hangs gets no more.
    private func extendStop() { operations.manager.notify(.extended(by: 30_000_000_000)) }
}
