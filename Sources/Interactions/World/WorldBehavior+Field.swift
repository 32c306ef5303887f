import Dynamics
import Geometry
import Notation

extension WorldBehavior {
    /// `seed` tells its noise from that of other fields.
    static func field(
        _ table: inout TableReader, _ names: WorldNames, seed: UInt64
    ) throws(TableError) -> Rule {
        let items = try table.itemNames("items", among: names)
        try table.require("type")
        let kind = try table.choice("type", default: FieldName.drag).kind
        var field = Field(kind, items: [])
        field.seed = seed
        field.position = try table.point("position", default: .zero)
        field.strength = try table.number("strength", default: field.strength, in: .coordinate)
        field.falloff = try table.number("falloff", default: field.falloff, in: .falloff)
        field.minimumRadius = try table.number(
            "minimum_radius", default: field.minimumRadius, in: .distance)
        field.direction = try table.point("direction", default: .zero)
        field.smoothness = try table.number(
            "smoothness", default: field.smoothness, in: .alpha)
        field.animationSpeed = try table.number(
            "animation_speed", default: field.animationSpeed, in: .animationSpeed)
        if let node = try table.table("region") {
            field.region = try region(node, path: "\(table.path), region", depth: 1)
            guard field.region.isValid else {
                throw table.error("region", "must be of at most \(Region.countMax) regions")
            }
        }
        return .field(items: items, field)
    }

    /// Recursive, as deep as `Region.depthMax`.
    private static func region(
        _ node: Node, path: String, depth: Int
    ) throws(TableError) -> Region {
        guard depth <= Region.depthMax else {
            throw TableError(
                path: path, line: node.line,
                message: "regions are nested at most \(Region.depthMax) deep")
        }
        var table = try TableReader(node, path: path)
        try table.require("shape")
        let shape = try table.choice("shape", default: RegionShape.infinite)
        let region: Region
        switch shape {
        case .infinite: region = .infinite
        case .circle:
            try table.require("radius")
            region = .circle(
                center: try table.point("center", default: .zero),
                radius: try table.number("radius", default: 0, in: .distance))
        case .rectangle:
            try table.require("size")
            region = .rectangle(
                center: try table.point("center", default: .zero),
                size: try table.size("size", default: Size(0, 0)))
        case .union, .difference, .intersection, .inverse:
            region = try combination(shape, &table, path: path, depth: depth)
        }
        try table.finish()
        return region
    }

    private static func combination(
        _ shape: RegionShape, _ table: inout TableReader, path: String, depth: Int
    ) throws(TableError) -> Region {
        try table.require("of")
        let count = shape == .inverse ? 1 : 2
        let nodes = try table.tables("of", countMin: count, countMax: count) ?? []
        var parts: [Region] = []
        for (index, node) in nodes.enumerated() {
            let path = "\(path), part \(index + 1)"
            parts.append(try region(node, path: path, depth: depth + 1))
        }
        switch shape {
        case .union: return .union(parts[0], parts[1])
        case .difference: return .difference(parts[0], parts[1])
        case .intersection: return .intersection(parts[0], parts[1])
        case .infinite, .circle, .rectangle, .inverse: return .inverse(parts[0])
        }
    }

    /// Named as in scenes.
    enum RegionShape: String, CaseIterable {
        case infinite, circle, rectangle, union, difference, intersection, inverse
    }

    /// Named as in scenes.
    enum FieldName: String, CaseIterable {
        case linearGravity = "linear-gravity"
        case radialGravity = "radial-gravity"
        case spring, electric, magnetic, vortex, drag, velocity, noise, turbulence

        var kind: Field.Kind {
            switch self {
            case .linearGravity: .linearGravity
            case .radialGravity: .radialGravity
            case .spring: .spring
            case .electric: .electric
            case .magnetic: .magnetic
            case .vortex: .vortex
            case .drag: .drag
            case .velocity: .velocity
            case .noise: .noise
            case .turbulence: .turbulence
            }
        }
    }
}

extension NumberRange {
    static let falloff = NumberRange(Field.falloffs, rule: "from -16 to 16")
    static let animationSpeed = NumberRange(
        Field.animationSpeeds, rule: "from 0 to 120")
}
