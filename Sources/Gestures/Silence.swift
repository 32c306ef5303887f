import Geometry

/// How long an open gesture may be silent before it is cancelled.
///
/// Publishers repeat the last sample of a contact that rests. One constant holds for raw contacts
/// and for gestures that a publisher recognized itself.
package enum Silence {
    /// Steps without a sample: 3 s.
    package static let stepsMax = 3 * Step.perSecond
}
