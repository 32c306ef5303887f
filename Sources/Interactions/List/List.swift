package import Geometry
package import Gestures
import Motion

/// `list`: rows that a swipe opens (Twitter).
///
/// A swipe finds its row by the offset that the list shows, opens it, and closes any other; the
/// shared `Scroller` moves the offset. The machine alone decides which row is open. Safe to change:
/// times and styles in `ListParameters`. The order of transitions is on the wire.
package struct List: Machine {
    package static let kind = "list"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Rows: of usual height they reach as far as coordinates do, and beyond.
    package static let rowsMax = 1_000_000

    private enum Action: String, CaseIterable {
        case action
        case scrollToTop = "scroll-to-top"
    }

    package struct Saved: Codable, Hashable, Sendable {
        package var selected: Int?

        package init(selected: Int?) { self.selected = selected }

        package func encode(to encoder: any Encoder) throws {
            var table = encoder.container(keyedBy: CodingKeys.self)
            try table.encode(selected, forKey: .selected)
        }
    }

    /// The side that a row opened to.
    private enum Side: String, Hashable, Sendable, Codable {
        case left, right

        var sign: Double { self == .left ? -1 : 1 }
    }

    /// A row that is out of its place.
    private struct Opened: Hashable, Sendable, Codable {
        var row: Int
        var side: Side
    }

    private enum State: Hashable, Sendable, Codable {
        /// Every row in its place. Can become: `opening`.
        case closed
        /// A row slides out. Can become: `open`.
        case opening(Opened, Animation)
        /// A row is out and its menu shows. Can become: `closing`, `opening`, `closed`.
        case open(Opened)
        /// It bounces home. Can become: `closed`.
        case closing(Opened, Bounce)
    }

    private let parameters: ListParameters
    private let viewport: Size
    private var state = State.closed
    /// The row that was tapped last.
    private var selected: Int?
    /// Moves the content.
    private var scroller: Scroller
    /// The step at which the client's open scroll counts as lost; nil: none is open.
    private var scrollDeadline: Step?
    /// The step whose state is shown.
    private var shownStep = Step.zero

    package init(
        _ parameters: ListParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        self.viewport = viewport
        let height = Double(parameters.rows) * parameters.rowHeight
        scroller = Scroller(
            bounds: 0...max(0, height - viewport.height), extent: viewport.height)
    }

    package var recognizers: Recognizers { [.swipe, .tap, .scroll] }

    // MARK: Events

    package mutating func swipe(_ swipe: Swipe, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let target = Opened(row: try row(at: swipe.target), side: try Self.side(swipe.direction))
        switch state {
        case .opening, .closing: throw animating
        case .closed: break
        case .open(let opened):
            guard opened.row != target.row else {
                close(opened, at: now, into: &effects)
                return
            }
            closeAtOnce(into: &effects)
        }
        open(target, at: now, into: &effects)
    }

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let row = try row(at: target)
        if selected != row { effects.needsPublish = true }
        selected = row
        closeIfOpen(at: now, into: &effects)
    }

    package mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch scroll.phase {
        case .began: closeIfOpen(at: now, into: &effects)
        case .changed, .ended, .cancelled:
            guard scrollDeadline != nil else { throw .notOpen(scroll.phase) }
        }
        switch scroll.phase {
        case .began, .changed: scrollDeadline = now + Silence.stepsMax
        case .ended, .cancelled: scrollDeadline = nil
        }
        show(scroll.offset, into: &effects)
    }

    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        // A client's open scroll goes on until a contact drags.
        if case .down = touch, scrollDeadline != nil { return }
        scroller.touch(touch)
    }

    package mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch drag.phase {
        case .began:
            // Ends a client's open scroll.
            scrollDeadline = nil
            closeIfOpen(at: now, into: &effects)
        case .changed, .ended, .cancelled:
            // A command may have put the content elsewhere.
            guard scroller.isDragged else { throw .notOpen(drag.phase) }
        }
        if scroller.drag(drag, time: time) { effects.needsPublish = true }
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let action = try command.action(Action.self)
        switch state {
        case .opening, .closing: throw animating
        case .closed: break
        case .open(let opened):
            switch action {
            case .action: close(opened, at: now, into: &effects)
            case .scrollToTop: closeAtOnce(into: &effects)
            }
        }
        switch action {
        case .action: break
        case .scrollToTop: show(0, into: &effects)
        }
    }

    // MARK: Saving

    package var saved: Saved { Saved(selected: selected) }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        selected = saved.selected.flatMap { (0..<parameters.rows).contains($0) ? $0 : nil }
    }

    // MARK: Time

    package var nextTimer: Step? {
        let arrival: Step?
        switch state {
        case .closed, .open: arrival = nil
        case .opening(_, let way): arrival = way.end
        case .closing(_, let bounce): arrival = bounce.end
        }
        guard let arrival, let scrollDeadline else { return arrival ?? scrollDeadline }
        return min(arrival, scrollDeadline)
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        // A lost scroll leaves its last offset.
        if let deadline = scrollDeadline, deadline <= now { scrollDeadline = nil }
        switch state {
        case .closed, .open: break
        case .opening(let opened, let way):
            guard way.end <= now else { break }
            state = .open(opened)
            effects.transitions.append(opening(.ended))
            effects.needsPublish = true
        case .closing(_, let bounce):
            guard bounce.end <= now else { break }
            state = .closed
            effects.transitions.append(closing(.ended))
            effects.needsPublish = true
        }
    }

    package var isMoving: Bool {
        switch state {
        case .closed, .open: scroller.isCoasting
        case .opening, .closing: true
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        _ = scroller.step()
        return true
    }

    // MARK: Decisions

    private mutating func open(_ target: Opened, at now: Step, into effects: inout Effects) {
        let way = Animation(
            from: 0, to: target.side.sign * viewport.width, begin: now,
            duration: parameters.duration)
        state = .opening(target, way)
        shownStep = now
        effects.transitions.append(opening(.began))
        effects.needsPublish = true
    }

    private mutating func closeIfOpen(at now: Step, into effects: inout Effects) {
        switch state {
        case .closed, .opening, .closing: break
        case .open(let opened): close(opened, at: now, into: &effects)
        }
    }

    /// Closes with a bounce.
    private mutating func close(_ opened: Opened, at now: Step, into effects: inout Effects) {
        let bounce = Bounce(
            from: opened.side.sign * viewport.width, by: opened.side.sign * parameters.bounce,
            begin: now, duration: parameters.duration)
        state = .closing(opened, bounce)
        shownStep = now
        effects.transitions.append(closing(.began))
        effects.needsPublish = true
    }

    private mutating func closeAtOnce(into effects: inout Effects) {
        state = .closed
        effects.transitions.append(Transition("close", .began))
        effects.transitions.append(Transition("close", .ended))
        effects.needsPublish = true
    }

    private mutating func show(_ offset: Double, into effects: inout Effects) {
        if scroller.offset != offset { effects.needsPublish = true }
        scroller.set(offset)
    }

    private func opening(_ event: Transition.Event) -> Transition {
        Transition("open", event, duration: parameters.duration, curve: .easeInOut)
    }

    private func closing(_ event: Transition.Event) -> Transition {
        Transition("close", event, duration: 3 * parameters.duration)
    }

    private var animating: Rejection {
        Rejection(.busy, "a row is \(phase)")
    }
}

