import Dynamics
import Geometry
import Testing

@Suite struct RegionTests {
    static let circle = Region.circle(center: Vector(10, 0), radius: 50)
    static let rectangle = Region.rectangle(center: .zero, size: Size(40, 200))

    @Test(arguments: [
        // Points in both, in the circle, in the rectangle, in neither.
        (Region.infinite, [true, true, true, true]),
        (.inverse(.infinite), [false, false, false, false]),
        (circle, [true, true, false, false]), (rectangle, [true, false, true, false]),
        (.union(circle, rectangle), [true, true, true, false]),
        (.difference(circle, rectangle), [false, true, false, false]),
        (.intersection(circle, rectangle), [true, false, false, false]),
        (.inverse(circle), [false, false, true, true]),
        (.inverse(.union(circle, rectangle)), [false, false, false, true]),
    ])
    func regionsContain(region: Region, expected: [Bool]) {
        let points = [Vector(5, 5), Vector(55, 0), Vector(-15, -90), Vector(80, 120)]
        #expect(points.map(region.contains) == expected)
    }

    @Test func edgesBelongToIt() {
        #expect(Self.circle.contains(Vector(60, 0)) && !Self.circle.contains(Vector(60.01, 0)))
        #expect(Self.rectangle.contains(Vector(-20, 100)))
        #expect(!Self.rectangle.contains(Vector(-20, 100.01)))
    }

    @Test func depthAndNumberAreBounded() {
        var deep = Region.infinite
        for depth in 1...Region.depthMax {
            #expect(deep.isValid, "\(depth)")
            deep = .inverse(deep)
        }
        #expect(!deep.isValid)
        // A full tree of 5 levels has 31 regions, of 6 levels 63.
        var wide = Region.infinite
        for _ in 1..<5 { wide = .union(wide, wide) }
        #expect(wide.isValid)
        #expect(Region.inverse(wide).isValid)
        #expect(!Region.inverse(.inverse(wide)).isValid)
        #expect(!Region.union(wide, wide).isValid)
    }

    @Test func wrongFiguresAreNotValid() {
        for bad in [-1, Double.nan, .infinity] {
            #expect(!Region.circle(center: .zero, radius: bad).isValid)
            #expect(!Region.rectangle(center: .zero, size: Size(bad, 1)).isValid)
            #expect(!Region.rectangle(center: .zero, size: Size(1, bad)).isValid)
        }
        #expect(!Region.circle(center: Vector(.nan, 0), radius: 1).isValid)
        #expect(!Region.inverse(.rectangle(center: Vector(0, .infinity), size: Size(1, 1))).isValid)
    }

    @Test func aFieldActsOnlyInItsRegionAndOnItsOwnItems() {
        var animator = Animator()
        let inside = animator.add(unitItem(300, 0))
        let outside = animator.add(unitItem(360, 0))
        let stranger = animator.add(unitItem(300, 0))
        var field = Field(
            .linearGravity, items: [inside, outside], position: Vector(300, 0),
            direction: Vector(0, 1))
        field.region = .circle(center: .zero, radius: 50)
        _ = animator.add(field)
        steps(12, &animator)
        #expect(animator.motion(of: inside).velocity.y > 5)
        #expect(animator.motion(of: outside).velocity == .zero)
        #expect(animator.motion(of: stranger).velocity == .zero)
    }
}
