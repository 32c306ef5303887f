import Geometry

/// How a finger turns the tip that it holds, seen from where the tip was at the finger's last
/// samples.
///
/// A rod that is pulled along leaves its body without a velocity, so the turn itself is measured.
struct TipsSwing: Hashable, Sendable, Codable {
    /// A tip's angle at a step.
    private struct Mark: Hashable, Sendable, Codable {
        var step: Step
        /// In radians, not wrapped.
        var rotation: Double
    }

    /// Samples that come sooner after a mark make none: a fast source would push out all that is
    /// old enough. No way counts as made in less: screens report each 60th of a second.
    private static let apartSteps = 2
    /// The turn is measured over at least so many steps, two samples of most screens. Less shows
    /// when the samples come; more is late.
    private static let spanSteps = 4
    /// A finger that has not moved for so many steps, 50 ms, has stopped.
    private static let restSteps = 6

    /// Nil: the finger has not moved yet.
    private var newest: Mark?
    private var middle: Mark?
    private var oldest: Mark?

    /// The finger has moved, and the tip not yet. Nothing before a rest counts.
    mutating func mark(_ rotation: Double, at now: Step) {
        let mark = Mark(step: now, rotation: rotation)
        guard let last = newest, now - last.step < Self.restSteps else {
            (newest, middle, oldest) = (mark, nil, nil)
            return
        }
        guard now - last.step >= Self.apartSteps else { return }
        (newest, middle, oldest) = (mark, last, middle)
    }

    /// The turn's velocity in radians per second, for the angle that is shown; nil: the finger has
    /// not moved the tip yet.
    ///
    /// A rod may turn the tip round while the finger goes straight on. Then the turn has the
    /// direction of its last samples, and no more than its speed over all of them: that of so few
    /// steps shows when the samples came.
    func velocity(showing rotation: Double, at now: Step) -> Double? {
        guard let newest else { return nil }
        if now - newest.step >= Self.restSteps { return 0 }
        let marks = [newest, middle, oldest].compactMap(\.self)
        guard let long = velocity(since: marks, atLeast: Self.spanSteps, rotation, now),
            let short = velocity(since: marks, atLeast: Self.apartSteps, rotation, now)
        else { return nil }
        guard long * short < 0 else { return long }
        return (short < 0 ? -1 : 1) * min(long.magnitude, short.magnitude)
    }

    /// The same since the newest mark that is so many steps old, or else the oldest one; nil: there
    /// was no step since.
    private func velocity(
        since marks: [Mark], atLeast span: Int, _ rotation: Double, _ now: Step
    ) -> Double? {
        guard let first = marks.first(where: { now - $0.step >= span }) ?? marks.last,
            now > first.step
        else { return nil }
        let steps = max(now - first.step, Self.apartSteps)
        return (rotation - first.rotation) / (Double(steps) * Step.seconds)
    }

    var isSound: Bool {
        [newest, middle, oldest].allSatisfy { ($0?.rotation.magnitude ?? 0) <= 1e12 }
    }
}
