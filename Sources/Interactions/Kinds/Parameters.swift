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

/// The parameters of `navigation`. Durations in seconds, scales as factors.
package struct NavigationParameters: Hashable, Sendable {
    /// The screen that is always at the bottom of the stack.
    package var root: String
    package var duration = 0.3
    /// How long a shrinking screen stays before it starts to shrink.
    package var startDelay = 0.02
    /// How long before its motion's end a leaving screen is removed; at most `duration`.
    package var removalLead = 0.02
    package var scaleInFrom = 0.1
    package var scaleOutTo = 0.01
    /// Commands that may wait while a transition runs.
    package var queue = 8

    package init(root: String) { self.root = root }
}

/// The parameters of `list`. Lengths in points, durations in seconds.
package struct ListParameters: Hashable, Sendable {
    /// What a swiped row does with its menu.
    package enum Style: String, Hashable, Sendable, CaseIterable {
        /// The menu lies behind the row.
        case reveal
        /// The menu pushes the row out.
        case push
    }

    package var rows: Int
    package var rowHeight = 70.0
    package var style = Style.reveal
    /// Of opening, and of each of the three steps of closing.
    package var duration = 0.2
    /// How far a closing row bounces first; then twice as far.
    package var bounce = 5.0

    package init(rows: Int) { self.rows = rows }
}

/// The parameters of `reader`. Lengths in points, durations in seconds.
package struct ReaderParameters: Hashable, Sendable {
    package enum Pages: Hashable, Sendable {
        /// At least 1; titled `Page 1`, `Page 2` …
        case count(Int)
        /// At least one.
        case titles([String])
    }

    package var pages: Pages
    /// The first page shown, from 0.
    package var start = 0
    package var size: Size
    package var headerHeight = 55.0
    package var footerHeight = 55.0
    /// In the header's and the footer's own coordinates.
    package var arrow = Rect(13, 4, 21, 39)
    package var duration = 0.2

    package init(pages: Pages, viewport: Size) {
        self.pages = pages
        size = viewport
    }
}

extension ReaderParameters.Pages {
    package var count: Int {
        switch self {
        case .count(let count): count
        case .titles(let titles): titles.count
        }
    }

    /// The title of a page that exists.
    package func title(_ index: Int) -> String {
        switch self {
        case .count: "Page \(index + 1)"
        case .titles(let titles): titles[index]
        }
    }
}

/// What a component is and how it is set: one case for each kind.
package enum ComponentParameters: Hashable, Sendable {
    case tips(TipsParameters)
    case toss(TossParameters)
    case navigation(NavigationParameters)
    case profile(ProfileParameters)
    case list(ListParameters)
    case reader(ReaderParameters)
    case tabs(TabsParameters)
    case dynamics(WorldParameters)

    /// The kind's name in scenes.
    package var kind: String {
        switch self {
        case .tips: "tips"
        case .toss: "toss"
        case .navigation: "navigation"
        case .profile: "profile"
        case .list: "list"
        case .reader: "reader"
        case .tabs: "tabs"
        case .dynamics: "dynamics"
        }
    }
}

extension ComponentParameters {
    /// A component of this kind, in its first state.
    package func machine(viewport: Size, tracker: VelocityTracker.Kind) -> any Machine {
        switch self {
        case .tips(let parameters): Tips(parameters, viewport: viewport, tracker: tracker)
        case .toss(let parameters): Toss(parameters, tracker: tracker)
        case .navigation(let parameters): Navigation(parameters, viewport: viewport)
        case .profile(let parameters): Profile(parameters, viewport: viewport)
        case .list(let parameters): List(parameters, viewport: viewport)
        case .reader(let parameters): Reader(parameters)
        case .tabs(let parameters): Tabs(parameters)
        case .dynamics(let parameters): World(parameters, tracker: tracker)
        }
    }
}
