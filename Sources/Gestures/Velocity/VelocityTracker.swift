package import Geometry

/// The time of a sample: by its source, if given, and by its receipt.
package struct SampleTime: Hashable, Sendable {
    /// Milliseconds since the Unix epoch by the source's clock.
    package var claimed: Double?
    /// Milliseconds since the Unix epoch by ours.
    package var received: Double

    package init(claimed: Double?, received: Double) {
        self.claimed = claimed
        self.received = received
    }

    /// The greatest difference between the clocks at which the source's time is used.
    package static let skewMillisecondsMax = 2_000.0

    /// The source's time, unless it is missing, too different or earlier than `last`.
    func milliseconds(after last: Double?) -> Double {
        if let claimed, (claimed - received).magnitude <= Self.skewMillisecondsMax,
            claimed >= last ?? claimed
        {
            return claimed
        }
        return max(received, last ?? received)
    }
}

/// Measures the velocity of a contact at its release, from its samples alone.
///
/// A recognizer or a machine adds each sample with its `SampleTime` and asks once, at the release.
/// A finger that rested forgets how fast it was before; see `cutPause`. Sources that give a
/// velocity of their own bypass it. Recordings of real hands hold the figures.
package struct VelocityTracker: Hashable, Sendable, Codable {
    /// The methods that a scene may choose for its pans.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// 0.2 of the last velocity and 0.8 of the one before, as UIKit's pan recognizer.
        case uikit
        /// A parabola fitted to the last 100 ms.
        case leastSquares = "least-squares"
    }

    private enum Rule: Hashable, Sendable, Codable {
        /// This share of the last velocity, and the rest of the one before.
        case blend(latest: Double)
        case parabola

        /// Samples that the method keeps: two velocities need three, and the newest may stand in
        /// for the one before it.
        var samplesMax: Int {
            switch self {
            case .blend: 4
            case .parabola: 20
            }
        }

        /// Whether a movement is measured from several samples of the rest that it leaves, such as
        /// that of a finger that has only landed. A blend of two velocities would take one of them
        /// from the rest.
        var keepsRest: Bool {
            switch self {
            case .blend: false
            case .parabola: true
            }
        }

        /// The least time between two samples of a velocity. Screens report in bursts: two samples
        /// that are a millisecond apart may be a whole frame's way apart.
        var leastMilliseconds: Double {
            switch self {
            case .blend: 4
            case .parabola: 0
            }
        }
    }

    fileprivate struct Sample: Hashable, Sendable, Codable {
        var location: Vector
        var milliseconds: Double
    }

    /// A finger that stays about one place.
    private struct Stay: Hashable, Sendable, Codable {
        /// Where it came to, and when.
        var beginning: Sample
        /// Its last change of place, if only a tremble.
        var change: Sample
        /// Whether it has rested there. It rests until it leaves.
        var isRest = false
    }

    /// A finger that keeps its exact place for longer than this rests. Screens that report 120
    /// times a second and move 60 times repeat a place for 17 ms.
    package static let pauseMilliseconds = 40.0
    /// Points around a place within which a resting finger trembles.
    package static let tremblePoints = 2.0
    /// A finger that trembles about one place for longer than this rests there.
    package static let trembleMilliseconds = 100.0
    /// Samples closer than this are one: they differ by the clock's noise alone.
    private static let mergedMilliseconds = 1.0
    private static let horizonMilliseconds = 100.0

    private let rule: Rule
    /// The changes of place, the oldest first.
    private var samples: [Sample] = []
    /// The last of the repeats that came after the newest of `samples`.
    private var repeated: Sample?
    /// Nil: it has come to the place of the last sample with that sample.
    private var stay: Stay?

    package init(kind: Kind) {
        switch kind {
        case .uikit: self.init(rule: .blend(latest: 0.2))
        case .leastSquares: self.init(rule: .parabola)
        }
    }

    private init(rule: Rule) { self.rule = rule }

    /// For a scroll view's offset: 0.25 of the last velocity and 0.75 of the one before.
    package static let scrolling = VelocityTracker(rule: .blend(latest: 0.25))

    /// `tremble` is the distance within which a resting finger trembles, in the unit of `location`:
    /// points, unless that is another one.
    package mutating func add(
        _ location: Vector, at time: SampleTime, tremble: Double = tremblePoints
    ) {
        let milliseconds = time.milliseconds(after: newest?.milliseconds)
        cutPause(before: location, milliseconds: milliseconds, tremble: tremble)
        append(location, milliseconds: milliseconds)
    }

    /// All places were measured in other coordinates: they are so much farther on now.
    package mutating func translate(by way: Vector) {
        for place in samples.indices {
            samples[place].location = samples[place].location + way
        }
        if let former = repeated?.location { repeated?.location = former + way }
        guard var stay else { return }
        stay.beginning.location = stay.beginning.location + way
        stay.change.location = stay.change.location + way
        self.stay = stay
    }

    /// The newest sample, which may be a repeat.
    private var newest: Sample? { repeated ?? samples.last }

    /// Forgets what was before a pause.
    ///
    /// A sample that repeats a place neither bridges a pause nor makes one: the time since the last
    /// change counts. A resting finger trembles, so it rests until it is some points away. The
    /// movement that takes it away may begin with the last sample of the rest, if that is recent;
    /// a repeat is one.
    private mutating func cutPause(
        before location: Vector, milliseconds: Double, tremble: Double
    ) {
        guard let last = samples.last, let newest else { return }
        var stay = self.stay ?? Stay(beginning: last, change: last)
        if milliseconds - stay.change.milliseconds > Self.pauseMilliseconds {
            // It trembles about the place that it has kept, wherever it trembled before.
            stay.beginning.location = stay.change.location
            stay.isRest = true
        }
        let isNear = (location - stay.beginning.location).length <= tremble
        let isOverdue = milliseconds - stay.beginning.milliseconds > Self.trembleMilliseconds
        if isNear && isOverdue { stay.isRest = true }
        if stay.isRest {
            samples.removeAll { $0.milliseconds < stay.beginning.milliseconds }
            if milliseconds - newest.milliseconds > Self.pauseMilliseconds {
                samples.removeAll(keepingCapacity: true)
                repeated = nil
            } else if !isNear {
                leave(newest, after: last)
            }
        }
        guard isNear else {
            self.stay = nil
            return
        }
        if location != last.location {
            stay.change = Sample(location: location, milliseconds: milliseconds)
        }
        self.stay = stay
    }

    /// A movement begins where the finger rested, with the last sample from there.
    private mutating func leave(_ newest: Sample, after last: Sample) {
        let isLong = newest.milliseconds - last.milliseconds > Self.pauseMilliseconds
        if isLong || !rule.keepsRest { samples.removeAll(keepingCapacity: true) }
        if samples.last != newest { samples.append(newest) }
        repeated = nil
    }

    /// Keeps a sample, unless it repeats a place: screens that report more often than they measure
    /// send the same place again, and the finger was not still meanwhile.
    private mutating func append(_ location: Vector, milliseconds: Double) {
        if location == samples.last?.location {
            repeated = Sample(location: location, milliseconds: milliseconds)
            return
        }
        // A finger that has only landed stood still until then.
        if rule.keepsRest, samples.count == 1, let repeated { samples.append(repeated) }
        repeated = nil
        if let last = samples.last,
            milliseconds - last.milliseconds < Self.mergedMilliseconds
        {
            samples[samples.count - 1].location = location
            return
        }
        if isNewestTooNear {
            // The later of the two stands for both, unless this one is too near to it.
            let isNear = milliseconds - (samples.last?.milliseconds ?? 0) < rule.leastMilliseconds
            samples.remove(at: samples.count - (isNear ? 1 : 2))
        }
        if samples.count >= rule.samplesMax { samples.removeFirst() }
        samples.append(Sample(location: location, milliseconds: milliseconds))
    }

    /// The velocity in points per second of a contact that is released now.
    ///
    /// A release at the last sample's place is a repeat, and no movement. `tremble` is that of
    /// `add`.
    package func velocity(
        endingAt location: Vector, time: SampleTime, tremble: Double = tremblePoints
    ) -> Vector {
        guard let newest else { return .zero }
        let end = time.milliseconds(after: newest.milliseconds)
        var tracker = self
        tracker.cutPause(before: location, milliseconds: end, tremble: tremble)
        if tracker.stay?.isRest == true { return .zero }
        tracker.append(location, milliseconds: end)
        switch rule {
        case .blend(let latest): return tracker.blend(latest: latest)
        case .parabola: return tracker.parabola()
        }
    }

    /// Whether the last two samples are too near to each other for a velocity.
    private var isNewestTooNear: Bool {
        let n = samples.count
        return n >= 2
            && samples[n - 1].milliseconds - samples[n - 2].milliseconds < rule.leastMilliseconds
    }

    private func blend(latest share: Double) -> Vector {
        var samples = samples
        if isNewestTooNear { samples.remove(at: samples.count - 2) }
        let n = samples.count
        guard n >= 2 else { return .zero }
        let current = Self.velocity(from: samples[n - 2], to: samples[n - 1])
        guard n >= 3 else { return current }
        let previous = Self.velocity(from: samples[n - 3], to: samples[n - 2])
        return share * current + (1 - share) * previous
    }

    private static func velocity(from a: Sample, to b: Sample) -> Vector {
        let milliseconds = b.milliseconds - a.milliseconds
        guard milliseconds > 0 else { return .zero }
        return (b.location - a.location) / milliseconds * 1000
    }

    /// The slope of the least-squares parabola at the newest sample.
    ///
    /// Fitted with polynomials that are orthogonal over the samples: the normal equations would
    /// lose precision.
    private func parabola() -> Vector {
        let recent = recentSamples()
        guard recent.count >= 3, let newest = recent.first else { return .zero }
        let count = Double(recent.count)
        let times = recent.map { $0.milliseconds - newest.milliseconds }
        let mean = times.reduce(0, +) / count
        let spread = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard spread > 0 else { return .zero }
        let skew = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * $1 } / spread
        // p₀ = 1, p₁ = t − mean, p₂ = (t − skew) p₁ − spread/count.
        var linear = Vector.zero
        var quadratic = Vector.zero
        var norm = 0.0
        for (sample, time) in zip(recent, times) {
            let p1 = time - mean
            let p2 = (time - skew) * p1 - spread / count
            linear += sample.location * p1
            quadratic += sample.location * p2
            norm += p2 * p2
        }
        var slope = linear / spread
        // At the newest sample, t = 0: p₂' = 2t − mean − skew.
        if norm > 0 { slope += quadratic / norm * (-mean - skew) }
        return slope * 1000
    }

    /// The samples for the parabola, newest first.
    private func recentSamples() -> [Sample] {
        var recent: [Sample] = []
        guard let newest = samples.last else { return [] }
        for sample in samples.reversed() {
            if newest.milliseconds - sample.milliseconds > Self.horizonMilliseconds { break }
            recent.append(sample)
        }
        return recent
    }
}

