import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport

/// Scenes whose components hold one another.
struct NestedScene {
    private var components: [Scene.Component] = []

    /// Adds a component. `slot` is `component/slot`; nil: the viewport holds it.
    func with(
        _ id: String, _ parameters: some KindParameters, in slot: String? = nil,
        frame: Rect? = nil, clips: Bool? = nil
    ) -> NestedScene {
        var copy = self
        let value = ComponentParameters(parameters)
        var (holder, space): (Placement.Holder?, Size) = (nil, .phone)
        if let parts = slot?.split(separator: "/"),
            let index = components.firstIndex(where: { $0.id == parts[0] })
        {
            let outer = components[index]
            holder = Placement.Holder(component: index, slot: Slot(String(parts[1])))
            let size = outer.parameters.slotSize(
                String(parts[1]), viewport: outer.placement.frame.size)
            guard let size else { preconditionFailure("no slot \(slot ?? "")") }
            space = size
        }
        copy.components.append(
            Scene.Component(
                id: id, parameters: value,
                placement: Placement(
                    holder: holder, frame: frame ?? Rect(0, 0, space.width, space.height),
                    clips: clips ?? value.clips)))
        return copy
    }

    var scene: Scene {
        Scene(name: "nested", viewport: .phone, seed: 1, components: components)
    }

    /// A list in the shown one of three tips in a screen.
    static var listInTips: NestedScene {
        NestedScene().with("navigation", NavigationParameters(root: "home"))
            .with("tips", TipsParameters.counting(3), in: "navigation/home")
            .with("list", ListParameters(rows: 20), in: "tips/tip")
    }
}

extension Theater {
    /// A sample of a raw contact on the session's own topic.
    @discardableResult
    mutating func touch(
        _ phase: Phase, _ x: Double, _ y: Double, pointer: Int = 1, time: Double? = nil
    ) -> Session.Reception {
        let sample = Pointer(
            phase: phase, pointer: PointerNumber(pointer), location: Vector(x, y))
        return receive(.gesture(component: nil, .pointer(sample)), time: time)
    }

    /// Drags a contact in steps of 4 points, 8 ms apart; it stays down.
    mutating func drag(
        from start: Vector, to end: Vector, pointer: Int = 1
    ) {
        touch(.began, start.x, start.y, pointer: pointer)
        let count = Int(((end - start).length / 4).rounded(.up))
        for number in 1...count {
            step()
            let place = start + (end - start) * (Double(number) / Double(count))
            touch(.changed, place.x, place.y, pointer: pointer)
        }
    }

    /// The hit of the last event: `component/view`, `component` or `nothing`.
    var hit: String? {
        guard case .hit(let hit) = session.answer else { return nil }
        return Self.text(hit)
    }

    func hit(at x: Double, _ y: Double) -> String {
        Self.text(session.named(session.hit(at: Vector(x, y))))
    }

    private static func text(_ hit: NamedHit?) -> String {
        guard let hit else { return "nothing" }
        return hit.view.map { "\(hit.component)/\($0)" } ?? hit.component
    }
}
