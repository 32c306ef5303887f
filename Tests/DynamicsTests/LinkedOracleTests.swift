import Dynamics
import Geometry
import Testing

/// Performs a scene of `Oracle/linked.txt`.
struct LinkedRun {
    var animator = Animator()
    var items: [ItemID] = []
    var behaviors: [BehaviorID] = []

    mutating func place(_ words: [Substring]) throws {
        let n = words.dropFirst().map { Double($0) ?? .nan }
        var item = Item(center: Vector(n[0], n[1]), size: Size(n[2], n[3]), rotation: n[4])
        item.density = n[5]
        item.resistance = n[6]
        item.angularResistance = n[7]
        item.allowsRotation = words.last != "upright"
        item.anchored = words.last == "anchored"
        items.append(animator.add(item))
    }

    mutating func perform(_ verb: Substring, _ words: [Substring]) throws {
        let n = words.map { Double($0) ?? .nan }
        switch verb {
        case "move": animator.moveAnchor(of: behaviors[Int(n[0])], to: Vector(n[1], n[2]))
        case "remove": animator.remove(behaviors[Int(n[0])])
        case "velocity":
            animator.addVelocity(
                linear: Vector(n[1], n[2]), angular: n[3], to: items[Int(n[0])])
        default: behaviors.append(animator.add(try behavior(verb, words, n)))
        }
    }

    private func behavior(_ verb: Substring, _ words: [Substring], _ n: [Double]) throws
        -> Behavior
    {
        let item = items[Int(n[0])]
        switch verb {
        case "snap":
            return .snap(Snap(item: item, point: Vector(n[1], n[2]), damping: n[3]))
        case "push":
            return .push(
                Push(
                    items: [item], mode: words[1] == "once" ? .instantaneous : .continuous,
                    vector: Vector(n[2], n[3])))
        default:
            let point = Vector(n[4], n[5])
            return .attachment(
                Attachment(
                    item: item, offset: Vector(n[1], n[2]),
                    end: n[3].isNaN ? .anchor(point) : .item(items[Int(n[3])], offset: point),
                    type: try type(verb, n.dropFirst(6).map { $0.isNaN ? nil : $0 })))
        }
    }

    private func type(_ verb: Substring, _ n: [Double?]) throws -> Dynamics.Attachment.Kind {
        func range(_ low: Double?, _ high: Double?) -> ClosedRange<Double>? {
            guard let low, let high else { return nil }
            return low...high
        }
        func number(_ index: Int) throws -> Double { try #require(n[index]) }
        switch verb {
        case "spring":
            return .distance(
                length: n[0], frequency: try number(1), damping: try number(2))
        case "nail":
            return .pin(frictionTorque: try number(0), range: range(n[1], n[2]))
        case "weld":
            return .fixed(frequency: try number(0), damping: try number(1))
        case "slide":
            return .sliding(
                axis: Vector(try number(0), try number(1)), range: range(n[2], n[3]))
        default:
            #expect(verb == "rope")
            return .limit(length: n[0])
        }
    }
}

@Suite struct LinkedOracleTests {
    @Test func thereAreEnoughScenes() {
        #expect(OracleScene.linked.count >= 300)
    }

    /// Box2D computes in single precision, so the comparison is no closer.
    @Test(arguments: OracleScene.linked)
    func linkedItemsMoveAsInBox2D(scene: OracleScene) throws {
        var run = LinkedRun()
        var actions: [Int: [[Substring]]] = [:]
        var waypoints: [(step: Int, places: [Double])] = []
        for words in scene.lines {
            let n = words.dropFirst().map { Double($0) ?? .nan }
            switch words[0] {
            case "gravity": run.animator.gravity = Vector(n[0], n[1])
            case "item": try run.place(words)
            case "at": waypoints.append((Int(n[0]), Array(n.dropFirst())))
            default: actions[try #require(Int(words[0])), default: []].append(words)
            }
        }
        var worst = (points: 0.0, radians: 0.0)
        var step = 0
        for waypoint in waypoints {
            while step < waypoint.step {
                for words in actions[step] ?? [] {
                    try run.perform(words[1], Array(words.dropFirst(2)))
                }
                run.animator.step()
                step += 1
            }
            for (index, item) in run.items.enumerated() {
                let motion = run.animator.motion(of: item)
                let n = waypoint.places[(3 * index)..<(3 * index + 3)].map { $0 }
                worst.points = max(worst.points, (motion.center - Vector(n[0], n[1])).length)
                worst.radians = max(worst.radians, abs(motion.rotation - n[2]))
            }
        }
        #expect(step == 240)
        #expect(worst.points < 0.05, "\(worst)")
        #expect(worst.radians < 1e-3, "\(worst)")
    }
}
