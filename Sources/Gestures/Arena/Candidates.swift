import Geometry

/// One finger that presses a control: it taps wherever it lifts, and the control judges the place.
private struct LiftRecognizer: Hashable, Sendable, Codable {}

/// The recognizers that may still win one finger.
struct Candidates: Hashable, Sendable, Codable {
    /// The recognizer that began.
    enum Winner: Hashable, Sendable {
        case pan(PanRecognizer)
        case scroll(PanRecognizer, translation: Double)
        case swipe(Direction)
        case longpress(LongPressRecognizer)
    }

    private var pan: PanRecognizer?
    private var scroll: PanRecognizer?
    private var swipe: SwipeRecognizer?
    private var tap: TapRecognizer?
    private var press: LongPressRecognizer?
    /// Set: lifting taps, wherever the finger has been.
    private var lift: LiftRecognizer?

    init(
        _ recognizers: Recognizers, landed: Vector, at now: Step, _ setting: ContactSetting
    ) {
        if recognizers.contains(.pan) {
            pan = PanRecognizer(.both, landed: landed)
        } else if recognizers.contains(.panAcross) {
            pan = PanRecognizer(.mostlyHorizontal, landed: landed)
        }
        if recognizers.contains(.scroll) {
            // If swipes are possible, the longer distance decides between scrolling and swiping.
            let isMostlyAlong = !recognizers.isDisjoint(with: [.swipe, .mostlyAlong])
            scroll = PanRecognizer(isMostlyAlong ? .mostlyVertical : .vertical, landed: landed)
        }
        if recognizers.contains(.swipe), setting.maySwipe {
            swipe = SwipeRecognizer(landed: landed, at: now)
        }
        if setting.stopsMotion { return }
        if recognizers.contains(.tap) { tap = TapRecognizer(landed: landed) }
        if recognizers.contains(.press) { lift = LiftRecognizer() }
        if recognizers.contains(.longpress) {
            press = LongPressRecognizer(landed: landed, at: now)
        }
    }

    /// The step at which time alone decides; `Step.never` if it does not.
    var deadline: Step { press?.deadline ?? .never }

    /// The finger moved, or was sampled again. If two begin at once, the first in this order wins.
    mutating func moved(to location: Vector, at now: Step, _ setting: ContactSetting) -> Winner? {
        let scale = setting.scale
        _ = press?.moved(to: location, scale: scale)
        _ = tap?.moved(to: location, scale: scale)
        if case .began = pan?.moved(to: location, scale: scale), let pan { return .pan(pan) }
        if case .began(let translation) = scroll?.moved(to: location, scale: scale), let scroll {
            if setting.mayScroll { return .scroll(scroll, translation: translation.y) }
            self.scroll = nil
        }
        if case .recognized(let direction) = swipe?.moved(to: location, at: now, scale: scale) {
            return .swipe(direction)
        }
        return nil
    }

    mutating func waited(at location: Vector, until now: Step) -> Winner? {
        if case .began = press?.waited(at: location, until: now), let press {
            return .longpress(press)
        }
        return nil
    }

    /// Where the finger tapped that landed at one place and lifts at another; nil: it did not.
    mutating func lifted(at location: Vector, landed: Vector) -> Vector? {
        if tap?.lifted() == true { return landed }
        return lift == nil ? nil : location
    }
}

extension Candidates {
    var isSound: Bool {
        pan?.isSound != false && scroll?.isSound != false && swipe?.isSound != false
            && tap?.isSound != false && press?.isSound != false
    }
}