extension CodingUserInfoKey {
    /// Milliseconds, a `Double`: the decoder's clock minus the encoder's.
    package static let clockShift: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "clockShift") else {
            preconditionFailure("a key that cannot be")
        }
        return key
    }()
}

extension VelocityTracker.Sample {
    private enum CodingKeys: String, CodingKey { case location, milliseconds }

    /// Shifted to the decoder's clock: the sample is as old as when it was encoded.
    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        location = try table.decode(Vector.self, forKey: .location)
        milliseconds = try table.decode(Double.self, forKey: .milliseconds)
        milliseconds += decoder.userInfo[.clockShift] as? Double ?? 0
    }
}

extension VelocityTracker {
    /// Whether a decoded tracker has the method of `other` and possible samples.
    package func isSound(like other: VelocityTracker) -> Bool {
        guard rule == other.rule, samples.count <= rule.samplesMax else { return false }
        for (index, sample) in samples.enumerated() {
            guard sample.location.isWithin(1e12), sample.milliseconds.magnitude <= 1e15,
                index == 0
                    || sample.milliseconds - samples[index - 1].milliseconds
                        >= Self.mergedMilliseconds
            else { return false }
        }
        return [stay?.beginning, stay?.change, repeated].allSatisfy { sample in
            guard let sample else { return true }
            return sample.location.isWithin(1e12) && sample.milliseconds.magnitude <= 1e15
        }
    }

    package func isSound(_ kind: Kind) -> Bool { isSound(like: VelocityTracker(kind: kind)) }
}
