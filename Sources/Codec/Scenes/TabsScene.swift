import Interactions
import Notation
import Sessions

extension TabsParameters {
    static let reader = ComponentReader(kind: "tabs") { (table, viewport) throws(TableError) in
        var tabs = TabsParameters(viewport: viewport)
        try table.require("items")
        let nodes = try table.tables("items", countMin: 1, countMax: Limits.tabItemsMax) ?? []
        for (index, node) in nodes.enumerated() {
            let item = try item(node, path: "\(table.path), item \(index + 1)")
            if tabs.items.contains(where: { $0.id == item.id }) {
                throw TableError(
                    path: "\(table.path), item \(index + 1)", key: "id",
                    line: node["id"]?.line ?? node.line, message: "is taken by another item")
            }
            tabs.items.append(item)
        }
        tabs.width = try table.number("width", default: tabs.width, in: .size)
        tabs.height = try table.number("height", default: tabs.height, in: .size)
        tabs.windowHeight = try table.number(
            "window_height", default: tabs.windowHeight, in: .size)
        tabs.arrow = try table.size("arrow", default: tabs.arrow)
        tabs.glowSize = try table.size("glow_size", default: tabs.glowSize)
        tabs.bubbleSize = try table.size("bubble_size", default: tabs.bubbleSize)
        tabs.arrowDuration = try table.number(
            "arrow_duration", default: tabs.arrowDuration, in: .duration)
        tabs.bubbleFade = try table.number(
            "bubble_fade", default: tabs.bubbleFade, in: .duration)
        tabs.bubbleTimeout = try table.number(
            "bubble_timeout", default: tabs.bubbleTimeout, in: .duration)
        return .tabs(tabs)
    }

    private static func item(_ node: Node, path: String) throws(TableError) -> Item {
        var table = try TableReader(node, path: path)
        try table.require("id")
        var item = Item(id: try table.name("id") ?? "")
        item.glow = try table.names("glow", default: item.glow, countMax: BadgeCounts.kindsMax)
        item.bubble = try table.names(
            "bubble", default: item.bubble, countMax: BadgeCounts.kindsMax)
        try table.finish()
        return item
    }
}
