import Notation

extension Limits {
    /// Events that wait for one lane: some milliseconds of work. Beyond it none are read.
    static let laneEventsMax = 4_096
    /// Bytes of events that wait for one lane: large bodies fill it before their number does.
    static let laneBytesMax = 8 * 1024 * 1024
    /// Events and publishes, and bytes of them, that the reactor does itself for a lane that is
    /// idle: fewer than those cost less than the hop.
    static let doneAtOnceMax = 4
    static let doneBytesMax = 4 * 1024
    /// Microseconds that this may take: a frame's fortieth. Longer, it is left to the lane for so
    /// many times as long, which is a tenth of the reactor's time at most; as it is before the
    /// lane's timer fires.
    static let doneMicrosecondsMax = 200
    static let barredTimes = 10
    /// Sessions of a lane that are looked at in one piece of a sweep: some milliseconds of work.
    static let sweptAtOnceMax = 128
    /// Stored sessions that a lane lets expire in one sweep: some milliseconds of work.
    static let expiredAtOnceMax = 256
    /// Microseconds after which a piece of a sweep ends, however few it has come to.
    static let pieceMicrosecondsMax = 2_000
    /// Emptied batches that are kept for reuse on each lane: as many as wait at full load. If all
    /// are as large as they may be, 5 MiB.
    static let spareBatchesMax = 32
    /// Bytes of events, and pieces of work, for which an emptied batch keeps its memory: a usual
    /// round under load; a larger one gives it back.
    static let spareBatchBytesMax = 64 * 1024
    static let spareBatchWorkMax = 1_024
}
