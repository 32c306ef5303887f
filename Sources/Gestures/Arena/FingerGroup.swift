import Geometry

/// Two fingers or more that hold one thing together: they move, scale and turn it.
///
/// The hold is the similarity that brings the fingers from where they were to where they are, with
/// the least sum of squared distances. Whenever a finger comes or goes, it begins anew at what is,
/// so that nothing jumps. The fingers are the arena's primary contact and those with a reserve.
struct FingerGroup: Hashable, Sendable, Codable {
    /// The gesture that began the hold: a rotation, or a pinch, which stands for a movement too.
    let winner: GestureKind
    /// Where the primary contact was when the fingers became these.
    private var base: Vector
    /// Radians since the fingers became these, continuous over whole turns.
    private var angle = 0.0

    init(_ winner: GestureKind, at place: Vector) {
        self.winner = winner
        base = place
    }

    /// The hold as it is now.
    mutating func sample(
        _ phase: Phase, isRebased: Bool, primary place: Vector,
        _ others: [PointerArena.SecondaryContact]
    ) -> Grasp {
        var grasp = Grasp(phase: phase, isRebased: isRebased)
        var count = 1.0
        (grasp.origin, grasp.middle) = (base, place)
        for finger in others {
            guard let reserve = finger.reserve else { continue }
            grasp.origin += reserve.base
            grasp.middle += finger.location
            count += 1
        }
        grasp.origin = grasp.origin / count
        grasp.middle = grasp.middle / count
        var fit = Fit()
        fit.add(base - grasp.origin, place - grasp.middle)
        for finger in others {
            guard let reserve = finger.reserve else { continue }
            fit.add(reserve.base - grasp.origin, finger.location - grasp.middle)
        }
        guard let factor = fit.factor else { return grasp }
        grasp.scale = factor.length
        if factor != .zero {
            angle += Angle.wrapped(Angle.direction(of: factor) - angle)
        }
        grasp.angle = angle
        return grasp
    }

    /// The sums of a least-squares fit.
    private struct Fit {
        private var along = 0.0, across = 0.0, square = 0.0

        mutating func add(_ base: Vector, _ place: Vector) {
            along += base.dot(place)
            across += base.cross(place)
            square += base.lengthSquared
        }

        /// The scale and the turn as one vector; nil: the fingers stand at one point, and neither
        /// scale nor turn.
        var factor: Vector? {
            square < FingerGroup.squareMin ? nil : Vector(along, across) / square
        }
    }

    /// Square points: the sum of the fingers' squared distances from their middle below which they
    /// stand at one point.
    private static let squareMin = 1.0
}

extension FingerGroup {
    /// Whether a decoded group is one that events could have led to.
    var isSound: Bool {
        base.isPlace && angle.magnitude <= 1e9 && [.pinch, .rotation].contains(winner)
    }
}
