package import Geometry
package import Gestures
import Motion
package import Notation

/// `label`: a text or a picture that changes.
///
/// A command shows or hides it, and another scene gives it another text: each fades. A new face
/// fades in while the former one fades out. Safe to change: the duration in `LabelParameters`.
package struct Label: Machine {
    package static let kind = "label"
    package static let commands = Action.allCases.map(\.rawValue)

    private enum Action: String, CaseIterable { case show, hide }

    package struct Saved: SavedValue {
        package var isShown: Bool

        private enum CodingKeys: String, CodingKey { case isShown = "shown" }

        package init(isShown: Bool) { self.isShown = isShown }

        package init(_ table: inout TableReader) throws(TableError) {
            try table.require("shown")
            isShown = try table.bool("shown", default: true)
        }
    }

    /// A text and a picture as they are shown.
    struct Face: Hashable, Sendable, Codable {
        var text: String
        var image: String?
    }

    /// A former face that makes way for the present one.
    struct Change: Hashable, Sendable, Codable {
        var former: Face
        /// How far the present face has come: from 0 to 1.
        var way: Animation
        /// The alpha of the former face when it began.
        var formerAlpha: Double
    }

    var parameters: LabelParameters
    var size: Size
    /// The present face.
    var face: Face
    /// Whether it is shown, or on its way to that.
    var isShown: Bool
    /// The animation of its alpha on that way; nil: it is there.
    var fading: Animation?
    /// Nil: no face changes.
    var change: Change?
    var cuts = ViewCuts()
    /// The step whose state is shown.
    var shownStep = Step.zero

    package init(
        _ parameters: LabelParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        size = viewport
        face = Face(text: parameters.text.shown(nil), image: parameters.image)
        isShown = parameters.isShown
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch try Self.action(Action.self, of: command) {
        case .show: show(true, at: now, into: &effects)
        case .hide: show(false, at: now, into: &effects)
        }
    }

    package func repeats(_ command: ComponentCommand) -> Bool {
        command.name == (isShown ? Action.show : .hide).rawValue
    }

    // MARK: Time

    package var isMoving: Bool { change != nil || fading != nil }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        // Timers alone end what moves.
        effects.keepsSchedule = true
        return true
    }

    package var nextTimer: Step? {
        guard let change else { return fading?.end }
        return min(change.way.end, fading?.end ?? .never)
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        if let change, change.way.end <= now {
            self.change = nil
            cuts.grow("former")
            effects.transitions.append(told("change", .ended, change.way))
        }
        guard let fading, fading.end <= now else { return }
        guard isShown else { return hidden(into: &effects) }
        self.fading = nil
        effects.transitions.append(told("show", .ended, fading))
    }

    // MARK: Saving

    package var saved: Saved { Saved(isShown: isShown) }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        isShown = saved.isShown
    }

    // MARK: Decisions

    /// Shows or hides it, from the alpha that it has.
    mutating func show(_ isShown: Bool, at now: Step, into effects: inout Effects) {
        guard isShown != self.isShown else { return }
        if let fading {
            effects.transitions.append(told(self.isShown ? "show" : "hide", .cancelled, fading))
        }
        let (alpha, velocity) = (wholeAlpha(at: now), fading?.velocity(at: now) ?? 0)
        shownStep = now
        self.isShown = isShown
        let name = isShown ? "show" : "hide"
        fading = parameters.pace.map { pace in
            Animation(
                from: alpha, to: isShown ? 1 : 0, velocity: velocity, begin: now, pace: pace,
                precision: Animation.nearShares)
        }
        effects.transitions.append(told(name, .began, fading))
        effects.needsPublish = true
        if fading != nil { return }
        if isShown {
            cuts.grow("label")
            effects.transitions.append(told(name, .ended))
        } else {
            hidden(into: &effects)
        }
    }

    /// It is not seen any more, and neither is a face that changes.
    private mutating func hidden(into effects: inout Effects) {
        dropChange(into: &effects)
        effects.transitions.append(told("hide", .ended, fading))
        fading = nil
        cuts.grow("label")
    }

    private mutating func dropChange(into effects: inout Effects) {
        guard let change else { return }
        self.change = nil
        cuts.grow("former")
        effects.transitions.append(told("change", .cancelled, change.way))
    }

    /// Takes the face that its parameters give with these values. Another one fades in over the
    /// former one; a hidden label takes it at once.
    package mutating func showTexts(
        _ texts: TextContext?, fades: Bool, at now: Step, into effects: inout Effects
    ) {
        let next = Face(text: parameters.text.shown(texts), image: parameters.image)
        guard next != face else { return }
        let former = face
        face = next
        guard fades else { return }
        let alpha = faceAlpha(at: now)
        dropChange(into: &effects)
        shownStep = now
        cuts.grow("label")
        effects.needsPublish = true
        if isHidden { return }
        guard let pace = parameters.pace else {
            effects.transitions.append(told("change", .began))
            return effects.transitions.append(told("change", .ended))
        }
        let way = Animation(
            from: 0, to: 1, begin: now, pace: pace, precision: Animation.nearShares)
        effects.transitions.append(told("change", .began, way))
        change = Change(
            former: former, way: way, formerAlpha: alpha)
    }

    /// Without a way it happens at once.
    private func told(
        _ name: String, _ event: Transition.Event, _ way: Animation? = nil
    ) -> Transition {
        if parameters.spring != nil, let way {
            return Transition(name, event, duration: way.duration, curve: way.curve)
        }
        return Transition(name, event, duration: parameters.fade, curve: .easeInOut)
    }
}
