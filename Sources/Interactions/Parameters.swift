package import Geometry
package import Gestures

/// The parameters of `tips`, with the written defaults. Lengths in points, durations in seconds.
package struct TipsParameters: Hashable, Sendable {
    package struct Tip: Hashable, Sendable {
        package var title = "No Title"
        package var summary = "No Summary"
        package var image: String?

        package init() {}
    }

    package var tips: [Tip] = []
    package var size = Size(300, 400)
    /// From a tip's center down to the pin that it swings on.
    package var pivotOffset = 500.0
    /// A release at least this far from the middle leaves.
    package var threshold = 100.0
    package var exitDuration = 0.4
    package var snapDamping = 0.5
    package var backdropAlpha = 0.5
    package var fade = 0.3
    /// Whether the tips present themselves at opening.
    package var presented = true

    package init() {}
}

/// The parameters of `toss`. Lengths in points, durations in seconds.
package struct TossParameters: Hashable, Sendable {
    package var frame = Rect(33, 137, 254, 172)
    /// Points per second; a release above it is thrown.
    package var throwingThreshold = 1000.0
    /// The release velocity is divided by it to give the push's magnitude.
    package var velocityPadding = 35.0
    /// Whole radians per second, drawn evenly from this range.
    package var spin = -10...9
    package var friction = 0.2
    package var returnDelay = 0.4
    package var returnDuration = 0.45

    package init() {}
}

/// The parameters of `profile`, in points.
package struct ProfileParameters: Hashable, Sendable {
    package var header: Rect
    package var avatar = Rect(8, 73, 69, 69)
    /// In the header's own coordinates.
    package var label: Rect
    package var headerStop = 40.0
    package var labelOffset = 95.0
    package var labelDistance = 35.0
    package var avatarSlowdown = 1.4
    package var contentHeight = 1200.0

    package init(viewport: Size) {
        header = Rect(0, 0, viewport.width, 107)
        label = Rect(0, 107, viewport.width, 21)
    }
}

/// The parameters of `tabs`. Lengths in points, durations in seconds.
package struct TabsParameters: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package var id: String
        /// Notifications of these kinds make it glow.
        package var glow: [String] = []
        /// Notifications of these kinds show a bubble over it.
        package var bubble: [String] = []

        package init(id: String) { self.id = id }
    }

    /// 1 to 16.
    package var items: [Item] = []
    package var width: Double
    package var height = 44.0
    package var windowHeight: Double
    package var arrow = Size(20, 10)
    package var glowSize = Size(40, 10)
    package var bubbleSize = Size(120, 40)
    package var arrowDuration = 0.2
    package var bubbleFade = 0.5
    /// 0: the bubble stays until it is hidden.
    package var bubbleTimeout = 0.0

    package init(viewport: Size) {
        width = viewport.width
        windowHeight = viewport.height
    }
}

/// What a component is and how it is set: one case for each kind.
package enum ComponentParameters: Hashable, Sendable {
    case tips(TipsParameters)
    case toss(TossParameters)
    case profile(ProfileParameters)
    case tabs(TabsParameters)

    /// The kind's name in scenes.
    package var kind: String {
        switch self {
        case .tips: "tips"
        case .toss: "toss"
        case .profile: "profile"
        case .tabs: "tabs"
        }
    }
}

extension ComponentParameters {
    /// A component of this kind, in its first state.
    package func machine(viewport: Size, tracker: VelocityTracker.Kind) -> any Machine {
        switch self {
        case .tips(let parameters): Tips(parameters, viewport: viewport, tracker: tracker)
        case .toss(let parameters): Toss(parameters, tracker: tracker)
        case .profile(let parameters): Profile(parameters)
        case .tabs(let parameters): Tabs(parameters)
        }
    }
}
