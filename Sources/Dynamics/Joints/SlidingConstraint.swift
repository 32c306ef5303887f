import Geometry

/// Lets the second end move only along an axis of the first body while an island is solved.
struct SlidingTie {
    let joint: SlidingJoint
    var ends: Ends
    /// Across the axis in kg·pt/s, against turning in kg·pt²/s, and along the axis.
    var impulse: Triple
    var hold: Hold
    private var frame = Frame()

    /// How the axis stands, and what impulses on it do.
    private struct Frame {
        var along = Vector.zero
        var across = Vector.zero
        /// How far the ends are apart (pt).
        var span = Vector.zero
        /// How impulses along and across turn the bodies.
        var (alongA, alongB, acrossA, acrossB) = (0.0, 0.0, 0.0, 0.0)
        var yield = Yield()

        init() {}

        init(_ axis: Vector, _ ends: Ends, _ pair: Pair) {
            along = pair.a.pose.direction(axis)
            across = Vector(-along.y, along.x)
            span = ends.span(pair)
            let reach = span + ends.leverA
            (alongA, alongB) = (reach.cross(along), ends.leverB.cross(along))
            (acrossA, acrossB) = (reach.cross(across), ends.leverB.cross(across))
            let (a, b) = (pair.a.inverseInertia, pair.b.inverseInertia)
            let mass = pair.a.inverseMass + pair.b.inverseMass
            yield.xx = mass + a * acrossA * acrossA + b * acrossB * acrossB
            yield.xy = a * acrossA + b * acrossB
            yield.xz = a * acrossA * alongA + b * acrossB * alongB
            // Where neither body turns the second equation is empty; 1 keeps it solvable.
            yield.yy = a + b > 0 ? a + b : 1
            yield.yz = a * alongA + b * alongB
            yield.zz = mass + a * alongA * alongA + b * alongB * alongB
        }

        @inline(__always)
        func apply(_ impulse: Triple, to pair: inout Pair) {
            let push = across * impulse.x + along * impulse.z
            let (turnA, turnB) = turns(impulse)
            pair.a.velocity -= push * pair.a.inverseMass
            pair.a.spin -= pair.a.inverseInertia * turnA
            pair.b.velocity += push * pair.b.inverseMass
            pair.b.spin += pair.b.inverseInertia * turnB
        }

        func shift(_ impulse: Triple, _ pair: inout Pair) {
            let push = across * impulse.x + along * impulse.z
            let (turnA, turnB) = turns(impulse)
            pair.a.center -= push * pair.a.inverseMass
            pair.a.rotation -= pair.a.inverseInertia * turnA
            pair.b.center += push * pair.b.inverseMass
            pair.b.rotation += pair.b.inverseInertia * turnB
        }

        @inline(__always)
        private func turns(_ impulse: Triple) -> (Double, Double) {
            (
                impulse.x * acrossA + impulse.y + impulse.z * alongA,
                impulse.x * acrossB + impulse.y + impulse.z * alongB
            )
        }

        /// The speeds across the axis, of turning, and along the axis.
        @inline(__always)
        func speeds(_ pair: Pair) -> Triple {
            let leaving = pair.b.velocity - pair.a.velocity
            return Triple(
                x: across.dot(leaving) + acrossB * pair.b.spin - acrossA * pair.a.spin,
                y: pair.b.spin - pair.a.spin,
                z: along.dot(leaving) + alongB * pair.b.spin - alongA * pair.a.spin)
        }
    }

    init(_ joint: SlidingJoint, ends: Ends, memory: Memory) {
        self.joint = joint
        self.ends = ends
        impulse = memory.impulse
        hold = memory.hold
    }

    mutating func prepare(_ pair: inout Pair) {
        ends.turn(pair)
        frame = Frame(joint.axis, ends, pair)
        let place = frame.along.dot(frame.span)
        let now = Hold(place, in: joint.range, slop: 2 * Tuning.linearSlop)
        if now == .free || (now != hold && now != .both) { impulse.z = 0 }
        hold = now
        frame.apply(impulse, to: &pair)
    }

    mutating func solveVelocity(_ pair: inout Pair) {
        let speeds = frame.speeds(pair)
        let before = impulse
        if hold == .free {
            let change = frame.yield.solve(-speeds.x, -speeds.y)
            impulse = before + Triple(x: change.x, y: change.y)
        } else {
            impulse = before + frame.yield.solve(-speeds)
            switch hold {
            case .free, .both: break
            case .lower: impulse.z = max(impulse.z, 0)
            case .upper: impulse.z = min(impulse.z, 0)
            }
            // The range may have let go: the other two equations are solved with what is left.
            let last = impulse.z - before.z
            let others = frame.yield.solve(
                -speeds.x - last * frame.yield.xz, -speeds.y - last * frame.yield.yz)
            impulse.x = before.x + others.x
            impulse.y = before.y + others.y
        }
        frame.apply(impulse - before, to: &pair)
    }

    func solvePosition(_ pair: inout Pair) -> Bool {
        let frame = Frame(joint.axis, ends.turned(pair), pair)
        let aside = frame.across.dot(frame.span)
        let angle = (pair.b.rotation - pair.a.rotation - joint.reference)
            .clamped(to: Tuning.turnErrors)
        let place = frame.along.dot(frame.span)
        let most = Tuning.correctionMax
        var (error, correction) = (abs(aside), 0.0)
        let hold = Hold(place, in: joint.range, slop: 2 * Tuning.linearSlop)
        if let range = joint.range {
            switch hold {
            case .free: break
            case .both:
                let off = place - range.lowerBound
                correction = off.clamped(to: -most...most)
                error = max(error, abs(off))
            case .lower:
                let off = range.lowerBound - place
                correction = (Tuning.linearSlop - off).clamped(to: -most...0)
                error = max(error, off)
            case .upper:
                let off = place - range.upperBound
                correction = (off - Tuning.linearSlop).clamped(to: 0...most)
                error = max(error, off)
            }
        }
        if hold == .free {
            let change = frame.yield.solve(-aside, -angle)
            frame.shift(Triple(x: change.x, y: change.y), &pair)
        } else {
            frame.shift(
                frame.yield.solve(Triple(x: -aside, y: -angle, z: -correction)), &pair)
        }
        return error <= Tuning.linearSlop && abs(angle) <= Tuning.angularSlop
    }
}
