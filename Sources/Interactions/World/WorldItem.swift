package import Dynamics
import Geometry
import Gestures
import Notation

/// An item of a world, as described.
struct WorldItem: Hashable, Sendable {
    let id: String
    /// In points in the viewport.
    var center: Vector
    /// In points, without the scale.
    var size: Size
    /// Radians, clockwise on screen.
    var rotation: Double
    let shape: ItemShape
    /// Within `World.scales`.
    var scale: Double
    /// Whether it is for one person at a time: who holds it keeps it until it is let go.
    var isExclusive: Bool
    /// The symbol of the token that it follows; nil: none.
    let token: Int?
    /// For its renderers: nobody looks into it here.
    let content: Node?

    /// The body's size: `size` times `scale`.
    var extent: Size { Size(size.width * scale, size.height * scale) }

    /// Reads a table. In errors, `path` stands before `item …`.
    init(
        _ node: Node, path: String = "", number: Int? = nil, among names: WorldNames
    ) throws(TableError) {
        var table = try TableReader(node, path: path + (number.map { "item \($0)" } ?? "item"))
        try table.require("id")
        let id = try table.name("id") ?? ""
        self.id = id
        table.path = "\(path)item \(id)"
        if names.items.contains(id) { throw table.error("id", "is taken by another item") }
        if names.groups.contains(where: { $0.id == id }) {
            throw table.error("id", "is taken by a group")
        }
        try table.require("center")
        center = try table.point("center") ?? .zero
        try table.require("size")
        size = try table.size("size") ?? Size(0, 0)
        rotation = try table.number("rotation", default: 0, in: .coordinate)
        shape = try table.choice("shape", default: ItemShape.box)
        scale = try table.number("scale", default: 1, in: World.scales)
        isExclusive = try table.bool("exclusive", default: false)
        token = try table.whole("token", in: Token.symbols)
        if let token, let other = names.tokens.first(where: { $0.symbol == token }) {
            throw table.error("token", "\(token) is that of the item \"\(other.item)\"")
        }
        content = try table.content("content")
        try table.finish()
    }

    /// The engine's item. Item behaviors set its material.
    var engineItem: Item {
        var item = Item(center: center, size: extent, rotation: rotation)
        item.shape = shape
        return item
    }

    /// Whether a point in the item's own coordinates, counted from its center, is inside.
    func contains(_ point: Vector) -> Bool {
        switch shape {
        case .box: abs(point.x) <= extent.width / 2 && abs(point.y) <= extent.height / 2
        case .circle: point.length <= extent.width / 2
        }
    }
}

extension WorldItem: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, center, size, rotation, shape, scale, exclusive, token, content
    }

    /// Encodes a table that reads back. The center is brought within the coordinates that a table
    /// may have.
    func encode(to encoder: any Encoder) throws {
        let reach = NumberRange.coordinateMax
        let (x, y) = (min(max(center.x, -reach), reach), min(max(center.y, -reach), reach))
        let isTurnable = NumberRange.coordinate.contains(rotation)
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(id, forKey: .id)
        try table.encode(Vector(x, y), forKey: .center)
        try table.encode(size, forKey: .size)
        try table.encode(isTurnable ? rotation : Angle.wrapped(rotation), forKey: .rotation)
        try table.encode(shape.rawValue, forKey: .shape)
        try table.encode(scale, forKey: .scale)
        if isExclusive { try table.encode(true, forKey: .exclusive) }
        try table.encodeIfPresent(token, forKey: .token)
        try table.encodeIfPresent(content, forKey: .content)
    }
}

extension ItemShape: RawRepresentable, CaseIterable {
    package static var allCases: [ItemShape] { [.box, .circle] }

    package init?(rawValue: String) {
        switch rawValue {
        case "box": self = .box
        case "circle": self = .circle
        default: return nil
        }
    }

    package var rawValue: String {
        switch self {
        case .box: "box"
        case .circle: "circle"
        }
    }
}

extension Node {
    /// `[x, y]`.
    init(_ vector: Vector) {
        self.init(.array([Node(.number(vector.x)), Node(.number(vector.y))]))
    }
}
