package import Geometry
package import Gestures
import Motion

// MARK: - What is shown

extension Tabs {
    package var phase: String {
        switch arrow {
        case .resting: "resting"
        case .moving: "moving"
        }
    }

    package func model(into sink: inout some StateSink) {
        sink.field("selected", selected)
        sink.open("items")
        for (index, item) in parameters.items.enumerated() {
            sink.open(item.id)
            sink.field("selected", index == selected)
            sink.field("highlighted", index == touched)
            sink.field("glow", glows[index])
            sink.close()
        }
        sink.close()
        guard let item = shownItem else {
            sink.null("bubble")
            return
        }
        sink.open("bubble")
        sink.field("index", item)
        sink.open("counts")
        for kind in parameters.items[item].bubble { sink.field(kind, counts[kind]) }
        sink.close()
        sink.close()
    }

    package func views(into sink: inout some StateSink) {
        for index in glows.indices where glows[index] {
            let size = parameters.glowSize
            let center = Vector(
                middle(of: index), parameters.windowHeight - size.height / 2)
            sink.view("glow-", number: index, ViewState(center: center, size: size, z: 1))
        }
        let size = parameters.arrow
        let top = parameters.windowHeight - parameters.height - size.height + 2
        let left = arrowLeft(at: shownStep)
        let center = Vector(left + size.width / 2, top + size.height / 2)
        sink.view("arrow", ViewState(center: center, size: size, z: 2))
        guard let item = shownItem else { return }
        let bubble = parameters.bubbleSize
        let bottom = parameters.windowHeight - parameters.height - 2
        sink.view(
            "bubble",
            ViewState(
                center: Vector(middle(of: item), bottom - bubble.height / 2), size: bubble,
                alpha: bubbleAlpha(at: shownStep), z: 3))
    }

    var itemWidth: Double { parameters.width / Double(parameters.items.count) }

    func middle(of item: Int) -> Double { itemWidth * Double(item) + itemWidth / 2 }

    func restingLeft(_ item: Int) -> Double {
        middle(of: item) - parameters.arrow.width / 2
    }

    func arrowLeft(at now: Step) -> Double {
        switch arrow {
        case .resting: restingLeft(selected)
        case .moving(_, let animation): animation.value(at: now)
        }
    }

    var shownItem: Int? {
        switch bubble {
        case .none: nil
        case .showing(let item, _, _), .shown(let item, _), .hiding(let item, _): item
        }
    }

    func bubbleAlpha(at now: Step) -> Double {
        switch bubble {
        case .none: 0
        case .shown: 1
        case .showing(_, let animation, _), .hiding(_, let animation): animation.value(at: now)
        }
    }
}

extension Tabs {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        let items = parameters.items.indices
        guard items.contains(selected), touched.map(items.contains) != false,
            glows.count == items.count
        else { return false }
        if case .moving(let from, let animation) = arrow,
            !items.contains(from) || !animation.isSound
        {
            return false
        }
        switch bubble {
        case .none: return true
        case .shown(let item, _): return items.contains(item)
        case .showing(let item, let animation, _), .hiding(let item, let animation):
            return items.contains(item) && animation.isSound
        }
    }
}
