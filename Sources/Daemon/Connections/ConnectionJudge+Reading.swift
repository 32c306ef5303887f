extension ConnectionJudge {
    /// The updates that a subscriber may leave unread since it was last found to read.
    struct Reading {
        /// The number of all updates that had been sent then, and the bytes that it had taken.
        let updates: Int
        let taken: Int
        /// The updates that were sent since and may be for it.
        var unread = UpdateCharge()
        /// All that had been sent at the last look, and what was counted for it.
        var sent: UpdateCharge
        var charge: UpdateCharge?

        init(_ sample: Sample, _ progress: Progress) {
            updates = progress.updates
            taken = sample.taken
            sent = progress.sent
            charge = sample.charge
        }

        /// Adds what was sent since the last look: what was counted for it, or else all of it.
        mutating func add(_ sample: Sample, _ progress: Progress) {
            if let before = charge, let now = sample.charge {
                unread = unread + (now - before)
            } else {
                unread = unread + (progress.sent - sent)
            }
            sent = progress.sent
            charge = sample.charge
        }
    }
}
