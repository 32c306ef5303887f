package import Geometry
package import Notation

/// Where a component stands: in the viewport, or in a slot of an earlier component.
///
/// A slot is a view that may hold components. Its coordinates begin at the top left corner of the
/// untransformed view; the view's place, rotation, scale and alpha apply to all that it holds.
package struct Placement: Hashable, Sendable {
    package struct Holder: Hashable, Sendable {
        /// Its index in the scene.
        package var component: Int
        package var slot: Slot

        package init(component: Int, slot: Slot) {
            self.component = component
            self.slot = slot
        }
    }

    /// Nil: the viewport holds it.
    package var holder: Holder?
    /// In points, in the coordinates of what holds it.
    package var frame: Rect
    /// Whether its views are cut at its frame.
    package var clips: Bool

    package init(holder: Holder? = nil, frame: Rect, clips: Bool) {
        self.holder = holder
        self.frame = frame
        self.clips = clips
    }
}

/// The name of a slot, which is a view's name.
package struct Slot: Hashable, Sendable {
    package let name: String
    /// The parts of a name that ends in a number, as `row-3`.
    private let numbered: Numbered?

    private struct Numbered: Hashable, Sendable {
        var prefix: String
        var number: Int
    }

    package init(_ name: String) {
        self.name = name
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }
        let prefix = name.dropLast(digits.count)
        if prefix.hasSuffix("-"), let number = Int(String(digits.reversed())),
            name == "\(prefix)\(number)"
        {
            numbered = Numbered(prefix: String(prefix), number: number)
        } else {
            numbered = nil
        }
    }

    func isNamed(_ name: StaticString) -> Bool {
        self.name == name.description
    }

    func isNamed(_ prefix: StaticString, _ number: Int) -> Bool {
        guard let numbered else { return false }
        return numbered.number == number && numbered.prefix == prefix.description
    }

    func isNamed(_ prefix: StaticString, id: String) -> Bool {
        name.utf8.count == prefix.utf8CodeUnitCount + id.utf8.count
            && name.hasPrefix(prefix.description) && name.hasSuffix(id)
    }
}

extension Limits {
    /// Components that hold one another, above the innermost.
    package static let nestingMax = 8
}
