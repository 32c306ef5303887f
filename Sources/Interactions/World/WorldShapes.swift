import Dynamics
import Gestures
package import Notation

/// The tables of a world, listed: what the readers in this folder take.
extension WorldItem {
    static var shape: TableShape {
        TableShape([
            .needed("id", .name), .needed("center", .point), .needed("size", .size),
            .init("rotation", .number(.coordinate), value: Node(.integer(0))),
            .init(
                "shape", .choice(ItemShape.allCases.map(\.rawValue)),
                value: Node(.string(ItemShape.box.rawValue))),
            .init("scale", .number(World.scales), value: Node(.integer(1))),
            .init("exclusive", .bool, value: Node(.bool(false))),
            .init("token", .whole(Token.symbols)),
            .init("content", .content),
        ])
    }
}

extension World {
    /// The shape of an item in a scene, and in a command that adds one.
    package static var itemShape: TableShape { WorldItem.shape }
    /// The shape of a behavior in a scene, and in a command that adds one.
    package static var behaviorShape: TableShape { WorldBehavior.shape }
    /// The shape of a field's region, which `named("region")` stands for.
    package static var regionShape: TableShape { WorldBehavior.regionShape }
}

extension WorldBehavior {
    static var shape: TableShape {
        TableShape(
            [.needed("id", .name)], by: "kind", default: Kind?.none, table(of:))
    }

    private static func table(of kind: Kind) -> TableShape {
        switch kind {
        case .attachment: attachment
        case .snap:
            TableShape([
                .needed("item", .name), .needed("point", .point),
                number("damping", .distance, 0.5),
            ])
        case .push: push
        case .gravity: TableShape([items] + force(angle: Double.pi / 2), gravityRelations)
        case .collision: collision
        case .item: properties
        case .field: field
        case .group: TableShape([.needed("items", .set(.name, 1...World.itemsMax))])
        }
    }

    private static let items = TableShape.Entry.needed("items", .set(.name, 0...World.itemsMax))

    private static func number(
        _ key: String, _ range: NumberRange, _ value: Double
    ) -> TableShape.Entry {
        .init(key, .number(range), value: Node(.number(value)))
    }

    private static func point(_ key: String) -> TableShape.Entry {
        .init(key, .point, value: Node(.array([Node(.integer(0)), Node(.integer(0))])))
    }

    private static let range = TableShape.Entry(
        "range", .row([.number(.coordinate), .number(.coordinate)]))

    private static let length = TableShape.Entry("length", .number(.distance))

    private static var attachment: TableShape {
        var shape = TableShape(
            [
                .needed("item", .name), point("offset"), .init("anchor", .point),
                .init("to", .name), point("to_offset"),
            ], by: "type", default: WorldAttachment.TypeName.distance
        ) { type in
            let spring = [number("frequency", .distance, 0), number("damping", .distance, 0)]
            switch type {
            case .distance: return TableShape([length] + spring)
            case .fixed: return TableShape(spring)
            case .pin: return TableShape([number("friction_torque", .distance, 0), range])
            case .sliding: return TableShape([.needed("axis", .point), range])
            case .limit: return TableShape([length])
            }
        }
        shape.relations = [
            .anyOf([["anchor"], ["to"]]), .apart(["anchor"], ["to"]), .needs("to_offset", "to"),
        ]
        return shape
    }

    private static func force(angle: Double) -> [TableShape.Entry] {
        [
            .init("dx", .number(.coordinate)), .init("dy", .number(.coordinate)),
            number("angle", .coordinate, angle), .init("magnitude", .number(.coordinate)),
        ]
    }

    private static let gravityRelations = [TableShape.Relation.apart(sides, polar)]

    private static var push: TableShape {
        TableShape(
            [
                items, .needed("mode", .choice(Push.Mode.allCases.map(\.rawValue))),
                point("offset"), .init("active", .bool, value: Node(.bool(true))),
            ] + force(angle: 0),
            [
                .anyOf([["dx"], ["dy"], ["magnitude"]]), .apart(sides, polar),
            ])
    }

    private static var collision: TableShape {
        let insets = ValueShape.row(Array(repeating: .number(.coordinate), count: 4))
        let boundary = TableShape(
            [
                .needed("id", .name), .init("from", .point), .init("to", .point),
                .init("path", .list(.point, 2...World.segmentsMax + 1)),
            ],
            [.anyOf([["path"], ["from", "to"]]), .apart(["path"], ["from", "to"])])
        return TableShape([
            items,
            .init(
                "mode", .choice(Collision.Mode.allCases.map(\.rawValue)),
                value: Node(.string(Collision.Mode.everything.rawValue))),
            .init("bounds", .either([.bool, insets]), value: Node(.bool(false))),
            .init("boundaries", .list(.table(boundary), 0...World.segmentsMax)),
        ])
    }

    private static var properties: TableShape {
        TableShape([
            items, .init("elasticity", .number(.alpha)), .init("friction", .number(.distance)),
            .init("density", .number(.divisor)), .init("resistance", .number(.distance)),
            .init("angular_resistance", .number(.distance)), .init("allows_rotation", .bool),
            .init("charge", .number(.coordinate)), .init("anchored", .bool),
        ])
    }

    private static var field: TableShape {
        let any = Field(.drag, items: [])
        return TableShape([
            items, .needed("type", .choice(FieldName.allCases.map(\.rawValue))),
            point("position"), number("strength", .coordinate, any.strength),
            .init("falloff", .number(.falloff)),
            number("minimum_radius", .distance, any.minimumRadius),
            point("direction"), .init("region", .named("region")),
            number("smoothness", .alpha, any.smoothness),
            number("animation_speed", .animationSpeed, any.animationSpeed),
        ])
    }

    static var regionShape: TableShape {
        TableShape([], by: "shape", default: RegionShape?.none) { shape in
            switch shape {
            case .infinite: TableShape([])
            case .circle: TableShape([.needed("radius", .number(.distance)), point("center")])
            case .rectangle: TableShape([.needed("size", .size), point("center")])
            case .union, .difference, .intersection:
                TableShape([.needed("of", .list(.named("region"), 2...2))])
            case .inverse: TableShape([.needed("of", .list(.named("region"), 1...1))])
            }
        }
    }
}
