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
        sink.openList("items")
        for (index, item) in parameters.items.enumerated() {
            sink.openElement()
            sink.field("id", item.id)
            sink.field("selected", index == selected)
            sink.field("highlighted", index == touched)
            sink.field("glow", glows[index])
            sink.close()
        }
        sink.closeList()
        guard let item = shownItem else {
            sink.null("bubble")
            return
        }
        sink.open("bubble")
        sink.field("index", item)
        sink.open("counts")
        let numbers = numbers
        for kind in parameters.items[item].bubble { sink.field(named: kind, numbers[kind]) }
        sink.close()
        sink.close()
    }

    package func views(into sink: inout some StateSink) {
        let (width, height) = (parameters.width, parameters.height)
        let (bottom, barTop) = (parameters.windowHeight, parameters.windowHeight - height)
        let page = parameters.items[selected].id
        let pageSize = parameters.pageSize
        sink.view(
            "page-", id: page,
            ViewState(
                center: Vector(pageSize.width, pageSize.height) / 2, size: pageSize, z: 0,
                cut: pageCuts[page]))
        let barMiddle = bottom - height / 2
        sink.view(
            "bar",
            ViewState(
                center: Vector(width / 2, barMiddle), size: Size(width, height), z: 1,
                cut: cuts["bar"]))
        for (index, item) in parameters.items.enumerated() {
            let center = Vector(middle(of: index), barMiddle)
            sink.view(
                "item-", id: item.id,
                ViewState(
                    center: center, size: Size(itemWidth, height), z: 2, cut: itemCuts[item.id]))
        }
        for index in glows.indices where glows[index] {
            let size = parameters.glowSize
            let center = Vector(middle(of: index), bottom - size.height / 2)
            sink.view(
                "glow-", number: index,
                ViewState(center: center, size: size, z: 3, cut: glowCuts[index]))
        }
        let size = parameters.arrow
        let top = barTop - size.height + 2
        let left = arrowLeft(at: shownStep)
        let center = Vector(left + size.width / 2, top + size.height / 2)
        sink.view("arrow", ViewState(center: center, size: size, z: 4, cut: cuts["arrow"]))
        guard let item = shownItem else { return }
        let bubble = parameters.bubbleSize
        sink.view(
            "bubble",
            ViewState(
                center: Vector(bubbleMiddle(over: item), barTop - 2 - bubble.height / 2),
                size: bubble,
                alpha: min(max(0, bubbleAlpha(at: shownStep)), 1), z: 5, cut: cuts["bubble"]))
    }

    var itemWidth: Double { parameters.width / Double(parameters.items.count) }

    func middle(of item: Int) -> Double { itemWidth * Double(item) + itemWidth / 2 }

    /// A bubble stays within the bar's width, unless it is wider.
    private func bubbleMiddle(over item: Int) -> Double {
        let half = parameters.bubbleSize.width / 2
        guard 2 * half <= parameters.width else { return parameters.width / 2 }
        return min(max(middle(of: item), half), parameters.width - half)
    }

    func restingLeft(_ item: Int) -> Double {
        middle(of: item) - parameters.arrow.width / 2
    }

    func arrowLeft(at now: Step) -> Double {
        switch arrow {
        case .resting: restingLeft(selected)
        case .moving(_, let animation): animation.value(at: now)
        }
    }

    /// The counts that the bubble shows.
    private var numbers: BadgeCounts {
        if case .hiding(_, _, let numbers) = bubble { return numbers }
        return counts
    }

    var shownItem: Int? {
        switch bubble {
        case .none: nil
        case .showing(let item, _, _), .shown(let item, _), .hiding(let item, _, _): item
        }
    }

    /// Where a spring goes beyond its target it is not within 0 … 1.
    func bubbleAlpha(at now: Step) -> Double {
        switch bubble {
        case .none: 0
        case .shown: 1
        case .showing(_, let fade, _), .hiding(_, let fade, _): fade.value(at: now)
        }
    }
}

extension Tabs {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        let items = parameters.items.indices
        guard items.contains(selected), landing.map({ items.contains($0.item) }) != false,
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
        case .showing(let item, let animation, _), .hiding(let item, let animation, _):
            return items.contains(item) && animation.isSound
        }
    }
}
