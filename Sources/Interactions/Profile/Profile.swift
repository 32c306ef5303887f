package import Geometry
package import Gestures
package import Notation

/// `profile`: a header that follows the scroll, with an avatar, a name label and a blur (Twitter).
///
/// A scroll sample or the shared `Scroller` sets the offset, and the offset alone decides every
/// view's place; beside it only the cuts are kept. Safe to change: the distances in
/// `ProfileParameters`.
package struct Profile: Machine {
    package static let kind = "profile"

    package struct Saved: SavedValue {
        /// In points, within the content.
        package var offset: Double

        package init(offset: Double) { self.offset = offset }

        package init(_ table: inout TableReader) throws(TableError) {
            try table.require("offset")
            offset = try table.number("offset", default: 0, in: .finite)
        }
    }

    var parameters: ProfileParameters
    var scroller: Scroller
    var cuts = ViewCuts()

    package init(
        _ parameters: ProfileParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        scroller = Scroller(bounds: parameters.bounds(viewport), extent: viewport.height)
    }

    /// The content's offset as shown, in points.
    private var offset: Double { scroller.offset }

    /// The offset and what lies beyond it, which tell the boundaries that an event passed.
    struct Standing {
        var offset: Double
        var isPulled: Bool
        var isCollapsed: Bool
        var isTitled: Bool
    }

    var standing: Standing {
        Standing(
            offset: offset, isPulled: isPulled, isCollapsed: isCollapsed, isTitled: isTitled)
    }

    // Which of the three boundaries the offset lies beyond.
    private var isPulled: Bool { offset < 0 }
    private var isCollapsed: Bool { offset > parameters.headerStop }
    private var isTitled: Bool { offset > parameters.labelOffset }

    package var recognizers: Recognizers { [.scroll] }
    package var scrollsInAnyOrder: Bool { true }

    // MARK: Events

    /// The client's offset replaces any motion here.
    package mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) {
        let before = standing
        // Its samples have any order: at rest only one that begins tells that another one scrolls.
        let mayJump = scroll.phase == .began || !scroller.isResting
        let former = mayJump && scroller.jumps(to: scroll.offset) ? ShownViews(self) : nil
        scroller.set(scroll.offset)
        guard offset != before.offset else { return }
        effects.needsPublish = true
        reportCrossings(since: before, into: &effects)
        if let former { cutWhatStands(otherwiseThan: former) }
    }

    package mutating func wheel(_ wheel: Wheel, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        guard let part = try scroller.part(of: wheel, at: now) else { return }
        let before = standing
        guard scroller.follow(wheel, as: part) else { return }
        effects.needsPublish = true
        reportCrossings(since: before, into: &effects)
    }

    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        scroller.touch(touch)
    }

    package mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        guard drag.phase == .began || scroller.isDragged else { throw .notOpen(drag.phase) }
        let before = standing
        guard scroller.drag(drag, time: time) else { return }
        effects.needsPublish = true
        reportCrossings(since: before, into: &effects)
    }

    // MARK: Saving

    package var saved: Saved { Saved(offset: scroller.settledOffset) }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        let reach = NumberRange.coordinateMax
        scroller.set(min(max(saved.offset, -reach), reach))
        scroller.set(scroller.settledOffset)
    }

    // MARK: Time

    package var nextTimer: Step? { scroller.wheelDeadline }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        scroller.endWheel(at: now)
    }

    package var isMoving: Bool { scroller.isCoasting }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        let before = standing
        _ = scroller.step()
        effects.keepsSchedule = isMoving
        reportCrossings(since: before, into: &effects)
        return true
    }

    // MARK: Decisions

    /// Reports the boundaries passed since `before`, in the order of passing.
    mutating func reportCrossings(since before: Standing, into effects: inout Effects) {
        let now = standing
        guard
            before.isPulled != now.isPulled || before.isCollapsed != now.isCollapsed
                || before.isTitled != now.isTitled
        else { return }
        if before.isTitled && !now.isTitled { cuts.grow("label") }
        var passed: [Crossing] = []
        passed.append("pull", at: 0, before.isPulled, now.isPulled)
        passed.append("collapse", at: parameters.headerStop, before.isCollapsed, now.isCollapsed)
        passed.append("title", at: parameters.labelOffset, before.isTitled, now.isTitled)
        // The sort is stable: boundaries at one place keep this order.
        passed.sort { $0.boundary < $1.boundary }
        let isTowardsTop = now.offset < before.offset
        for crossing in isTowardsTop ? passed.reversed() : passed {
            effects.transitions.append(
                Transition(crossing.name, crossing.isEntered ? .began : .ended))
        }
    }
}

// MARK: - What is shown

extension Profile {
    package var phase: String {
        if isPulled { return "pulled" }
        if isTitled { return "titled" }
        return isCollapsed ? "collapsed" : "expanded"
    }

    package func model(into sink: inout some StateSink) {
        sink.field("offset", points: offset)
    }

    package func views(into sink: inout some StateSink) {
        let content = Size(parameters.width, parameters.contentHeight)
        let middle = Vector(content.width / 2, content.height / 2 - offset)
        sink.view("content", ViewState(center: middle, size: content, z: -1, cut: cuts["content"]))
        let header = headerView
        sink.view("header", header)
        sink.view("avatar", avatarView)
        if isTitled {
            let labelShift = max(-parameters.labelDistance, parameters.labelOffset - offset)
            let half = Vector(header.size.width, header.size.height) / 2
            let place = parameters.label.center + Vector(0, labelShift) - half
            sink.view(
                "label",
                ViewState(
                    center: header.center + header.scale * place, size: parameters.label.size,
                    scale: header.scale, z: isCollapsed ? 6 : 2, cut: cuts["label"]))
        }
        var blur = header
        blur.cut = cuts["blur"]
        let blurred = (offset - parameters.labelOffset) / parameters.labelDistance
        blur.alpha = min(1, max(0, blurred))
        blur.z = isCollapsed ? 5 : 1
        sink.view("blur", blur)
    }

    private var headerView: ViewState {
        let frame = parameters.header
        var view = ViewState(
            center: frame.center, size: frame.size, z: isCollapsed ? 4 : 0, cut: cuts["header"])
        if offset < 0 {
            // It grows about its center and moves down by half of that: its top edge stays.
            let growth = -offset / frame.size.height
            view.scale = 1 + growth
            view.center.y += frame.size.height * growth / 2
        } else {
            view.center.y -= min(parameters.headerStop, offset)
        }
        return view
    }

    private var avatarView: ViewState {
        let frame = parameters.avatar
        var view = ViewState(
            center: frame.center, size: frame.size, z: 3, cut: cuts["avatar"])
        view.center.y -= offset
        if offset >= 0 {
            // It shrinks to nothing, and not beyond: a negative scale would show it on its head.
            let shrinkage = min(
                1,
                min(parameters.headerStop, offset) / frame.size.height
                    / parameters.avatarSlowdown)
            view.scale = 1 - shrinkage
            view.center.y += frame.size.height * shrinkage / 2
        }
        return view
    }
}

/// A boundary that one event passed.
private struct Crossing {
    var name: String
    /// The offset at which it lies, in points.
    var boundary: Double
    var isEntered: Bool
}

extension [Crossing] {
    fileprivate mutating func append(
        _ name: String, at boundary: Double, _ before: Bool, _ now: Bool
    ) {
        if before != now { append(Crossing(name: name, boundary: boundary, isEntered: now)) }
    }
}

extension Profile {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        scroller.isSound(like: Profile(parameters, viewport: viewport, tracker: tracker).scroller)
    }
}
