import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport

/// Random scenes of all kinds, by the ids of the scene `phone` and a world, from one seed.
struct ChangedScenes {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed ^ 0x5ce9e) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    private mutating func isOnceIn(_ count: Int) -> Bool { random.whole(in: 1...count) == 1 }

    private mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var (left, result): ([Element], [Element]) = (elements, [])
        while !left.isEmpty {
            result.append(left.remove(at: random.whole(in: 0...left.count - 1)))
        }
        return result
    }

    static let ids = Storm.components + ["world"]

    /// A scene in which most components stand, in any order, mostly as large as the viewport.
    mutating func next() -> Scene {
        let viewport = pick([.phone, .phone, Size(390, 844), Size(844, 390), Size(120, 90)])
        var components: [Scene.Component] = []
        for id in shuffled(Self.ids) where !isOnceIn(4) {
            let whole = Rect(0, 0, viewport.width, viewport.height)
            let takesAll = id == "toss" || !isOnceIn(5)
            let frame = takesAll ? whole : Rect(10, 20, viewport.width / 2, viewport.height / 2)
            // Now and then a component of another kind has the id.
            let kind = isOnceIn(12) ? pick(Self.ids) : id
            let parameters = parameters(of: kind, frame.size)
            components.append(
                Scene.Component(
                    id: id, parameters: parameters,
                    placement: Placement(frame: frame, clips: parameters.clips)))
        }
        if components.isEmpty { components = Scene.phone().components }
        return Scene(
            name: isOnceIn(2) ? "changed" : nil, viewport: viewport,
            frameRate: pick([nil, nil, 30, 60, 120]), seed: 1, components: hold(components))
    }

    /// Puts the list into a page of the tabs that stand before it, now and then.
    private mutating func hold(_ components: [Scene.Component]) -> [Scene.Component] {
        guard let list = components.firstIndex(where: { $0.id == "list" }),
            let tabs = components.firstIndex(where: { $0.id == "tabs" }), tabs < list,
            components[tabs].parameters.slotSize("page-home", viewport: .phone) != nil,
            isOnceIn(2)
        else { return components }
        var held = components
        let own = held.remove(at: list)
        held.insert(own, at: tabs + 1)
        held[tabs + 1].placement.holder = Placement.Holder(
            component: tabs, slot: Slot("page-home"))
        return held
    }

    private mutating func parameters(of kind: String, _ size: Size) -> ComponentParameters {
        switch kind {
        case "tips":
            var parameters = TipsParameters(viewport: size)
            parameters.tips = TipsParameters.counting(random.whole(in: 0...4)).tips
            return .init(parameters)
        case "toss":
            var parameters = TossParameters(viewport: size)
            if isOnceIn(3) { parameters.frame = Rect(10, 20, 60 + random.unit() * 100, 80) }
            return .init(parameters)
        case "navigation": return .init(NavigationParameters(root: "dashboard"))
        case "profile":
            var parameters = ProfileParameters(viewport: size)
            if isOnceIn(3) { parameters.contentHeight = 300 + random.unit() * 2_000 }
            return .init(parameters)
        case "list":
            var parameters = ListParameters(rows: random.whole(in: 0...25))
            if isOnceIn(3) { parameters.rowHeight = 40 + random.unit() * 60 }
            return .init(parameters)
        case "reader":
            return .init(
                ReaderParameters(pages: .count(random.whole(in: 1...12)), viewport: size))
        case "tabs":
            var parameters = TabsParameters(viewport: size)
            let items = TabsParameters.five.items
            parameters.items = Array(shuffled(items).prefix(random.whole(in: 1...5)))
            return .init(parameters)
        default: return .init(world(size))
        }
    }

    private mutating func world(_ size: Size) -> WorldParameters {
        var items: [Sheet] = []
        for name in shuffled(["a", "b", "c", "d"]).prefix(random.whole(in: 1...4)) {
            items.append([
                "id": Sheet(name), "size": [20, 20],
                "center": [
                    Sheet(15 + random.unit() * (size.width - 30)),
                    Sheet(15 + random.unit() * (size.height - 30)),
                ],
            ])
        }
        let names = Sheet(items.compactMap { $0["id"] })
        var behaviors: [Sheet] = [
            ["id": "walls", "kind": "collision", "items": names, "bounds": true]
        ]
        if isOnceIn(2) { behaviors.append(["id": "fall", "kind": "gravity", "items": names]) }
        let table: Sheet = ["items": Sheet(items), "behaviors": Sheet(behaviors)]
        do {
            return try WorldParameters(table.node, viewport: size)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