/// Closes a row in three steps of equal length: near its place, out again, home.
private struct Bounce: Hashable, Sendable, Codable {
    private var near: Animation
    private var far: Animation
    private var home: Animation

    /// From `x` to `bounce`, then to twice `bounce`, then to 0, in points.
    init(from x: Double, by bounce: Double, begin: Step, duration: Double) {
        near = Animation(from: x, to: bounce, begin: begin, duration: duration)
        far = Animation(
            from: bounce, to: 2 * bounce, begin: begin, delay: duration, duration: duration,
            curve: .linear)
        home = Animation(
            from: 2 * bounce, to: 0, begin: begin, delay: 2 * duration, duration: duration,
            curve: .linear)
    }

    var end: Step { home.end }

    func value(at step: Step) -> Double {
        if step < near.end { return near.value(at: step) }
        return step < far.end ? far.value(at: step) : home.value(at: step)
    }
}

// MARK: - Arguments

extension List {
    private static func side(_ direction: Direction) throws(Rejection) -> Side {
        switch direction {
        case .left: .left
        case .right: .right
        case .up, .down:
            throw Rejection(
                .badValue, "a row opens to the left or right, not \(direction.rawValue)")
        }
    }

    private func row(at target: Target) throws(Rejection) -> Int {
        switch target {
        case .row(let row):
            guard row >= 0 && row < parameters.rows else {
                throw Rejection(.badValue, "row \(row) is not one of \(parameters.rows)")
            }
            return row
        case .point(let point):
            // Compared as doubles: the quotient may be beyond `Int`.
            let row = ((point.y + scroller.offset) / parameters.rowHeight).rounded(.down)
            guard point.x >= 0, point.x <= viewport.width, row >= 0,
                row < Double(parameters.rows)
            else { throw Rejection(.badValue, "there is no row at (\(point.x), \(point.y))") }
            return Int(row)
        case .index: throw Rejection(.missingField, "a list needs x and y, or row")
        }
    }
}

