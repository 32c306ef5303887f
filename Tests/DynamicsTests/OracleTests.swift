import Dynamics
import Foundation
import Geometry
import Testing

/// A scene of `Oracle/*.txt`; the scripts there describe the format.
struct OracleScene: CustomTestStringConvertible {
    var name: String
    var lines: [[Substring]] = []

    var testDescription: String { name }

    static let all = read("scenes.txt")
    static let fields = read("fields.txt")
    static let linked = read("linked.txt")

    private static func read(_ name: String) -> [OracleScene] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Oracle").appendingPathComponent(name)
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
        var scenes: [OracleScene] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0] == "scene" {
                scenes.append(OracleScene(name: "\(words[1])-\(scenes.count)"))
            } else {
                scenes[scenes.count - 1].lines.append(words)
            }
        }
        return scenes
    }
}

/// Performs a scene's text.
struct OracleRun {
    var animator = Animator()
    var item: ItemID?
    var behaviors: [BehaviorID] = []

    mutating func place(_ n: [Double]) throws {
        var item = Item(center: Vector(n[0], n[1]), size: Size(n[2], n[3]), rotation: n[4])
        item.density = n[5]
        item.resistance = n[6]
        item.angularResistance = n[7]
        item.allowsRotation = n[8] == 1
        if n.count > 9 { item.charge = n[9] }
        self.item = animator.add(item)
    }

    mutating func perform(_ verb: Substring, _ words: ArraySlice<Substring>) throws {
        let item = try #require(item)
        let n = words.map { Double($0) ?? .nan }
        switch verb {
        case "attach":
            behaviors.append(
                animator.add(
                    Attachment(
                        item: item, offset: Vector(n[0], n[1]), anchor: Vector(n[2], n[3]),
                        length: n[4].isNaN ? nil : n[4], frequency: n[5], damping: n[6])))
        case "pin":
            behaviors.append(
                animator.add(
                    Pin(item: item, offset: Vector(n[0], n[1]), anchor: Vector(n[2], n[3]))))
        case "snap":
            behaviors.append(
                animator.add(Snap(item: item, point: Vector(n[0], n[1]), damping: n[2])))
        case "push":
            behaviors.append(
                animator.add(
                    Push(
                        items: [item], mode: words.first == "once" ? .instantaneous : .continuous,
                        vector: Vector(n[1], n[2]))))
        case "shove":
            behaviors.append(
                animator.add(
                    Push(
                        items: [item], mode: words.first == "once" ? .instantaneous : .continuous,
                        vector: Vector(n[1], n[2]), offset: Vector(n[3], n[4]))))
        case "field":
            behaviors.append(animator.add(try field(words, n, on: item)))
        case "velocity":
            animator.addVelocity(linear: Vector(n[0], n[1]), angular: n[2], to: item)
        case "move":
            animator.moveAnchor(of: behaviors[Int(n[0])], to: Vector(n[1], n[2]))
        case "remove":
            animator.remove(behaviors[Int(n[0])])
        default:
            Issue.record("unknown verb \(verb)")
        }
    }
}

extension OracleRun {
    private func field(_ words: ArraySlice<Substring>, _ n: [Double], on item: ItemID) throws
        -> Field
    {
        let kinds: [Substring: Field.Kind] = [
            "linear": .linearGravity, "radial": .radialGravity, "spring": .spring,
            "electric": .electric, "vortex": .vortex, "drag": .drag,
        ]
        let kind = try #require(words.first.flatMap { kinds[$0] })
        var field = Field(
            kind, items: [item], position: Vector(n[1], n[2]), direction: Vector(n[5], n[6]))
        field.strength = n[3]
        field.falloff = n[4]
        return field
    }
}

@Suite struct OracleTests {
    @Test func thereAreEnoughScenes() {
        #expect(OracleScene.all.count >= 60)
        #expect(OracleScene.fields.count >= 40)
    }

    /// Box2D computes in single precision, so the comparison is no closer.
    @Test(arguments: OracleScene.all + OracleScene.fields)
    func theMotionIsBox2D(scene: OracleScene) throws {
        var run = OracleRun()
        var actions: [Int: [[Substring]]] = [:]
        var waypoints: [(step: Int, center: Vector, rotation: Double)] = []
        for words in scene.lines {
            let n = words.dropFirst().map { Double($0) ?? .nan }
            switch words[0] {
            case "gravity": run.animator.gravity = Vector(n[0], n[1])
            case "item": try run.place(n)
            case "do": actions[Int(n[0]), default: []].append(words)
            default: waypoints.append((Int(n[0]), Vector(n[1], n[2]), n[3]))
            }
        }
        let item = try #require(run.item)
        var worst = (points: 0.0, radians: 0.0)
        var step = 0
        for waypoint in waypoints {
            while step < waypoint.step {
                for action in actions[step] ?? [] {
                    try run.perform(action[2], action.dropFirst(3))
                }
                run.animator.step()
                step += 1
            }
            let motion = run.animator.motion(of: item)
            worst.points = max(worst.points, (motion.center - waypoint.center).length)
            worst.radians = max(worst.radians, abs(motion.rotation - waypoint.rotation))
        }
        #expect(waypoints.count == 11)
        #expect(worst.points < 0.05, "\(worst)")
        #expect(worst.radians < 1e-3, "\(worst)")
    }
}
