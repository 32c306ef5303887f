/// The contact solver's constants: Box2D 2.3's, in points and seconds.
extension Tuning {
    /// The margin (pt) of boxes and boundaries around their outline, in which they touch.
    static var skin: Double { 2 * linearSlop }
    /// The second body's face is the reference if its separation exceeds this share of the first
    /// one's
    static var facePreference: Double { 0.98 }
    /// plus this many points. With less, the reference face flickers between steps.
    static var faceMargin: Double { 0.1 }
    /// A circle whose center is deeper (pt) inside a box than this has no nearest corner.
    static var insideDepth: Double { 1e-5 }
    /// Nothing bounces below this approach speed (pt/s). With less, stacks never come to rest.
    static var bounceSpeed: Double { 100 }
    /// The share of an overlap that one pass removes. A larger one overshoots.
    static var overlapShare: Double { 0.2 }
    /// The same after an impact within a step, where nothing else is in the way.
    static var impactShare: Double { 0.75 }
    /// Position passes after an impact within a step.
    static var impactPassesMax: Int { 20 }
    /// Impacts of one body within a step. After them it stays where it is until the next step.
    static var impactsMax: Int { 8 }
    /// The share of a sweep after which an impact is left to the next step.
    static var wholeWay: Double { 1 - 1e-6 }
    /// Iterations of the search for an impact. After them the body stops a little early.
    static var impactSearchMax: Int { 20 }
    /// Iterations of the search for the time at which a distance is reached.
    static var rootTrialsMax: Int { 50 }
    /// Above this condition number of their matrix, two contact points are solved as one.
    static var conditionMax: Double { 1000 }
    /// The margin (pt) of a fat AABB. With less, pairs are searched more often.
    static var aabbMargin: Double { 10 }
    /// A fat AABB extends by the movement of this many steps.
    static var aabbSteps: Double { 2 }
    /// Boundaries have no material of their own.
    static var boundaryFriction: Double { 0.2 }
    static var boundaryElasticity: Double { 0.2 }
    /// Collisions in one world: each uses one bit of a mask.
    static var collisionsMax: Int { 64 }
}
