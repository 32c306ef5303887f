import Dynamics
import Foundation
import Geometry
import TestSupport
import Testing

/// A world with everything: all joints, fields, contacts, groups and circles; items and behaviors
/// are added, changed and removed.
private struct EverythingWorld {
    var animator = Animator()
    var items: [ItemID] = []
    var group: ItemID
    var collision = BehaviorID?.none
    var push = BehaviorID?.none
    var material = BehaviorID?.none
    var random = SplitMix64(seed: 11)

    init() {
        let beam = Item(center: Vector(600, 80), size: Size(160, 20))
        var ball = Item(center: Vector(670, 110), size: Size(40, 40))
        ball.shape = .circle
        ball.density = 2
        group = animator.addGroup(of: [beam, ball]).group
        for index in 0..<14 { items.append(animator.add(item(index))) }
        tie()
        drive()
        collision = animator.add(collision(of: items + [group]))
    }

    private mutating func item(_ index: Int) -> Item {
        var item = Item(
            center: Vector(70 + 110 * Double(index % 7), 120 + 140 * Double(index / 7)),
            size: Size(30 + 4 * Double(index), 64 - 3 * Double(index)),
            rotation: 0.2 * Double(index % 3))
        item.shape = index % 4 == 1 ? .circle : .box
        item.density = index % 5 == 2 ? 3 : 1
        item.elasticity = index % 3 == 0 ? 0.6 : 0.1
        item.charge = index % 2 == 0 ? 0.5 : -0.5
        item.anchored = index == 6
        item.allowsRotation = index != 5
        return item
    }

    private mutating func tie() {
        func hold(
            _ item: Int, _ offset: Vector, _ end: ItemAttachment.End, _ type: ItemAttachment.Kind
        ) {
            _ = animator.add(
                ItemAttachment(item: items[item], offset: offset, end: end, type: type))
        }
        hold(0, Vector(0, -20), .anchor(Vector(70, 20)), .pin(frictionTorque: 0.01))
        hold(1, .zero, .item(items[0], offset: Vector(0, 25)), .distance())
        hold(2, .zero, .item(items[1]), .distance(frequency: 3, damping: 0.2))
        hold(3, Vector(10, 0), .item(items[4]), .fixed(frequency: 4, damping: 0.3))
        hold(5, .zero, .anchor(Vector(600, 260)), .sliding(axis: Vector(1, 0.2), range: -90...90))
        hold(7, .zero, .item(items[8]), .limit(length: 150))
        hold(9, .zero, .item(items[10]), .pin(range: -1...1))
        _ = animator.add(Snap(item: items[11], point: Vector(480, 300), damping: 0.3))
        _ = animator.add(
            ItemAttachment(
                item: group, offset: Vector(-80, 0), end: .anchor(Vector(520, 30)),
                type: .distance(frequency: 1, damping: 0.1)))
    }

    private mutating func drive() {
        _ = animator.add(Gravity(items: items + [group], vector: Vector(0, 1)))
        var whirl = Field(.vortex, items: Array(items[7...]), position: Vector(400, 300))
        whirl.strength = 0.4
        whirl.region = .difference(
            .rectangle(center: .zero, size: Size(600, 500)), .circle(center: .zero, radius: 80))
        var wind = Field(.noise, items: Array(items[..<6]))
        wind.animationSpeed = 2
        var drag = Field(.drag, items: [items[12], items[13]])
        drag.strength = 0.3
        var charge = Field(.electric, items: items, position: Vector(780, 580))
        charge.strength = 3
        for field in [whirl, wind, drag, charge] { _ = animator.add(field) }
    }

    private func collision(of items: [ItemID]) -> Collision {
        let hills = (0...16).map { Vector(50 * Double($0), 560 + ($0 % 2 == 0 ? 30 : 0)) }
        return Collision(
            items: items,
            boundaries: [
                Boundary(id: "walls", rectangle: Rect(0, 0, 800, 600)),
                Boundary(id: "hills", path: hills),
                Boundary(id: "ledge", path: [Vector(200, 400), Vector(340, 430)]),
            ])
    }

