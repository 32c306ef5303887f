import Geometry

/// What acts on items besides joints and pushes at their centers.
struct Forces: Hashable, Sendable, Codable {
    struct FieldRecord: Hashable, Sendable, Codable {
        let behavior: BehaviorID
        var field: Field
        /// Steps through which it has acted, for noise that changes.
        var age = 0
    }

    struct GravityRecord: Hashable, Sendable, Codable {
        let behavior: BehaviorID
        var gravity: Gravity
    }

    /// A body and all that acts on it, so that it is visited once in a step.
    struct Target: Hashable, Sendable {
        var body: Int32
        /// Which fields it is an item of, the lowest bit for the oldest field.
        var fields: UInt32 = 0
        /// By continuous pushes beside the center, in rad/s².
        var spin = 0.0
        /// The velocity with which the last step began; none is so near to infinity as to be still.
        var lastVelocity = Vector(.infinity, .infinity)
    }

    var fields: [FieldRecord] = []
    var gravities: [GravityRecord] = []
    var targets: [Target] = []
    /// By body, and as many as reach to the last that has one.
    var charges: [Double] = []

    func charge(of body: Int) -> Double { body < charges.count ? charges[body] : 0 }
}

extension Forces.Target: Codable {
    private enum CodingKeys: String, CodingKey { case body, fields, spin, lastVelocity }

    /// Without a last velocity it has not made a step.
    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        body = try table.decode(Int32.self, forKey: .body)
        fields = try table.decode(UInt32.self, forKey: .fields)
        spin = try table.decode(Double.self, forKey: .spin)
        if let last = try table.decodeIfPresent(Vector.self, forKey: .lastVelocity) {
            lastVelocity = last
        }
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(body, forKey: .body)
        try table.encode(fields, forKey: .fields)
        try table.encode(spin, forKey: .spin)
        guard lastVelocity.isFinite else { return }
        try table.encode(lastVelocity, forKey: .lastVelocity)
    }
}

extension Animator {
    /// What acts besides joints and pushes at centers; kept from the first writing on.
    var forces: Forces {
        get { forceStore.first ?? Forces() }
        _modify {
            if forceStore.isEmpty { forceStore.append(Forces()) }
            yield &forceStore[0]
        }
    }

    /// Gives a body a charge; whoever changes one that fields act upon wakes it too.
    mutating func charge(_ index: Int, _ charge: Double) {
        precondition(charge.isFinite, "a charge of \(charge)")
        let missing = index + 1 - forces.charges.count
        if missing > 0 { forces.charges += [Double](repeating: 0, count: missing) }
        forces.charges[index] = charge.clamped(to: -Tuning.reach...Tuning.reach)
    }

    /// Fields of one animator at most.
    package static var fieldCountMax: Int { UInt32.bitWidth }

    /// How many fields there are; at most `fieldCountMax`.
    package var fieldCount: Int { forces.fields.count }

    // MARK: Fields

    /// Lets a field act from the next step on; fields are evaluated in the order of their adding.
    package mutating func add(_ field: Field) -> BehaviorID {
        precondition(fieldCount < Animator.fieldCountMax, "more than 32 fields")
        precondition(field.isValid, "a field that is not valid: \(field)")
        let behavior = nextBehavior()
        forces.fields.append(Forces.FieldRecord(behavior: behavior, field: field))
        take(field.items)
        gatherTargets()
        return behavior
    }

    package func field(of behavior: BehaviorID) -> Field {
        guard let record = forces.fields.first(where: { $0.behavior == behavior }) else {
            preconditionFailure("no field of \(behavior)")
        }
        return record.field
    }

