import Dynamics
import Geometry
import Notation

/// Reads each kind of behavior, one function for each.
extension WorldBehavior {
    static func snap(_ table: inout TableReader, _ names: WorldNames) throws(TableError) -> Rule {
        let item = try table.itemName("item", among: names)
        try table.require("point")
        return .snap(
            item: item, point: try table.point("point") ?? .zero,
            damping: try table.number("damping", default: 0.5, in: .distance))
    }

    static func push(_ table: inout TableReader, _ names: WorldNames) throws(TableError) -> Rule {
        let items = try table.itemNames("items", among: names)
        try table.require("mode")
        let mode = try table.choice("mode", default: Push.Mode.continuous)
        guard let force = try force(&table, angle: 0, magnitude: nil) else {
            throw table.absence("dx")
        }
        let offset = try table.point("offset", default: .zero)
        var push = Push(items: [], mode: mode, vector: .zero, offset: offset)
        push.force = force
        push.isActive = try table.bool("active", default: true)
        return .push(items: items, push)
    }

    static func gravity(
        _ table: inout TableReader, _ names: WorldNames
    ) throws(TableError) -> Rule {
        let items = try table.itemNames("items", among: names)
        var gravity = Gravity(items: [])
        if let force = try force(&table, angle: Double.pi / 2, magnitude: 1) {
            gravity.force = force
        }
        return .gravity(items: items, gravity)
    }

    /// A vector by its sides, or by angle and magnitude with these defaults; nil: neither stands.
    private static func force(
        _ table: inout TableReader, angle: Double, magnitude: Double?
    ) throws(TableError) -> PolarVector? {
        let (dx, dy) = (
            try table.number("dx", in: .coordinate), try table.number("dy", in: .coordinate)
        )
        let turned = try table.number("angle", in: .coordinate)
        let size = try table.number("magnitude", in: .coordinate)
        if dx != nil || dy != nil {
            if turned != nil || size != nil {
                throw table.error(
                    turned != nil ? "angle" : "magnitude", "cannot stand beside dx and dy")
            }
            return PolarVector(Vector(dx ?? 0, dy ?? 0))
        }
        guard turned != nil || size != nil else { return nil }
        guard let size = size ?? magnitude else {
            throw table.error("angle", "needs magnitude beside it")
        }
        return PolarVector(angle: turned ?? angle, magnitude: size)
    }

    static func properties(
        _ table: inout TableReader, _ names: WorldNames
    ) throws(TableError) -> Rule {
        let items = try table.itemNames("items", among: names)
        var properties = ItemProperties()
        properties.elasticity = try table.number("elasticity", in: .alpha)
        properties.friction = try table.number("friction", in: .distance)
        properties.density = try table.number("density", in: .divisor)
        properties.resistance = try table.number("resistance", in: .distance)
        properties.angularResistance = try table.number("angular_resistance", in: .distance)
        properties.allowsRotation = try table.flag("allows_rotation")
        properties.charge = try table.number("charge", in: .coordinate)
        properties.anchored = try table.flag("anchored")
        return .properties(items: items, properties)
    }

    static func group(_ table: inout TableReader, _ names: WorldNames) throws(TableError) -> Rule {
        let items = try table.itemNames("items", among: names)
        guard !items.isEmpty else { throw table.error("items", "must have at least one entry") }
        if let other = items.first(where: { !names.items.contains($0) }) {
            throw table.error("items", "\"\(other)\" is a group, and groups have items only")
        }
        return .group(members: items)
    }

    // MARK: Collision

    static func collision(
        _ table: inout TableReader, _ names: WorldNames, _ viewport: Size
    ) throws(TableError) -> Rule {
        let items = try table.itemNames("items", among: names)
        var collision = Collision(items: [])
        collision.mode = try table.choice("mode", default: Collision.Mode.everything)
        let insets = try insets(&table)
        if let insets {
            let size = Size(
                viewport.width - insets[1] - insets[3], viewport.height - insets[0] - insets[2])
            guard size.width >= 0.001 && size.height >= 0.001 else {
                throw table.error("bounds", "must leave something of the viewport")
            }
            let bounds = Rect(insets[1], insets[0], size.width, size.height)
            collision.boundaries.append(Boundary(id: boundsName, rectangle: bounds))
        }
        let nodes = try table.tables("boundaries", countMin: 0, countMax: World.segmentsMax) ?? []
        for (index, node) in nodes.enumerated() {
            let boundary = try boundary(node, path: "\(table.path), boundary \(index + 1)")
            if collision.boundaries.contains(where: { $0.id == boundary.id }) {
                throw TableError(
                    path: "\(table.path), boundary \(index + 1)", key: "id",
                    line: node["id"]?.line ?? node.line, message: "is taken by another boundary")
            }
            collision.boundaries.append(boundary)
        }
        return .collision(items: items, collision, insets: insets)
    }

    /// The boundary's name for the viewport's edges.
    static let boundsName = "bounds"

    /// Top, left, bottom, right, as UIKit's.
    private static func insets(_ table: inout TableReader) throws(TableError) -> [Double]? {
        guard let node = table.node("bounds") else { return nil }
        if let isOn = node.bool { return isOn ? [0, 0, 0, 0] : nil }
        guard node.array != nil else {
            throw table.error("bounds", "must be true, false or [top, left, bottom, right]")
        }
        return try table.numbers(
            "bounds", "[top, left, bottom, right]", count: 4, in: .coordinate)
    }

    private static func boundary(_ node: Node, path: String) throws(TableError) -> Boundary {
        var table = try TableReader(node, path: path)
        try table.require("id")
        let id = try table.name("id") ?? ""
        let points: [Vector]
        if table.node("path") != nil {
            points = try self.points(&table)
            if table.node("from") != nil { throw table.error("from", "cannot stand beside path") }
            if table.node("to") != nil { throw table.error("to", "cannot stand beside path") }
        } else {
            try table.require("from")
            try table.require("to")
            points = [try table.point("from") ?? .zero, try table.point("to") ?? .zero]
        }
        try table.finish()
        return Boundary(id: id, path: points)
    }

    private static func points(_ table: inout TableReader) throws(TableError) -> [Vector] {
        guard let nodes = table.node("path")?.array, nodes.count >= 2,
            nodes.count <= World.segmentsMax + 1
        else {
            throw table.error("path", "must be a list of 2 to \(World.segmentsMax + 1) points")
        }
        var points: [Vector] = []
        for (index, node) in nodes.enumerated() {
            guard let sides = node.array?.map(\.double), sides.count == 2, let x = sides[0],
                let y = sides[1], NumberRange.coordinate.contains(x),
                NumberRange.coordinate.contains(y)
            else {
                throw table.error(
                    "path",
                    "entry \(index + 1) must be [x, y], numbers \(NumberRange.coordinate.rule)")
            }
            points.append(Vector(x, y))
        }
        return points
    }
}

extension TableReader {
    /// Nil where it is absent.
    fileprivate mutating func flag(_ key: String) throws(TableError) -> Bool? {
        node(key) == nil ? nil : try bool(key, default: false)
    }
}
