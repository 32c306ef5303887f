/// What the contacts add to the solver's figures: Box2D 2.3's, in points and seconds.
extension Tuning {
    /// How far (pt) the skin of boxes and boundaries stands off their outline.
    static var skin: Double { 2 * linearSlop }
    /// The share of the first face's separation that the second one's must exceed to be taken,
    static var facePreference: Double { 0.98 }
    /// and by how much (pt). Less and faces flicker.
    static var faceMargin: Double { 0.1 }
    /// A circle's center deeper (pt) in a box than this has no corner that it is nearest to.
    static var insideDepth: Double { 1e-5 }
    /// Slower than this (pt/s) nothing bounces. Less and stacks never come to rest.
    static var bounceSpeed: Double { 100 }
    /// The share of an overlap that one pass takes away. More overshoots.
    static var overlapShare: Double { 0.2 }
    /// The same after an impact within a step, where nothing else is in the way.
    static var impactShare: Double { 0.75 }
    /// Passes over the positions after an impact within a step.
    static var impactPassesMax: Int { 20 }
    /// Impacts of one body within a step. Beyond, it stays where it is until the next.
    static var impactsMax: Int { 8 }
    /// An impact so late in a step (a share of its way) is left to the next.
    static var wholeWay: Double { 1 - 1e-6 }
    /// Looks at one way until its impact is found. Beyond, the body stops a little short.
    static var approachMax: Int { 20 }
    /// Trials for the place at which a distance is the one that is sought.
    static var trialsMax: Int { 50 }
    /// Above this condition number two points are solved as one: they say the same.
    static var conditionMax: Double { 1000 }
    /// How far (pt) beyond a part its room reaches. Less and neighbors are sought more often.
    static var roomMargin: Double { 10 }
    /// By how many steps' way a room is longer than wide.
    static var roomSteps: Double { 2 }
    /// Boundaries have no properties of their own to set.
    static var boundaryFriction: Double { 0.2 }
    static var boundaryElasticity: Double { 0.2 }
    /// Collisions in one world: each has a bit.
    static var collisionsMax: Int { 64 }
}
