package import Geometry

/// The part of the plane in which a field acts, relative to the field's position.
package indirect enum Region: Hashable, Sendable {
    case infinite
    /// `center` from the field's position; in points, the edge included.
    case circle(center: Vector, radius: Double)
    /// `center` from the field's position; in points, the edges included.
    case rectangle(center: Vector, size: Size)
    case union(Region, Region)
    /// The points of the first that are not in the second.
    case difference(Region, Region)
    case intersection(Region, Region)
    case inverse(Region)

    /// Nesting; a single region is 1. Deeper nesting would cost the stack of a lane.
    package static var depthMax: Int { 8 }
    /// Regions in a tree, the root included. More would cost time for every item in every step.
    package static var countMax: Int { 32 }

    /// Whether depth, count and figures are within bounds. Animators trap on invalid regions.
    package var isValid: Bool {
        var left = Region.countMax
        return isValid(depth: 1, left: &left)
    }

    /// Whether the region contains a point, given from the field's position (points).
    package func contains(_ point: Vector) -> Bool {
        switch self {
        case .infinite:
            return true
        case .circle(let center, let radius):
            return (point - center).lengthSquared <= radius * radius
        case .rectangle(let center, let size):
            let away = point - center
            return abs(away.x) <= size.width / 2 && abs(away.y) <= size.height / 2
        case .union(let a, let b):
            return a.contains(point) || b.contains(point)
        case .difference(let a, let b):
            return a.contains(point) && !b.contains(point)
        case .intersection(let a, let b):
            return a.contains(point) && b.contains(point)
        case .inverse(let region):
            return !region.contains(point)
        }
    }

    /// Stops at the first bound that is passed, so that no region costs more than the bounds allow.
    private func isValid(depth: Int, left: inout Int) -> Bool {
        left -= 1
        guard depth <= Region.depthMax, left >= 0 else { return false }
        switch self {
        case .infinite:
            return true
        case .circle(let center, let radius):
            return center.isFinite && radius.isFinite && radius >= 0
        case .rectangle(let center, let size):
            return center.isFinite && size.width.isFinite && size.height.isFinite
                && size.width >= 0 && size.height >= 0
        case .union(let a, let b), .difference(let a, let b), .intersection(let a, let b):
            return a.isValid(depth: depth + 1, left: &left)
                && b.isValid(depth: depth + 1, left: &left)
        case .inverse(let region):
            return region.isValid(depth: depth + 1, left: &left)
        }
    }
}
