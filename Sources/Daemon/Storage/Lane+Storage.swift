import Dispatch
import Interactions
import Membership
import Notation
import Sessions
import Store
import Synchronization

/// How the lane and its storage call each other. Where nothing is stored, `storage` is nil.
extension LaneStorage {
    /// Tells of a session that an earlier version stored under the name of what belongs to none.
    /// Called once, before the lane starts.
    func reportUnreachable(to log: Log) {
        // No other name comes before it.
        reader.names(.after("", limit: 1)) { answer in
            guard case .success(let names) = answer, names == ["-"] else { return }
            log.write(
                .sessionUnreachable,
                "no session has the name - any more; close it, or it goes when it has not been "
                    + "used for retention")
        }
    }
}

extension Lane {
    static let nothingStored = Rejection(.internal, "nothing could be stored for too long")

    /// Whether counts may change: no version may be published that the next generation could
    /// publish anew.
    var mayCount: Bool { storage?.mayCount ?? true }

    /// Whether one more session may go before the store has deleted those that are gone.
    var mayRemove: Bool { storage?.mayRemove ?? true }

    func mayChangeCounts(of session: ActiveSession) -> Bool {
        storage?.mayChangeCounts(of: session) ?? true
    }

    /// Answers a request once its change is durable; at once if there is nothing to wait for.
    func answerWhenDurable(
        _ envelope: Envelope, _ answer: PendingReply.Answer, of id: String
    ) {
        if let storage {
            storage.answer(envelope, answer, of: id, activeSessions[id])
        } else {
            sink.chunk.reply(to: envelope, answer)
        }
    }

    /// Whether a session is closed and its removal not stored: it comes back if the daemon ends.
    func isGoing(_ id: String) -> Bool {
        activeSessions[id] == nil && storage?.writeBehind.isRemoved(id) == true
    }

    /// Lets counts change once the store's generation has begun.
    func countIfBegun() {
        guard let storage, storage.takeBeginning() else { return }
        for session in activeSessions.all { session.session.mayCount = true }
    }

    // MARK: Called by the storage

    func evict(_ session: ActiveSession) {
        close(session, .parked, at: settings.grid.step(at: Clock.monotonic()))
    }

    /// Another daemon owns a session: it goes on there.
    func drop(_ session: ActiveSession) {
        let isShared = storage?.rights.driver != nil
        close(session, isShared ? .moved(owner: MemberRow?.none.json) : .parked)
    }

    /// Has the queue do something behind all that it has to do already.
    func afterWhatWaits(_ body: @escaping @Sendable (Lane) -> Void) {
        queue.async { [weak self] in self?.atWork(body) }
    }

    /// Has the storage's timer fire at a time on the monotonic clock.
    func arm(storageAt time: Int) {
        let rest = max(0, time - Clock.monotonic())
        queue.asyncAfter(deadline: .now() + .nanoseconds(rest)) { [weak self] in
            self?.atWork { $0.storage?.timerFired() }
        }
    }

    // MARK: Called by the reactor

    /// A batch was committed, or not. Called by the reactor, which does what is little itself.
    func commitEnded(_ batch: CommitBatch, _ outcome: CommitOutcome) {
        if batch.count <= Limits.inlineEventsMax, load.isIdle {
            queue.sync {
                storage?.commitFinished(batch, outcome, waitingMax: Limits.gatheredMax)
            }
        } else {
            load.waiting.wrappingAdd(1, ordering: .relaxed)
            queue.async {
                self.storage?.commitFinished(batch, outcome)
                self.load.waiting.wrappingSubtract(1, ordering: .releasing)
            }
        }
    }

    /// Stores everything as it is, for nothing is published any more. Called by the reactor, once.
    func storeLast() { queue.sync { storage?.close() } }

    /// Whether everything is stored; what is left is submitted. Called by the reactor.
    func isStored() -> Bool { queue.sync { storage?.isDrained() ?? true } }
}
