import Geometry

/// One segment of a boundary, solid from both sides.
///
/// It knows its neighbors (Box2D's ghost vertices): otherwise items that slide along a path would
/// catch at each corner.
struct Edge: Hashable, Sendable {
    let from: Vector
    let to: Vector
    /// The first point of the previous segment.
    var before: Vector?
    /// The last point of the next segment.
    var after: Vector?
}
