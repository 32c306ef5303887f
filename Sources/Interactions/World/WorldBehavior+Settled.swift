import Dynamics
import Geometry
import Notation

/// Behaviors as they have become, for adding them again.
extension WorldBehavior {
    /// The push after it has fired: inactive.
    var spent: WorldBehavior {
        guard case .push(let items, var push) = rule else { return self }
        push.isActive = false
        return rewritten(.push(items: items, push), ["active": .init(.bool(false))])
    }

    /// The gravity with the vector that all gravities share now.
    func pulling(by vector: Vector) -> WorldBehavior {
        guard case .gravity(let items, var gravity) = rule, gravity.vector != vector else {
            return self
        }
        // A vector of length 0 keeps its angle.
        gravity.vector = vector
        let rule = Rule.gravity(items: items, gravity)
        let bare = rewritten(rule, [:], without: Self.forceKeys)
        if vector == .zero {
            let angle = Node(.number(gravity.angle))
            return bare.rewritten(rule, ["angle": angle, "magnitude": Node(.number(0))])
        }
        return bare.rewritten(
            rule, ["dx": Node(.number(vector.x)), "dy": Node(.number(vector.y))])
    }

    /// The attachment with the lengths that the engine fixed when it was added.
    func tying(by type: Attachment.Kind) -> WorldBehavior {
        guard case .attachment(var attachment) = rule, attachment.type != type else { return self }
        func node(_ number: Double) -> Node {
            let reach = NumberRange.coordinateMax
            return Node(.number(min(max(number, -reach), reach)))
        }
        var keys: KeyValuePairs<String, Node> = [:]
        switch type {
        case .distance(let length, _, _), .limit(let length):
            if let length { keys = ["length": node(length)] }
        case .pin(_, let range):
            if let range {
                keys = ["range": Node(.array([range.lowerBound, range.upperBound].map(node)))]
            }
        case .sliding(let axis, _): keys = ["axis": Node(axis)]
        case .fixed: return self
        }
        attachment.type = type
        return rewritten(.attachment(attachment), keys)
    }

    private func rewritten(
        _ rule: Rule, _ keys: KeyValuePairs<String, Node>, without others: [String] = []
    ) -> WorldBehavior {
        let removed = others + keys.map(\.key)
        let source = source.filter { !removed.contains($0.name) }
        return WorldBehavior(
            id: id, rule: rule, source: source + keys.map { Node.Member($0.key, $0.value) })
    }
}
