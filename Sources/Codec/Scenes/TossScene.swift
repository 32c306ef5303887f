import Interactions
import Notation

extension TossParameters {
    /// Radians per second of a spin: far above what a step's cap on rotation lets show.
    private static let spinLimits = -1_000...1_000

    static let reader = ComponentReader(kind: "toss") { (table, _) throws(TableError) in
        var toss = TossParameters()
        toss.frame = try table.rect("frame", default: toss.frame)
        toss.throwingThreshold = try table.number(
            "throwing_threshold", default: toss.throwingThreshold, in: .distance)
        toss.velocityPadding = try table.number(
            "velocity_padding", default: toss.velocityPadding, in: .divisor)
        toss.spin = try table.wholeRange("spin", default: toss.spin, in: spinLimits)
        toss.friction = try table.number("friction", default: toss.friction, in: .distance)
        toss.returnDelay = try table.number(
            "return_delay", default: toss.returnDelay, in: .duration)
        toss.returnDuration = try table.number(
            "return_duration", default: toss.returnDuration, in: .duration)
        return .toss(toss)
    }
}
