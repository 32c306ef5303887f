package import Geometry

/// Smooth seeded noise in the plane, optionally changing with time: the same bits everywhere.
///
/// Random vectors at the corners of a lattice are blended by a quintic, so that value and slope are
/// continuous; finer lattices add roughness. UIKit's noise is not published: lattice, octaves and
/// weights are ours.
package struct Noise: Hashable, Sendable {
    package var seed: UInt64
    /// From 0 (every octave weighs the same) to 1 (only the coarsest, whose cells are 1 m wide).
    package var smoothness: Double

    package static var smoothnesses: ClosedRange<Double> { 0...1 }
    /// Lattices, each twice as fine as the one before. More cost time and are finer than items.
    private static var octaveCount: Int { 4 }
    /// Beyond this, lattice coordinates have no fraction and do not fit an Int.
    private static var reach: Double { 1e15 }

    package init(seed: UInt64 = 0, smoothness: Double = 1) {
        self.seed = seed
        self.smoothness = smoothness
    }

    /// The noise at a place in metres and a time in lattice cells; both components in −1…1.
    package func vector(at place: Vector, time: Double) -> Vector {
        var sum = Vector.zero
        var total = 0.0
        var weight = 1.0
        var scale = 1.0
        for octave in 0..<Noise.octaveCount {
            sum += weight * blend(place * scale, time: time * scale, octave: UInt64(octave))
            total += weight
            weight *= 1 - smoothness
            scale *= 2
            if weight == 0 { break }
        }
        return sum / total
    }

    private func blend(_ place: Vector, time: Double, octave: UInt64) -> Vector {
        let (x, right) = Noise.cell(place.x)
        let (y, down) = Noise.cell(place.y)
        let (t, later) = Noise.cell(time)
        func row(_ y: Int, _ t: Int) -> Vector {
            Noise.mix(corner(x, y, t, octave), corner(x + 1, y, t, octave), right)
        }
        let now = Noise.mix(row(y, t), row(y + 1, t), down)
        if later == 0 { return now }
        return Noise.mix(now, Noise.mix(row(y, t + 1), row(y + 1, t + 1), down), later)
    }

    /// The random vector at a corner of the lattice.
    private func corner(_ x: Int, _ y: Int, _ t: Int, _ octave: UInt64) -> Vector {
        var random = SplitMix64(seed: seed &+ octave)
        random.state = random.next() ^ UInt64(bitPattern: Int64(x))
        random.state = random.next() ^ UInt64(bitPattern: Int64(y))
        random.state = random.next() ^ UInt64(bitPattern: Int64(t))
        let word = random.next()
        return Vector(
            Double(Int32(truncatingIfNeeded: word)) * 0x1p-31,
            Double(Int32(truncatingIfNeeded: word >> 32)) * 0x1p-31)
    }

    /// The lattice cell of a coordinate, and the blend factor inside it.
    private static func cell(_ coordinate: Double) -> (index: Int, blend: Double) {
        let coordinate = coordinate.clamped(to: -reach...reach)
        let floor = coordinate.rounded(.down)
        let t = coordinate - floor
        return (Int(floor), t * t * t * (t * (t * 6 - 15) + 10))
    }

    private static func mix(_ a: Vector, _ b: Vector, _ t: Double) -> Vector {
        a + (b - a) * t
    }
}