    /// Changes the world, each kind of change at its own interval.
    mutating func advance(to step: Int) {
        if step % 40 == 0 {
            animator.addVelocity(
                linear: random.vector(within: 900), angular: random.real(in: -9...9),
                to: items[random.whole(in: 0...items.count - 1)])
        }
        if step % 97 == 0 {
            let items = [self.items[8], group]
            _ = push.map { animator.remove($0) }
            push = animator.add(
                Push(
                    items: items, mode: step % 2 == 0 ? .instantaneous : .continuous,
                    vector: random.vector(within: 2), offset: Vector(5, 0)))
        }
        if step % 250 == 0 { exchange(step) }
        if step % 330 == 0 {
            _ = material.map { animator.remove($0) }
            material = animator.add(
                ItemBehavior(
                    items: [group, items[3]],
                    properties: ItemProperties(density: step % 660 == 0 ? 2 : 0.5, friction: 0.6)))
        }
        if step % 700 == 0 {
            animator.resize(items[12], to: Size(random.real(in: 20...90), 30))
            animator.place(items[6], center: Vector(random.real(in: 300...500), 500), rotation: 0.4)
        }
        if step == 9_000 { animator.rest() }
        animator.step()
    }

    /// Replaces an item by another one.
    private mutating func exchange(_ step: Int) {
        animator.remove(items.remove(at: 13))
        var item = item(step / 250 % 5 + 8)
        item.center = Vector(random.real(in: 100...700), 60)
        items.append(animator.add(item))
        if let collision { animator.change(collision, to: self.collision(of: items + [group])) }
    }
}

@Suite struct EverythingTests {
    /// The bits are the same in debug and release builds and on every machine.
    @Test func aWorldWithEverythingKeepsItsBits() throws {
        try expectGolden(path(steps: 1_000), named: "everything-begins.txt")
    }

    /// Without optimization it would take a minute and add nothing to the first steps.
    @Test(.enabled(if: isOptimized, "in release builds"))
    func itKeepsThemForLong() throws {
        try expectGolden(path(steps: 10_000), named: "everything.txt")
    }

    /// The golden is older than the present names of types and properties.
    @Test func anExportedWorldKeepsItsKeysAndGoesOnToTheBit() throws {
        var world = EverythingWorld()
        for step in 1...400 { world.advance(to: step) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = try encoder.encode(world.animator)
        // Line breaks make the golden comparable by line.
        let text = String(decoding: bytes, as: UTF8.self)
            .replacingOccurrences(of: "},{", with: "},\n{")
            .replacingOccurrences(of: "],[", with: "],\n[")
        try expectGolden(text, named: "everything-document.json")
        var read = try JSONDecoder().decode(Animator.self, from: Data(text.utf8))
        #expect(read.isSound)
        for _ in 0..<30 {
            read.step()
            world.animator.step()
        }
        #expect(read == world.animator)
    }

    private func path(steps: Int) -> String {
        var world = EverythingWorld()
        var hash = StableHash()
        var path = ""
        var contacts = 0
        func combine(_ number: Double) {
            for byte in 0..<8 as Range<UInt64> {
                hash.combine(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * byte)))
            }
        }
        for step in 1...steps {
            world.advance(to: step)
            for item in world.items + [world.group] {
                let motion = world.animator.motion(of: item)
                combine(motion.center.x)
                combine(motion.center.y)
                combine(motion.rotation)
            }
            for contact in world.animator.contacts {
                combine(contact.point.x)
                combine(contact.phase == .began ? 1 : 2)
                contacts += 1
            }
            if step % 100 == 0 && step <= 1_000 || step % 500 == 0 {
                path += "\(step) \(String(hash.value, radix: 16)) \(contacts)\n"
            }
        }
        return path
    }
}

/// Whether this is a release build.
private let isOptimized: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()
