/// Lists items and behaviors so that a decoder can verify them.
///
/// Safe to call before an animator was found sound.
extension Animator {
    /// Ground joints of one behavior: a snap has four.
    private static var jointsMax: Int { 4 }

    /// Whether the bodies are exactly those of `items`.
    package func consists(of items: [ItemID]) -> Bool {
        bodies.count == items.count && Set(bodies.map(\.number)) == Set(items.map(\.number))
    }

    /// The behaviors besides `known`, unordered. Nil if one of `known` is missing, or an id occurs
    /// twice.
    package func behaviors(beside known: [BehaviorID]) -> [BehaviorID]? {
        var found: Set<BehaviorID> = []
        for id in behaviorsOfLists + joints.map(\.behavior) {
            guard found.insert(id).inserted else { return nil }
        }
        var jointCounts: [BehaviorID: Int] = [:]
        for joint in groundJoints { jointCounts[joint.behavior, default: 0] += 1 }
        for (id, count) in jointCounts {
            guard count <= Self.jointsMax, found.insert(id).inserted else { return nil }
        }
        for id in known where found.remove(id) == nil { return nil }
        return Array(found)
    }

    /// Ids of the behaviors that act on lists of items.
    private var behaviorsOfLists: [BehaviorID] {
        let forces = forcesBox.value
        return pushes.map(\.behavior) + (forces?.fields.map(\.behavior) ?? [])
            + (forces?.gravities.map(\.behavior) ?? [])
            + (materialsBox.value?.records.map(\.id) ?? [])
            + (collisionsBox.value?.records.map(\.id) ?? [])
    }

    /// The lists of items on which behaviors act.
    private var lists: [[ItemID]] {
        let forces = forcesBox.value
        return pushes.map(\.push.items) + (forces?.fields.map(\.field.items) ?? [])
            + (forces?.gravities.map(\.gravity.items) ?? [])
            + (materialsBox.value?.records.map(\.behavior.items) ?? [])
            + (collisionsBox.value?.records.map(\.collision.items) ?? [])
    }

    /// Whether no list repeats an item.
    var areListsSound: Bool {
        lists.allSatisfy { $0.count <= bodies.count && Set($0).count == $0.count }
    }

    /// Whether each body's `behaviorCount` is right. Call it after all items were found known.
    var areBehaviorsCounted: Bool {
        var counts = [Int32](repeating: 0, count: bodies.count)
        for list in lists {
            for item in list { counts[index(of: item)] += 1 }
        }
        for joint in joints {
            counts[Int(joint.second)] += 1
            if case .body(let first) = joint.first { counts[Int(first)] += 1 }
        }
        for (index, body) in bodies.enumerated() {
            counts[index] += Int32(Set(groundJoints[body.groundJointRange].map(\.behavior)).count)
        }
        return zip(bodies, counts).allSatisfy { $0.behaviorCount == $1 }
    }
}

extension BehaviorID {
    /// The id of an animator's first behavior.
    package static let first = BehaviorID(number: 1)
}
