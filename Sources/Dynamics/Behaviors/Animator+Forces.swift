import Geometry

extension Animator {
    /// The forces. Writing creates them; reading an animator without them gives empty ones.
    var forces: Forces {
        get { forcesBox.value ?? Forces() }
        _modify {
            forcesBox.fill(Forces())
            yield &forcesBox.unwrapped
        }
    }

    /// Sets a body's charge. The caller wakes the body if fields act on it.
    mutating func charge(_ index: Int, _ charge: Double) {
        precondition(charge.isFinite, "a charge of \(charge)")
        let missing = index + 1 - forces.charges.count
        if missing > 0 { forces.charges += [Double](repeating: 0, count: missing) }
        forces.charges[index] = charge.clamped(to: -Tuning.reach...Tuning.reach)
    }

    /// Fields of one animator: each uses one bit of a mask.
    package static var fieldCountMax: Int { UInt32.bitWidth }

    /// The number of fields; at most `fieldCountMax`.
    package var fieldCount: Int { forces.fields.count }

    // MARK: Fields

    /// Adds a field, which acts from the next step on. Fields act in the order of their addition.
    package mutating func add(_ field: Field) -> BehaviorID {
        precondition(fieldCount < Animator.fieldCountMax, "more than 32 fields")
        precondition(field.isValid, "a field that is not valid: \(field)")
        let behavior = nextBehavior()
        forces.fields.append(Forces.FieldRecord(behavior: behavior, field: field))
        retainItems(field.items)
        rebuildTargets()
        return behavior
    }

    package func field(of behavior: BehaviorID) -> Field {
        guard let record = forces.fields.first(where: { $0.behavior == behavior }) else {
            preconditionFailure("no field of \(behavior)")
        }
        return record.field
    }

    /// Changes a field and wakes its items. The time of changing noise goes on.
    package mutating func change(_ behavior: BehaviorID, to field: Field) {
        guard let place = forces.fields.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no field of \(behavior)")
        }
        precondition(field.isValid, "a field that is not valid: \(field)")
        let old = forces.fields[place].field
        forces.fields[place].field = field
        retainItems(field.items)
        releaseItems(old.items)
        rebuildTargets()
    }

    // MARK: Gravity

    /// Adds a gravity. Its vector becomes that of all gravities of the animator.
    ///
    /// While a gravity exists, ``gravity`` acts only on the items of gravities.
    package mutating func add(_ gravity: Gravity) -> BehaviorID {
        let behavior = nextBehavior()
        // The world's gravity stops acting on every item: wake all of them.
        if worldGravity != .zero { wakeItemsUnderGravity() }
        forces.gravities.append(Forces.GravityRecord(behavior: behavior, gravity: gravity))
        retainItems(gravity.items)
        write(gravity.vector)
        return behavior
    }

    /// A gravity as it was written. Another gravity may have changed the vector since.
    package func gravity(of behavior: BehaviorID) -> Gravity {
        guard let record = forces.gravities.first(where: { $0.behavior == behavior }) else {
            preconditionFailure("no gravity of \(behavior)")
        }
        return record.gravity
    }

    /// Changes a gravity's items, sets the vector of all gravities, and wakes their items.
    package mutating func change(_ behavior: BehaviorID, to gravity: Gravity) {
        guard let place = forces.gravities.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no gravity of \(behavior)")
        }
        let old = forces.gravities[place].gravity
        forces.gravities[place].gravity = gravity
        retainItems(gravity.items)
        releaseItems(old.items)
        write(gravity.vector)
    }

    private mutating func write(_ vector: Vector) {
        gravity = vector
        rebuildTargets()
    }

    /// The gravity of all items: 0 while gravities name their items.
    var worldGravity: Vector {
        forcesBox.isEmpty || forcesBox.unwrapped.gravities.isEmpty ? gravity : .zero
    }

    /// Wakes the items on which the gravity acts.
    mutating func wakeItemsUnderGravity() {
        guard let gravities = forcesBox.value?.gravities, !gravities.isEmpty else {
            for index in bodies.indices { wake(index) }
            return
        }
        for record in gravities {
            for item in record.gravity.items { wake(index(of: item)) }
        }
    }

    // MARK: Both

    /// Removes a field or a gravity. Returns false if the id is of another kind of behavior.
    mutating func removeForce(_ behavior: BehaviorID) -> Bool {
        if let place = forces.fields.firstIndex(where: { $0.behavior == behavior }) {
            let field = forces.fields.remove(at: place).field
            releaseItems(field.items)
        } else if let place = forces.gravities.firstIndex(where: { $0.behavior == behavior }) {
            // First, because the other gravities' items keep their velocities and must wake.
            gravity = .zero
            let removed = forces.gravities.remove(at: place).gravity
            releaseItems(removed.items)
        } else {
            return false
        }
        rebuildTargets()
        return true
    }

    /// Rebuilds the list of bodies on which forces act.
    mutating func rebuildTargets() {
        let old = forces.targets
        for target in old { bodies[Int(target.body)].isPushed = false }
        forces.targets = []
        var places = [Int32](repeating: -1, count: bodies.count)
        for slot in forces.fields.indices {
            for item in forces.fields[slot].field.items {
                forces.targets[place(of: item, in: &places)].fields |= 1 << UInt32(slot)
            }
        }
        for index in bodies.indices { bodies[index].hasGravity = false }
        for record in forces.gravities {
            for item in record.gravity.items { bodies[index(of: item)].hasGravity = true }
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

    /// Applies forces to velocities, before joints are solved.
    ///
    /// A velocity change before the step has the same effect as a force during it.
    mutating func applyForces() {
        accelerateTargets(by: forces.fields)
        for slot in forces.fields.indices { forces.fields[slot].age += 1 }
    }

    private mutating func accelerateTargets(by fields: [Forces.FieldRecord]) {
        // Directly through the box: a copy of `forces` would retain all its arrays.
        for place in forcesBox.unwrapped.targets.indices {
            let target = forcesBox.unwrapped.targets[place]
            let index = Int(target.body)
            guard bodies[index].isAwake else { continue }
            forcesBox.unwrapped.targets[place].lastVelocity = bodies[index].velocity
            if target.fields != 0 { apply(fields, to: target) }
            bodies[index].angularVelocity += target.spin * Tuning.step
        }
        let fall = gravity * (Tuning.gravityUnit * Tuning.step)
        for index in bodies.indices where bodies[index].hasGravity && bodies[index].isAwake {
            bodies[index].velocity += fall
        }
    }

    /// Every force uses the velocity at the beginning of the step, or the one that a velocity field
    /// set.
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
            let sample = FieldSample(
                place: place / Tuning.metre, velocity: velocity / Tuning.metre,
                mass: 1 / body.inverseMass, charge: forces.charge(of: Int(target.body)))
            let time = Double(record.age) * Tuning.step
            if let pull = record.field.force(on: sample, at: time) {
                force += pull
            } else {
                velocity = record.field.direction.reachable * Tuning.metre
                isCarried = true
            }
        }
        let acceleration = (force * (Tuning.metre * body.inverseMass)).reachable
        velocity = (velocity + acceleration * Tuning.step).reachable
        // A balanced field, or one that has brought its item to rest, does not keep the item awake.
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
