package import Geometry
package import Gestures
import Notation

/// Finds the items that gestures and commands name.
extension Tabs {
    func checkIndex(_ index: Int) throws(Rejection) {
        guard parameters.items.indices.contains(index) else {
            throw Rejection(
                .badValue, "index \(index) is outside 0…\(parameters.items.count - 1)")
        }
    }

    func index(of command: ComponentCommand) throws(Rejection) -> Int {
        try command.read { (table) throws(TableError) in
            try table.require("index")
            return try table.whole("index", default: 0, in: 0...parameters.items.count - 1)
        }
    }

    func item(at point: Vector) throws(Rejection) -> Int {
        guard let item = itemIfAny(at: point) else {
            throw Rejection(.badValue, "there is no tab at (\(point.x), \(point.y))")
        }
        return item
    }

    func isOnBar(_ point: Vector) -> Bool {
        let top = parameters.windowHeight - parameters.height
        return point.x >= 0 && point.x < parameters.width && point.y >= top
            && point.y <= parameters.windowHeight
    }

    /// Nil outside the bar.
    func itemIfAny(at point: Vector) -> Int? {
        guard isOnBar(point) else { return nil }
        return min(Int(point.x / itemWidth), parameters.items.count - 1)
    }

    /// Each item has contacts of its own: two people tap two tabs.
    package func hand(landing pointer: PointerNumber, at point: Vector) -> Hand {
        guard let item = itemIfAny(at: point) else { return .shared }
        let name = parameters.items[item].id
        return .on(Hand.Thing(name: name, part: name))
    }

    /// Whether a hand's contact is the one that highlights: of several the one that landed last.
    func isOf(_ landing: Landing, _ hand: Hand) -> Bool {
        guard case .on(let thing) = hand else { return true }
        return parameters.items[landing.item].id == thing.name
    }

    /// The item that is highlighted.
    var touched: Int? { landing.flatMap { $0.isNear ? $0.item : nil } }

    func moved(_ landing: Landing, to point: Vector) -> Landing {
        func isNear(_ place: Double, _ low: Double, _ high: Double) -> Bool {
            place >= low - Landing.reach && place <= high + Landing.reach
        }
        let (left, bottom) = (itemWidth * Double(landing.item), parameters.windowHeight)
        return Landing(
            item: landing.item,
            isNear: isNear(point.x, left, left + itemWidth)
                && isNear(point.y, bottom - parameters.height, bottom))
    }
}