// MARK: - What is shown

extension List {
    package var phase: String {
        switch state {
        case .closed: "closed"
        case .opening: "opening"
        case .open: "open"
        case .closing: "closing"
        }
    }

    /// The row that is out of its place, and its distance in points to the right.
    private var displaced: (row: Int, side: Side, x: Double)? {
        switch state {
        case .closed: nil
        case .opening(let opened, let way):
            (opened.row, opened.side, way.value(at: shownStep))
        case .open(let opened):
            (opened.row, opened.side, opened.side.sign * viewport.width)
        case .closing(let opened, let bounce):
            (opened.row, opened.side, bounce.value(at: shownStep))
        }
    }

    package func model(into sink: inout some StateSink) {
        let displaced = self.displaced
        field("row", displaced?.row, into: &sink)
        sink.field("direction", displaced?.side.rawValue)
        field("selected", selected, into: &sink)
        sink.field("offset", points: scroller.offset)
    }

    private func field(_ name: String, _ row: Int?, into sink: inout some StateSink) {
        if let row { sink.field(name, row) } else { sink.null(name) }
    }

    package func views(into sink: inout some StateSink) {
        guard let (row, side, x) = displaced else { return }
        let size = Size(viewport.width, parameters.rowHeight)
        let place = Vector(
            size.width / 2, Double(row) * size.height - scroller.offset + size.height / 2)
        // A pushing menu stands beside the row, on the side that it comes from.
        let menu: Double
        switch parameters.style {
        case .reveal: menu = 0
        case .push: menu = x - side.sign * size.width
        }
        sink.view("menu", ViewState(center: place + Vector(menu, 0), size: size, z: 0))
        sink.view("cell", ViewState(center: place + Vector(x, 0), size: size, z: 1))
    }
}

extension List {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        let rows = 0..<parameters.rows
        guard viewport == self.viewport, selected.map(rows.contains) != false,
            scroller.isSound(like: List(parameters, viewport: viewport, tracker: tracker).scroller)
        else { return false }
        switch state {
        case .closed: return true
        case .open(let opened): return rows.contains(opened.row)
        case .opening(let opened, let way): return rows.contains(opened.row) && way.isSound
        case .closing(let opened, let bounce):
            return rows.contains(opened.row) && bounce.isSound
        }
    }
}

extension Bounce {
    fileprivate var isSound: Bool { near.isSound && far.isSound && home.isSound }
}
