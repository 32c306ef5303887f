import Geometry
import Motion
import Notation

extension Navigation {
    /// How one screen replaces another. Raw values are the wire's.
    package enum Style: String, Hashable, Sendable, CaseIterable, Codable {
        case inViaScale = "in-via-scale"
        case outViaScale = "out-via-scale"
        case inFromBottom = "in-from-bottom"
        case outToBottom = "out-to-bottom"
        case inFromTop = "in-from-top"
        case outToTop = "out-to-top"
        case inFromLeft = "in-from-left"
        case outToLeft = "out-to-left"
        case inFromRight = "in-from-right"
        case outToRight = "out-to-right"

        /// Whether the new screen moves over the old one, and not the old one over the new.
        var isArrival: Bool {
            switch self {
            case .inViaScale, .inFromBottom, .inFromTop, .inFromLeft, .inFromRight: true
            case .outViaScale, .outToBottom, .outToTop, .outToLeft, .outToRight: false
            }
        }

        /// From a screen's place towards the side that it slides from or to; nil: it scales.
        private var direction: Vector? {
            switch self {
            case .inViaScale, .outViaScale: nil
            case .inFromBottom, .outToBottom: Vector(0, 1)
            case .inFromTop, .outToTop: Vector(0, -1)
            case .inFromLeft, .outToLeft: Vector(-1, 0)
            case .inFromRight, .outToRight: Vector(1, 0)
            }
        }

        /// The way that a screen slides in a frame, in points; nil: it scales.
        func distance(in frame: Size) -> Double? {
            direction.map { $0.x == 0 ? frame.height : frame.width }
        }

        /// A screen in the midst of its motion: scaled, or so many points off its place.
        func moved(_ screen: ViewState, by motion: Double) -> ViewState {
            var screen = screen
            if let direction {
                screen.center += motion * direction
            } else {
                // A spring that goes beyond its target would turn the screen inside out.
                screen.scale = max(0, motion)
            }
            return screen
        }

        var curve: TimingCurve {
            switch self {
            case .inViaScale: .easeOut
            case .outViaScale: .easeIn
            case .inFromBottom, .outToBottom, .inFromTop, .outToTop, .inFromLeft, .outToLeft,
                .inFromRight, .outToRight:
                .easeInOut
            }
        }
    }

    /// One screen comes in or another goes out.
    struct ScreenChange: Hashable, Sendable, Codable {
        var style: Style
        var from: String
        var to: String
        /// The moving screen's scale, or its distance from its place in points.
        var motion: Animation
        var until: Step
        /// Seconds until then. A transition that was encoded before there were durations in
        /// commands has none.
        var duration: Double?
        /// The screen that lay below the leaving one.
        var below: String?
    }
}

extension Navigation.ScreenChange {
    /// `duration` is the command's own, in seconds; nil: the scene's. A leaving screen is removed
    /// shortly before its motion ends.
    init(
        _ style: Navigation.Style, from: String, to: String, _ duration: Double?,
        _ parameters: NavigationParameters, _ frame: Size, at now: Step
    ) {
        let pace =
            duration.map { .curve(style.curve, seconds: $0) }
            ?? parameters.spring.pace(style.curve, seconds: parameters.duration)
        let distance = style.distance(in: frame)
        func way(_ from: Double, _ to: Double, delay: Double = 0) -> Animation {
            Animation(
                from: from, to: to, begin: now, delay: delay, pace: pace,
                precision: distance == nil ? Animation.nearShares : Animation.nearPoints)
        }
        let motion: Animation
        if style.isArrival {
            motion = way(distance ?? parameters.scaleInFrom, distance == nil ? 1 : 0)
        } else if let distance {
            motion = way(0, distance)
        } else {
            motion = way(1, parameters.scaleOutTo, delay: parameters.startDelay)
        }
        let seconds = motion.duration
        let lead = style.isArrival ? 0 : min(parameters.removalLead, seconds)
        self.init(
            style: style, from: from, to: to, motion: motion,
            until: now.after(seconds: seconds - lead), duration: seconds - lead)
    }

    /// How far the moving screen is on its way to the point from which it grows or to which it
    /// shrinks, from 0 in its place to 1; nil: it slides.
    func shareOfShrinking(at now: Step) -> Double? {
        guard style == .inViaScale || style == .outViaScale else { return nil }
        let small = style.isArrival ? motion.from : motion.to
        guard small != 1 else { return 0 }
        return min(max(0, (1 - motion.value(at: now)) / (1 - small)), 1)
    }

    /// The same in a frame of another size.
    func placed(in frame: Size, before: Size) -> Navigation.ScreenChange {
        guard let distance = style.distance(in: frame), let former = style.distance(in: before)
        else { return self }
        var screenChange = self
        screenChange.motion.from *= distance / former
        screenChange.motion.to *= distance / former
        return screenChange
    }

    var isSound: Bool {
        motion.isSound && Name.isValid(from) && Name.isValid(to) && from != to
            && Self.isSound(duration) && below.map(Name.isValid) != false
    }

    static func isSound(_ duration: Double?) -> Bool {
        duration.map(NumberRange.duration.contains) != false
    }
}
