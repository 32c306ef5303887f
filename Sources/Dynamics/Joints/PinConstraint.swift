import Geometry

/// Where a joint's range holds it. Whether it holds is decided anew in each step.
enum Hold: Hashable, Sendable, Codable {
    /// Within the range, or without one. Can become: any.
    case free
    /// At the lower end: it only drives up. Can become: any.
    case lower
    /// At the upper end: it only drives down. Can become: any.
    case upper
    /// The range is too narrow to move in. Can become: any, when the range is changed.
    case both

    /// The hold at a place in a range; `slop` is how narrow is too narrow.
    init(_ place: Double, in range: ClosedRange<Double>?, slop: Double) {
        guard let range else {
            self = .free
            return
        }
        if range.upperBound - range.lowerBound < slop {
            self = .both
        } else if place <= range.lowerBound {
            self = .lower
        } else {
            self = place >= range.upperBound ? .upper : .free
        }
    }
}

/// Keeps two ends together while an island is solved; against turning by friction and a range.
struct PinTie {
    let joint: PinJoint
    var ends: Ends
    /// On both axes in kg·pt/s and against turning in kg·pt²/s.
    var impulse: Triple
    /// By friction, in kg·pt²/s.
    var friction: Double
    var hold: Hold
    private var yield = Yield()

    init(_ joint: PinJoint, ends: Ends, memory: Memory) {
        self.joint = joint
        self.ends = ends
        impulse = memory.impulse
        friction = memory.friction
        hold = memory.hold
    }

    mutating func prepare(_ pair: inout Pair) {
        ends.turn(pair)
        yield = Yield(ends, pair)
        let turns = yield.zz > 0
        let now =
            turns
            ? Hold(angle(pair), in: joint.range, slop: 2 * Tuning.angularSlop) : .free
        if now == .free || (now != hold && now != .both) { impulse.z = 0 }
        hold = now
        if joint.friction == 0 || !turns { friction = 0 }
        ends.apply(Vector(impulse.x, impulse.y), turn: friction + impulse.z, to: &pair)
    }

    private func angle(_ pair: Pair) -> Double {
        pair.b.rotation - pair.a.rotation - joint.reference
    }

    @inline(__always)
    mutating func solveVelocity(_ pair: inout Pair) {
        if joint.friction > 0 && yield.zz > 0 && hold != .both { rub(&pair) }
        let speed = ends.speed(pair)
        guard hold != .free else {
            let change = yield.solve(-speed.x, -speed.y)
            impulse.x += change.x
            impulse.y += change.y
            ends.apply(change, to: &pair)
            return
        }
        let spin = pair.b.spin - pair.a.spin
        var change = yield.solve(Triple(x: -speed.x, y: -speed.y, z: -spin))
        let turn = impulse.z + change.z
        if (hold == .lower && turn < 0) || (hold == .upper && turn > 0) {
            // The end of the range lets go: the point alone is held.
            let free = yield.solve(
                -speed.x + impulse.z * yield.xz, -speed.y + impulse.z * yield.yz)
            change = Triple(x: free.x, y: free.y, z: -impulse.z)
        }
        impulse = impulse + change
        ends.apply(Vector(change.x, change.y), turn: change.z, to: &pair)
    }

    private mutating func rub(_ pair: inout Pair) {
        let most = joint.friction * Tuning.step
        let before = friction
        let wanted = before - (pair.b.spin - pair.a.spin) / yield.zz
        friction = wanted.clamped(to: -most...most)
        ends.apply(.zero, turn: friction - before, to: &pair)
    }

    func solvePosition(_ pair: inout Pair) -> Bool {
        let turnError = hold != .free ? straighten(&pair) : 0
        let ends = ends.turned(pair)
        let gap = ends.span(pair)
        ends.shift(Yield(ends, pair).solve(-gap.x, -gap.y), &pair)
        return gap.length <= Tuning.linearSlop && turnError <= Tuning.angularSlop
    }

    /// Turns back into the range. Returns how far out it was.
    private func straighten(_ pair: inout Pair) -> Double {
        guard let range = joint.range else { return 0 }
        let most = Tuning.turnCorrectionMax
        let angle = angle(pair)
        let (error, correction): (Double, Double)
        switch hold {
        case .free: return 0
        case .both:
            correction = (angle - range.lowerBound).clamped(to: -most...most)
            error = abs(correction)
        case .lower:
            error = range.lowerBound - angle
            correction = (Tuning.angularSlop - error).clamped(to: -most...0)
        case .upper:
            error = angle - range.upperBound
            correction = (error - Tuning.angularSlop).clamped(to: 0...most)
        }
        ends.shift(.zero, turn: -correction / yield.zz, &pair)
        return error
    }
}
