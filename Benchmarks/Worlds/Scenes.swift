import Dynamics
import Geometry

/// A snap pulls a view across a screen and rotates it upright.
struct SnapScene: Scene {
    static let steps = 60
    private var animator = Animator()
    private let item: ItemID

    init() {
        item = animator.add(
            Item(center: Vector(660, 784), size: Size(300, 400), rotation: .pi / 2))
        _ = animator.add(Snap(item: item, point: Vector(160, 284)))
    }

    mutating func step(_: Int) { animator.step() }
    var last: Motion { animator.motion(of: item) }
    var isAwake: Bool { !animator.isResting }
}

/// A spinning tip on its pin, pulled by its snap and by a finger on a rod.
struct TipScene: Scene {
    static let steps = 60
    private var animator = Animator()
    private let item: ItemID
    private let rod: BehaviorID

    init() {
        item = animator.add(
            Item(center: Vector(660, 784), size: Size(300, 400), rotation: .pi / 2))
        _ = animator.add(Pin(item: item, offset: Vector(0, 500), anchor: Vector(160, 784)))
        _ = animator.add(Snap(item: item, point: Vector(160, 284)))
        rod = animator.add(Attachment(item: item, anchor: Vector(720, 864)))
    }

    mutating func step(_ number: Int) {
        if number.isMultiple(of: 2) {
            let finger = Vector(720 - 5 * Double(number), 864 - 4 * Double(number))
            animator.moveAnchor(of: rod, to: finger)
        }
        animator.step()
    }

    var last: Motion { animator.motion(of: item) }
    var isAwake: Bool { !animator.isResting }
}
