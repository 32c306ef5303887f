import Geometry

/// A list that begins with the shape's name, because documents limit the depth of nesting.
extension Region: Codable {
    private enum Name: String, Codable {
        case infinite, circle, rectangle, union, difference, intersection, inverse
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        func region() throws -> Region { try list.decode(Region.self) }
        switch try list.decode(Name.self) {
        case .infinite: self = .infinite
        case .circle:
            self = .circle(
                center: try list.decode(Vector.self), radius: try list.decode(Double.self))
        case .rectangle:
            self = .rectangle(
                center: try list.decode(Vector.self), size: try list.decode(Size.self))
        case .union: self = .union(try region(), try region())
        case .difference: self = .difference(try region(), try region())
        case .intersection: self = .intersection(try region(), try region())
        case .inverse: self = .inverse(try region())
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        func put(_ name: Name, _ regions: Region...) throws {
            try list.encode(name)
            for region in regions { try list.encode(region) }
        }
        switch self {
        case .infinite: try put(.infinite)
        case .circle(let center, let radius):
            try put(.circle)
            try list.encode(center)
            try list.encode(radius)
        case .rectangle(let center, let size):
            try put(.rectangle)
            try list.encode(center)
            try list.encode(size)
        case .union(let a, let b): try put(.union, a, b)
        case .difference(let a, let b): try put(.difference, a, b)
        case .intersection(let a, let b): try put(.intersection, a, b)
        case .inverse(let region): try put(.inverse, region)
        }
    }
}
