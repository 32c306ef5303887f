/// Who is there, for those who decode an animator and know whom they put in.
///
/// Reads nothing but what stands there: an animator need not be sound to be counted.
extension Animator {
    /// Joints of one behavior at most: a snap's.
    private static var jointsMax: Int { 4 }

    /// Whether its bodies are those of `items`, and no others.
    package func consists(of items: [ItemID]) -> Bool {
        bodies.count == items.count && Set(bodies.map(\.number)) == Set(items.map(\.number))
    }

    /// The behaviors that are there beside `known`, in no order; nil: one of `known` is not there,
    /// or some behavior is there twice.
    package func behaviors(beside known: [BehaviorID]) -> [BehaviorID]? {
        var found: Set<BehaviorID> = []
        for id in behaviorsOfLists + links.map(\.behavior) {
            guard found.insert(id).inserted else { return nil }
        }
        var jointCounts: [BehaviorID: Int] = [:]
        for joint in joints { jointCounts[joint.behavior, default: 0] += 1 }
        for (id, count) in jointCounts {
            guard count <= Self.jointsMax, found.insert(id).inserted else { return nil }
        }
        for id in known where found.remove(id) == nil { return nil }
        return Array(found)
    }

    /// Of the behaviors that act on lists of items.
    private var behaviorsOfLists: [BehaviorID] {
        let forces = forceStore.first
        return pushes.map(\.behavior) + (forces?.fields.map(\.behavior) ?? [])
            + (forces?.gravities.map(\.behavior) ?? [])
            + (makeupStore.first?.records.map(\.id) ?? [])
            + (collisionStore.first?.records.map(\.id) ?? [])
    }

    /// The lists of items that behaviors act on.
    private var lists: [[ItemID]] {
        let forces = forceStore.first
        return pushes.map(\.push.items) + (forces?.fields.map(\.field.items) ?? [])
            + (forces?.gravities.map(\.gravity.items) ?? [])
            + (makeupStore.first?.records.map(\.behavior.items) ?? [])
            + (collisionStore.first?.records.map(\.collision.items) ?? [])
    }

    /// Whether no list names more than there are, or anything twice.
    var areListsSound: Bool {
        lists.allSatisfy { $0.count <= bodies.count && Set($0).count == $0.count }
    }

    /// Whether each body counts the behaviors that it has. Asked when all items are known.
    var areBehaviorsCounted: Bool {
        var counts = [Int32](repeating: 0, count: bodies.count)
        for list in lists {
            for item in list { counts[index(of: item)] += 1 }
        }
        for link in links {
            counts[Int(link.second)] += 1
            if case .body(let first) = link.first { counts[Int(first)] += 1 }
        }
        for (index, body) in bodies.enumerated() {
            counts[index] += Int32(Set(joints[body.jointRange].map(\.behavior)).count)
        }
        return zip(bodies, counts).allSatisfy { $0.behaviorCount == $1 }
    }
}

extension BehaviorID {
    /// Of the behavior that an animator was given first.
    package static let first = BehaviorID(number: 1)
}
