import Dynamics
import Geometry

/// Ten boxes that fall onto a floor and onto one another.
struct StackScene: Scene {
    static let steps = 180
    private var animator = Animator()
    private let items: [ItemID]

    init() {
        // Alternately shifted, so that they do not fall as one column.
        var items: [ItemID] = []
        for index in 0..<10 {
            let x: Double = index.isMultiple(of: 2) ? 295 : 305
            let center = Vector(x, 1400 - 120 * Double(index))
            items.append(animator.add(Item(center: center, size: Size(100, 100))))
        }
        _ = animator.add(Gravity(items: items))
        let floor = Boundary(id: "floor", path: [Vector(0, 1500), Vector(600, 1500)])
        _ = animator.add(Collision(items: items, boundaries: [floor]))
        self.items = items
    }

    mutating func step(_: Int) { animator.step() }
    var last: Motion { animator.motion(of: items[9]) }
    var isAwake: Bool { items.allSatisfy { animator.isAwake($0) } }
}
