import Dynamics
import Geometry
import Testing

@Suite struct GroupTests {
    /// A heavy square to the left of a light one: 40 pt a side, 60 pt apart.
    private func pair(_ animator: inout Animator) -> (group: ItemID, members: [ItemID]) {
        var left = Item(center: Vector(100, 100), size: Size(40, 40))
        left.density = 3
        return animator.addGroup(
            of: [left, Item(center: Vector(160, 100), size: Size(40, 40))])
    }

    @Test func itsCenterIsTheMiddleOfTheRectangleAboutIt() {
        var animator = Animator()
        let tall = Item(center: Vector(150, 90), size: Size(20, 100), rotation: Double.pi / 2)
        var ball = Item(center: Vector(300, 40), size: Size(40, 40))
        ball.shape = .circle
        let (group, members) = animator.addGroup(of: [tall, ball])
        // From 100 to 320, and from 20 to 100.
        #expect((animator.motion(of: group).center - Vector(210, 60)).length < 1e-9)
        #expect((animator.motion(of: members[0]).center - Vector(150, 90)).length < 1e-9)
        #expect(animator.motion(of: members[0]).rotation == Double.pi / 2)
        #expect((animator.motion(of: members[1]).center - Vector(300, 40)).length < 1e-9)
    }

    @Test func itTurnsAboutItsCenterOfMass() {
        var animator = Animator()
        let (group, members) = pair(&animator)
        animator.addVelocity(angular: 2, to: group)
        for _ in 0..<60 { animator.step() }
        let motion = animator.motion(of: group)
        #expect(motion.rotation > 0.9)
        // 3 of 4 parts of the mass are on the left.
        let places = members.map { animator.motion(of: $0).center }
        #expect((0.75 * places[0] + 0.25 * places[1] - Vector(115, 100)).length < 1e-9)
        #expect(((places[1] - places[0]).length - 60).magnitude < 1e-9)
        #expect((0.5 * (places[0] + places[1]) - motion.center).length < 1e-9)
        #expect(animator.motion(of: members[1]).rotation == motion.rotation)
    }

    @Test func anAttachmentHoldsTheCenterOfTheGroupOrOfAMember() {
        var animator = Animator()
        let (group, members) = pair(&animator)
        let before = animator
        _ = animator.add(Pin(item: group, offset: .zero, anchor: Vector(130, 100)))
        animator.addVelocity(angular: 3, to: group)
        for _ in 0..<60 { animator.step() }
        #expect((animator.motion(of: group).center - Vector(130, 100)).length < 0.1)
        animator = before
        _ = animator.add(Pin(item: members[1], offset: Vector(5, 0), anchor: Vector(165, 100)))
        animator.addVelocity(angular: 3, to: group)
        for _ in 0..<60 { animator.step() }
        let member = animator.motion(of: members[1])
        let (sine, cosine) = Angle.sineCosine(member.rotation)
        let held = member.center + Vector(5, 0).rotated(sine: sine, cosine: cosine)
        #expect((held - Vector(165, 100)).length < 0.1)
    }

    @Test func aSnapBringsItsCenterToThePoint() {
        var animator = Animator()
        let (group, _) = pair(&animator)
        _ = animator.add(Snap(item: group, point: Vector(300, 250)))
        rest(&animator)
        #expect((animator.motion(of: group).center - Vector(300, 250)).length < 0.5)
    }

    @Test func itIsPutByItsCenterOrByAMember() {
        var animator = Animator()
        let (group, members) = pair(&animator)
        animator.place(group, center: Vector(0, 0), rotation: Double.pi / 2)
        #expect((animator.motion(of: group).center).length < 1e-9)
        #expect((animator.motion(of: members[1]).center - Vector(0, 30)).length < 1e-9)
        animator.place(members[1], center: Vector(50, 50), rotation: 0)
        #expect((animator.motion(of: members[1]).center - Vector(50, 50)).length < 1e-9)
        #expect((animator.motion(of: members[0]).center - Vector(-10, 50)).length < 1e-9)
    }

    /// With equal densities the center of mass is in the middle; no member moves.
    @Test func anotherDensityMovesTheCenterOfMassAndNothingElse() {
        var animator = Animator()
        let (group, members) = pair(&animator)
        let pin = Pin(item: group, offset: .zero, anchor: Vector(130, 100))
        _ = animator.add(pin)
        let before = members.map { animator.motion(of: $0).center }
        let uniform = ItemBehavior(items: [group], properties: ItemProperties(density: 2))
        let behavior = animator.add(uniform)
        for (member, place) in zip(members, before) {
            #expect((animator.motion(of: member).center - place).length < 1e-9)
        }
        // A pin at the center of mass gives gravity no lever.
        animator.gravity = Vector(0, 1)
        for _ in 0..<60 { animator.step() }
        #expect(abs(animator.motion(of: group).rotation) < 1e-6)
        animator.remove(behavior)
        for _ in 0..<30 { animator.step() }
        #expect(animator.motion(of: group).rotation < -0.1)
        #expect((animator.motion(of: group).center - Vector(130, 100)).length < 0.2)
    }

    @Test func itStandsOnItsMembers() {
        var room = Room()
        let (group, members) = room.animator.addGroup(of: [
            Item(center: Vector(150, 560), size: Size(20, 60)),
            Item(center: Vector(250, 560), size: Size(20, 60)),
            Item(center: Vector(200, 520), size: Size(120, 20)),
        ])
        room.items.append(group)
        room.add(200, 480, 40, 40)
        room.collide()
        let told = room.told(10)
        #expect(told.filter { $0.contains("+ 0 walls") }.count <= 1)
        rest(&room.animator)
        #expect(abs(room.animator.motion(of: members[0]).center.y - 568.5) < 0.6)
        #expect(abs(room.center(1).y - 497) < 1.2)
        room.animator.remove(group)
        #expect(!room.animator.has(members[0]))
        room.items.removeFirst()
        rest(&room.animator)
        #expect(abs(room.center(0).y - 578.5) < 0.6)
    }
}
