import Geometry
import Gestures

/// A wheel's events without phases, as the fingers on a pad send them.
///
/// Such a source goes on by itself when the fingers have left, and does not tell. Its ways do: they
/// grow shorter and shorter. A browser's wheel is one of these.
struct WheelStroke: Hashable, Sendable, Codable {
    /// Shorter ways, less longer ones, that tell momentum. With fewer, a hand that is not quite
    /// steady does; with more, it is told late.
    private static let shorterMin = 3
    /// An event that is so much longer than the last two belongs to another stroke: frames that
    /// come late tell of two reports at once.
    private static let longerMax = 2.0

    /// The ways of the last two events, in points.
    private var way: Double
    private var former: Double
    private var lastEvent: Step
    private var shorter = 0
    /// Whether the page was let go: what is left of the stroke moves nothing.
    var isOver = false

    init(_ way: Double, at now: Step) {
        (self.way, former) = (way, way)
        lastEvent = now
    }

    var isMomentum: Bool { shorter >= Self.shorterMin }

    /// The stroke with its next event; nil: that one belongs to another stroke.
    func followed(by way: Double, at now: Step) -> WheelStroke? {
        let longest = max(self.way.magnitude, former.magnitude) * Self.longerMax
        guard now - lastEvent < Wheel.pauseSteps, (way < 0) == (self.way < 0),
            way.magnitude <= longest
        else { return nil }
        var stroke = self
        if way.magnitude < self.way.magnitude { stroke.shorter += 1 }
        if way.magnitude > self.way.magnitude { stroke.shorter = max(0, shorter - 1) }
        (stroke.former, stroke.way, stroke.lastEvent) = (self.way, way, now)
        return stroke
    }
}

extension WheelStroke {
    var isSound: Bool {
        way.magnitude <= 1e12 && former.magnitude <= 1e12 && (0...Self.shorterMax).contains(shorter)
    }

    /// More than a stroke of minutes has.
    private static let shorterMax = 1 << 32
}
