import Dynamics
import Foundation
import Geometry
import Testing

/// A scene of `Oracle/contacts.txt`; its script describes the format.
struct ContactScene: CustomTestStringConvertible {
    var name: String
    var animator = Animator()
    /// Items and groups in their order.
    var bodies: [ItemID] = []
    /// Every item with its outline.
    var outlines: [(item: ItemID, outline: Outline)] = []
    var boundaries: [Boundary] = []
    /// Energy is compared for these scenes only: the others have springs or groups.
    var isSimple = true
    var restStep = 0
    var ends: [(center: Vector, rotation: Double)] = []

    private var pending: [Item] = []
    private var missing = 1

    var testDescription: String { name }

    static let all: [ContactScene] = {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Oracle/contacts.txt")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
        var scenes: [ContactScene] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0] == "scene" {
                scenes.append(ContactScene(name: String(words[1])))
            } else {
                scenes[scenes.count - 1].take(words)
            }
        }
        return scenes
    }()

    init(name: String) { self.name = name }

    private mutating func take(_ words: [Substring]) {
        let n = words.dropFirst(words[0] == "item" ? 2 : 1).map { Double($0) ?? .nan }
        switch words[0] {
        case "gravity": animator.gravity = Vector(n[0], n[1])
        case "item": place(n, isCircle: words[1] == "circle")
        case "group":
            missing = Int(n[0])
            isSimple = false
        case "hang":
            tie(n, to: .anchor(Vector(n[3], n[4])), spring: Array(n[5...]))
        case "link":
            tie(
                n, to: .item(bodies[Int(n[3])], offset: Vector(n[4], n[5])),
                spring: Array(n[6...]))
        case "path":
            let path = stride(from: 0, to: n.count, by: 2).map { Vector(n[$0], n[$0 + 1]) }
            boundaries.append(Boundary(id: "path \(boundaries.count)", path: path))
        case "rest":
            restStep = Int(n[0])
            _ = animator.add(Collision(items: bodies, boundaries: boundaries))
        default: ends.append((Vector(n[0], n[1]), n[2]))
        }
    }

    private mutating func place(_ n: [Double], isCircle: Bool) {
        var item = Item(center: Vector(n[0], n[1]), size: Size(n[2], n[3]), rotation: n[4])
        item.shape = isCircle ? .circle : .box
        item.density = n[5]
        item.friction = n[6]
        item.elasticity = n[7]
        item.resistance = n[8]
        item.angularResistance = n[9]
        item.allowsRotation = n[10] == 1
        item.anchored = n[11] == 1
        pending.append(item)
        guard pending.count == missing else { return }
        var members: [ItemID] = []
        if pending.count == 1 {
            members = [animator.add(item)]
            bodies += members
        } else {
            let (group, items) = animator.addGroup(of: pending)
            bodies.append(group)
            members = items
        }
        for (member, item) in zip(members, pending) {
            outlines.append((member, Outline(item)))
        }
        animator.addVelocity(
            linear: Vector(n[12], n[13]), angular: n[14], to: bodies[bodies.count - 1])
        (pending, missing) = ([], 1)
    }

    private mutating func tie(_ n: [Double], to end: ItemAttachment.End, spring: [Double]) {
        isSimple = false
        _ = animator.add(
            ItemAttachment(
                item: bodies[Int(n[0])], offset: Vector(n[1], n[2]), end: end,
                type: .distance(frequency: spring[0], damping: spring[1])))
    }

    // MARK: Energy

    /// Kinetic and potential energy, in kg·pt²/s². The potential one is 0 at the final places.
    var energy: Double {
        var energy = 0.0
        for (place, (item, outline)) in outlines.enumerated() where !outline.anchored {
            let motion = animator.motion(of: item)
            let square = outline.gyration * outline.gyration
            let speed =
                motion.velocity.lengthSquared
                + square * motion.angularVelocity * motion.angularVelocity
            let fall = (ends[place].center - motion.center).dot(animator.gravity) * 1_000
            energy += outline.mass * (0.5 * speed + fall)
        }
        return energy
    }

    // MARK: Overlap

    /// The greatest depth (pt) of two outlines in each other, without skins.
    var overlap: Double {
        var most = 0.0
        let placed = outlines.map { $0.outline.placed(animator.motion(of: $0.item)) }
        for (index, one) in placed.enumerated() {
            for (other, two) in placed.enumerated().dropFirst(index + 1)
            where !areOfOneBody(index, other) {
                most = max(most, one.depth(in: two))
            }
            for path in boundaries.map(\.path) {
                for (from, to) in zip(path, path.dropFirst()) {
                    most = max(most, one.depth(in: .segment(from, to)))
                }
            }
        }
        return most
    }

    private func areOfOneBody(_ a: Int, _ b: Int) -> Bool {
        // Items of one group have equal velocities at a point; others only by chance.
        bodies.count < outlines.count && name.hasPrefix("group")
            && groupOf(a) == groupOf(b)
    }

    private func groupOf(_ place: Int) -> Int {
        name.hasPrefix("group") ? place < 2 ? 0 : 1 : place
    }
}

/// An item's geometry, computed independently of the solver.
struct Outline {
    /// The corners of a box, or a circle's center, or the ends of a segment.
    var corners: [Vector]
    var radius: Double
    var mass = 0.0
    var gyration = 0.0
    var anchored = false

    init(_ item: Item) {
        let (w, h) = (item.size.width, item.size.height)
        switch item.shape {
        case .box:
            corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
                Vector($0.0 * w / 2, $0.1 * h / 2)
            }
            radius = 0
            mass = item.density * w * h / 10_000
            gyration = ((w * w + h * h) / 12).squareRoot()
        case .circle:
            corners = [.zero]
            radius = w / 2
            mass = item.density * Double.pi * w * w / 40_000
            gyration = (w * w / 8).squareRoot()
        }
        anchored = item.anchored
    }

    private init(corners: [Vector], radius: Double) {
        self.corners = corners
        self.radius = radius
    }

    static func segment(_ from: Vector, _ to: Vector) -> Outline {
        Outline(corners: [from, to], radius: 0)
    }

    func placed(_ motion: Motion) -> Outline {
        let (sine, cosine) = Angle.sineCosine(motion.rotation)
        return Outline(
            corners: corners.map { motion.center + $0.rotated(sine: sine, cosine: cosine) },
            radius: radius)
    }

    /// The least translation that separates two outlines; at least 0.
    func depth(in other: Outline) -> Double {
        var axes: [Vector] = []
        for outline in [self, other] where outline.corners.count > 1 {
            for (from, to) in zip(outline.corners, outline.corners.dropFirst()) {
                let side = to - from
                axes.append(Vector(-side.y, side.x) / side.length)
                if outline.corners.count == 2 { axes.append(side / side.length) }
            }
        }
        for corner in corners {
            for other in other.corners where (other - corner).length > 1e-9 {
                axes.append((other - corner) / (other - corner).length)
            }
        }
        return axes.reduce(Double.infinity) { least, axis in
            let (a, b) = (span(along: axis), other.span(along: axis))
            return min(least, max(0, min(a.upperBound - b.lowerBound, b.upperBound - a.lowerBound)))
        }
    }

    private func span(along axis: Vector) -> ClosedRange<Double> {
        let places = corners.map { axis.dot($0) }
        let (low, high) = (places.min() ?? 0, places.max() ?? 0)
        return (low - radius)...(high + radius)
    }
}