    /// Changes a field while it acts and wakes its items; changing noise goes on in time.
    package mutating func change(_ behavior: BehaviorID, to field: Field) {
        guard let place = forces.fields.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no field of \(behavior)")
        }
        precondition(field.isValid, "a field that is not valid: \(field)")
        let old = forces.fields[place].field
        forces.fields[place].field = field
        take(field.items)
        for item in old.items { release(index(of: item)) }
        gatherTargets()
    }

    // MARK: Gravity

    /// Pulls items by its vector, and those of every gravity before it too.
    ///
    /// While there is a gravity, ``gravity`` acts on the items of gravities only.
    package mutating func add(_ gravity: Gravity) -> BehaviorID {
        let behavior = nextBehavior()
        // What the world's gravity has held so far is let go.
        if worldGravity != .zero { wakeFalling() }
        forces.gravities.append(Forces.GravityRecord(behavior: behavior, gravity: gravity))
        take(gravity.items)
        write(gravity.vector)
        return behavior
    }

    /// A gravity as it was written; another may have been written since.
    package func gravity(of behavior: BehaviorID) -> Gravity {
        guard let record = forces.gravities.first(where: { $0.behavior == behavior }) else {
            preconditionFailure("no gravity of \(behavior)")
        }
        return record.gravity
    }

    /// Writes the vector of all gravities, changes this one's items, and wakes them all.
    package mutating func change(_ behavior: BehaviorID, to gravity: Gravity) {
        guard let place = forces.gravities.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no gravity of \(behavior)")
        }
        let old = forces.gravities[place].gravity
        forces.gravities[place].gravity = gravity
        take(gravity.items)
        for item in old.items { release(index(of: item)) }
        write(gravity.vector)
    }

    private mutating func write(_ vector: Vector) {
        gravity = vector
        gatherTargets()
    }

    /// What acts on every item: nothing once gravities say on which.
    var worldGravity: Vector {
        forceStore.isEmpty || forceStore[0].gravities.isEmpty ? gravity : .zero
    }

    /// Wakes what the gravity acts on.
    mutating func wakeFalling() {
        guard let gravities = forceStore.first?.gravities, !gravities.isEmpty else {
            for index in bodies.indices { wake(index) }
            return
        }
        for record in gravities {
            for item in record.gravity.items { wake(index(of: item)) }
        }
    }

    // MARK: Both

    /// Takes a field or a gravity away. Returns whether the behavior is one.
    mutating func removeForce(_ behavior: BehaviorID) -> Bool {
        if let place = forces.fields.firstIndex(where: { $0.behavior == behavior }) {
            let field = forces.fields.remove(at: place).field
            for item in field.items { release(index(of: item)) }
        } else if let place = forces.gravities.firstIndex(where: { $0.behavior == behavior }) {
            // First, because the others' items keep their velocities and must wake.
            gravity = .zero
            let removed = forces.gravities.remove(at: place).gravity
            for item in removed.items { release(index(of: item)) }
        } else {
            return false
        }
        gatherTargets()
        return true
    }

    /// Finds anew which bodies are acted upon, and by what.
    mutating func gatherTargets() {
        let old = forces.targets
        for target in old { bodies[Int(target.body)].isPushed = false }
        forces.targets = []
        var places = [Int32](repeating: -1, count: bodies.count)
        for slot in forces.fields.indices {
            for item in forces.fields[slot].field.items {
                forces.targets[place(of: item, in: &places)].fields |= 1 << UInt32(slot)
            }
        }
        for index in bodies.indices { bodies[index].isHeavy = false }
        for record in forces.gravities {
            for item in record.gravity.items { bodies[index(of: item)].isHeavy = true }
        }
        for record in pushes where record.isLasting && record.push.offset != .zero {
            for item in record.push.items {
                let effect = record.push.effect(on: bodies[index(of: item)])
                forces.targets[place(of: item, in: &places)].spin += effect.angular
            }
        }
        for target in old where places[Int(target.body)] >= 0 {
            forces.targets[Int(places[Int(target.body)])].lastVelocity = target.lastVelocity
        }
    }

    private mutating func place(of item: ItemID, in places: inout [Int32]) -> Int {
        let index = index(of: item)
        if places[index] < 0 {
            places[index] = Int32(forces.targets.count)
            forces.targets.reserveCapacity(forces.targets.count + 1)
            forces.targets.append(Forces.Target(body: Int32(index)))
        }
        return Int(places[index])
    }

    // MARK: Stepping

    /// Accelerates bodies by all that acts on them, before joints are solved.
    ///
    /// A change of velocity before a step is what a force during it would do.
    mutating func applyForces() {
        accelerateTargets(by: forces.fields)
        for slot in forces.fields.indices { forces.fields[slot].age += 1 }
    }

    private mutating func accelerateTargets(by fields: [Forces.FieldRecord]) {
        // Not through `forces`, which would hold on to all of it at each step of the way.
        for place in forceStore[0].targets.indices {
            let target = forceStore[0].targets[place]
            let index = Int(target.body)
            guard bodies[index].isAwake else { continue }
            forceStore[0].targets[place].lastVelocity = bodies[index].velocity
            if target.fields != 0 { apply(fields, to: target) }
            bodies[index].angularVelocity += target.spin * Tuning.step
        }
        let fall = gravity * (Tuning.gravityUnit * Tuning.step)
        for index in bodies.indices where bodies[index].isHeavy && bodies[index].isAwake {
            bodies[index].velocity += fall
        }
    }

    /// All forces are taken from the velocity with which the step began, or which a field set.
    private mutating func apply(_ fields: [Forces.FieldRecord], to target: Forces.Target) {
        let body = bodies[Int(target.body)]
        let start = body.velocity
        var velocity = start
        var force = Vector.zero
        var isRestless = false
        var isCarried = false
        for (slot, record) in fields.enumerated() where target.fields & 1 << UInt32(slot) != 0 {
            let place = body.center - record.field.position.reachable
            guard record.field.region.contains(place) else { continue }
            if record.field.isRestless { isRestless = true }
            let particle = Particle(
                place: place / Tuning.metre, velocity: velocity / Tuning.metre,
                mass: 1 / body.inverseMass, charge: forces.charge(of: Int(target.body)))
            let time = Double(record.age) * Tuning.step
            if let pull = record.field.force(on: particle, at: time) {
                force += pull
            } else {
                velocity = record.field.direction.reachable * Tuning.metre
                isCarried = true
            }
        }
        let acceleration = (force * (Tuning.metre * body.inverseMass)).reachable
        velocity = (velocity + acceleration * Tuning.step).reachable
        // A field that something holds against, or that has brought its item to rest, is no motion.
        let least = Tuning.stillAcceleration * Tuning.step
        let acts =
            (velocity - start).length > least
            || (isCarried && velocity.length > Tuning.heldSpeed)
        let moves =
            (start - target.lastVelocity).length > least || start.length > Tuning.heldSpeed
        bodies[Int(target.body)].velocity = velocity
        bodies[Int(target.body)].isPushed = isRestless || (acts && moves)
    }
}
