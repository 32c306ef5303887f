import Notation

extension Limits {
    /// Events that wait for one lane: some milliseconds of work. Beyond it none are read.
    static let laneEventsMax = 4_096
    /// Bytes of events that wait for one lane: large bodies fill it before their number does.
    static let laneBytesMax = 8 * 1024 * 1024
    /// Events that the reactor runs inline for an idle lane, and their bytes: so few cost less than
    /// the hop to the lane's queue.
    static let inlineEventsMax = 4
    static let inlineBytesMax = 4 * 1024
    /// Microseconds that inline work may take: a frame's fortieth. If it exceeds this, the lane's
    /// queue does the work for ten times as long, so inline work takes at most a tenth of the
    /// reactor's time. Nothing runs inline so shortly before the lane's timer fires.
    static let inlineMicrosecondsMax = 200
    static let inlineBackoffTimes = 10
    /// Sessions that a lane checks for idleness in one piece: some milliseconds of work.
    static let evictedAtOnceMax = 128
    /// Stored sessions that a lane deletes at once after `retention`: some milliseconds of work.
    static let expiredAtOnceMax = 256
    /// Microseconds after which a piece of such work ends.
    static let pieceMicrosecondsMax = 2_000
    /// Emptied batches that a lane keeps for reuse: as many as wait at full load, at most 5 MiB.
    static let spareBatchesMax = 32
    /// Bytes of events, and pieces of work, up to which an emptied batch keeps its memory: those of
    /// a round under load.
    static let spareBatchBytesMax = 64 * 1024
    static let spareBatchWorkMax = 1_024
}
