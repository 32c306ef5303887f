package import Geometry

/// The part of the plane in which a field acts, around the field's position.
package indirect enum Region: Hashable, Sendable {
    case infinite
    /// `center` from the field's position; both in points, the edge included.
    case circle(center: Vector, radius: Double)
    /// `center` from the field's position; both in points, the edges included.
    case rectangle(center: Vector, size: Size)
    case union(Region, Region)
    /// What is in the first and not in the second.
    case difference(Region, Region)
    case intersection(Region, Region)
    case inverse(Region)

    /// Nesting: one region alone is 1. Deeper ones would cost the stack of a lane.
    package static var depthMax: Int { 8 }
    /// Regions within a region, itself included. More would cost every step of every item.
    package static var countMax: Int { 32 }

    /// Whether its depth, its number and its figures are such that a field may have it.
    package var isValid: Bool {
        var left = Region.countMax
        return isValid(depth: 1, left: &left)
    }

    /// Whether a point given from the field's position (points) lies in it.
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

    /// Stops where a limit is passed, so that no region can cost more than the limits allow.
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
