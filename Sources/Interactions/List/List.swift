package import Geometry
package import Gestures
import Motion
package import Notation

/// `list`: rows that a swipe opens (Twitter).
///
/// A swipe finds its row by the offset that the list shows, opens it, and closes any other; the
/// shared `Scroller` moves the offset. The machine alone decides which row is open; `List+Views`
/// shows the rows. Safe to change: times and styles in `ListParameters`. The order of transitions
/// is on the wire.
package struct List: Machine {
    package static let kind = "list"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Rows: of usual height they reach as far as coordinates do, and beyond.
    package static let rowsMax = 1_000_000
    /// Rows with ids: what a command on one of them looks through in some microseconds.
    package static let listedRowsMax = 10_000
    /// Rows that have a view: those of any screen, and few enough that a state stays small where
    /// a row is no higher than a line.
    package static let shownRowsMax = 256
    /// Actions of a menu: more have no room in a row.
    package static let actionsMax = 16
    /// Changes of the rows whose ways and fades still go on, of each sort: two at each step of
    /// their 0.3 s. Each row that shows looks at all of them at each step.
    package static let changesInMotionMax = 72
    /// Rows that bounce home while others are out of their places. A bounce lasts as long as three
    /// rows take to open.
    package static let leavingMax = 4

    private enum Action: String, CaseIterable {
        case action, select, deselect
        case scrollToTop = "scroll-to-top"
        case insert, remove, move
    }

    package struct Saved: SavedValue {
        package var selected: Int?
        /// Nil: the rows are the scene's.
        package var rows: SavedRows?

        private enum CodingKeys: String, CodingKey { case selected, rows }

        package init(selected: Int?, rows: SavedRows? = nil) {
            self.selected = selected
            self.rows = rows
        }

        package init(_ table: inout TableReader) throws(TableError) {
            if table.has("selected") { selected = try table.whole("selected", in: .exact) }
            rows = try table.decoded("rows", SavedRows.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var table = encoder.container(keyedBy: CodingKeys.self)
            try table.encode(selected, forKey: .selected)
            try table.encodeIfPresent(rows, forKey: .rows)
        }
    }

    /// The side that a row opened to.
    enum Side: String, Hashable, Sendable, Codable {
        case left, right

        init(_ opens: ListParameters.Opens) { self = opens == .left ? .left : .right }

        var sign: Double { self == .left ? -1 : 1 }
    }

    /// A row that is out of its place.
    struct Opened: Hashable, Sendable, Codable {
        var row: Int
        var side: Side
    }

    /// A row that bounces home while another one is out of its place.
    struct Leaving: Hashable, Sendable, Codable {
        var opened: Opened
        var bounce: Bounce
    }

    /// The long ones stand apart: a list at rest needs no room for them.
    enum State: Hashable, Sendable, Codable {
        /// Every row in its place. Can become: `opening`.
        case closed
        /// A row slides out. Can become: `open`.
        indirect case opening(Opened, Animation)
        /// A row is out and its menu shows. Can become: `closing`, `opening`, `closed`.
        case open(Opened)
        /// It bounces home. Can become: `closed`.
        indirect case closing(Opened, Bounce)
    }

    var parameters: ListParameters
    var viewport: Size
    var rows: ListRows
    /// The ways of rows that make place for others.
    var shifts = RowShifts()
    var state = State.closed
    /// The rows that make way for others, the oldest first.
    var leaving = LeavingRows()
    /// The row that was tapped last.
    var selected: Int?
    /// Moves the content; where its offset may change, only by `moveContent` and `placeContent`.
    var scroller: Scroller
    var rowCuts = RowCuts()
    /// The open row's menu's.
    var cuts = ViewCuts()
    /// Those of the menus that go with rows that make way.
    var menuCuts = RowCuts()
    /// The step at which the client's open scroll counts as lost; nil: none is open.
    var scrollDeadline: Step?
    /// The step whose state is shown.
    var shownStep = Step.zero

    package init(
        _ parameters: ListParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        self.viewport = viewport
        rows = ListRows(parameters)
        scroller = Scroller(
            bounds: parameters.offsets(of: parameters.rows, in: viewport), extent: viewport.height)
    }

    package var recognizers: Recognizers {
        parameters.side == .none ? [.tap, .scroll] : [.swipe, .tap, .scroll]
    }

    // MARK: Events

    package mutating func swipe(_ swipe: Swipe, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let swiped = try Self.side(swipe.direction)
        let target = Opened(
            row: try row(at: swipe.target), side: parameters.opens.map(Side.init) ?? swiped)
        switch state {
        case .opening, .closing: throw animating
        case .closed: try check(swiped)
        case .open(let opened):
            guard opened.row != target.row else {
                close(opened, at: now, into: &effects)
                return
            }
            try check(swiped)
            makeWay(opened, at: now, into: &effects)
        }
        open(target, at: now, into: &effects)
    }

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let row = try row(at: target)
        if case .open(let opened) = state, opened.row == row, case .point(let point) = target,
            let action = action(at: point.x, of: row)
        {
            choose(action, on: opened, at: now, into: &effects)
            return
        }
        select(row, into: &effects)
        closeIfOpen(at: now, into: &effects)
    }

    private mutating func select(_ row: Int, into effects: inout Effects) {
        if selected != row { effects.needsPublish = true }
        selected = row
        effects.tellAtOnce(
            Transition("select", .began, row: Transition.Row(row, item: id(of: row))))
    }

    private mutating func deselect(into effects: inout Effects) {
        if selected != nil { effects.needsPublish = true }
        selected = nil
    }

    package mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch scroll.phase {
        case .began: closeIfOpen(at: now, into: &effects)
        case .changed, .ended, .cancelled:
            guard scrollDeadline != nil else { throw .notOpen(scroll.phase) }
        }
        let isJump = scroll.phase == .began && scroller.jumps(to: scroll.offset)
        let former = isJump ? ShownViews(self) : nil
        switch scroll.phase {
        case .began, .changed: scrollDeadline = now + Silence.stepsMax
        case .ended, .cancelled: scrollDeadline = nil
        }
        if scroller.offset != scroll.offset { effects.needsPublish = true }
        moveContent { $0.set(scroll.offset) }
        if let former { cutWhatStands(otherwiseThan: former) }
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
        if moveContent({ $0.drag(drag, time: time) }) { effects.needsPublish = true }
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let name = try Self.action(Action.self, of: command)
        switch name {
        case .select: return select(try row(of: command), into: &effects)
        case .deselect: return deselect(into: &effects)
        case .insert: return try insert(command, at: now, into: &effects)
        case .remove: return try remove(command, at: now, into: &effects)
        case .move: return try move(command, at: now, into: &effects)
        case .action, .scrollToTop: break
        }
        switch state {
        case .opening, .closing: throw animating
        case .closed, .open: break
        }
        switch name {
        case .select, .deselect, .insert, .remove, .move: break
        case .action:
            let action = try action(of: command)
            guard case .open(let opened) = state else {
                guard action == nil else {
                    throw Rejection(.outOfOrder, "there is no open row")
                }
                return
            }
            if let action {
                choose(action, on: opened, at: now, into: &effects)
            } else {
                close(opened, at: now, into: &effects)
            }
        case .scrollToTop:
            if case .open(let opened) = state { closeAtOnce(opened, into: &effects) }
            arriveAtOnce(where: { _ in true }, into: &effects)
            placeContent(at: 0, into: &effects)
        }
    }

    /// A row that bounces home is closed already.
    package func repeats(_ command: ComponentCommand) -> Bool {
        guard command.name == Action.action.rawValue, case .closing = state else { return false }
        return !command.arguments.contains { $0.name == "action" }
    }

    // MARK: Saving

    package var saved: Saved { Saved(selected: selected, rows: rows.saved) }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        if let former = saved.rows {
            if let scene = parameters.listed, let listed = former.rows(of: scene) {
                rows.take(listed, version: former.version)
                scroller.adapt(to: offsets, extent: viewport.height)
            } else {
                rows.goOn(after: former.version)
            }
        }
        selected = saved.selected.flatMap { (0..<rows.count).contains($0) ? $0 : nil }
    }

    // MARK: Time

    package var nextTimer: Step? {
        var next = silenceEnd
        func consider(_ step: Step) { next = min(next ?? step, step) }
        switch state {
        case .closed, .open: break
        case .opening(_, let way): consider(way.end)
        case .closing(_, let bounce): consider(bounce.end)
        }
        for row in leaving.rows { consider(row.bounce.end) }
        if let end = shifts.end { consider(end) }
        return next
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        endSilence(at: now)
        if !shifts.isEmpty, shifts.finish(at: now) { effects.needsPublish = true }
        arrive(where: { $0.bounce.end <= now }, into: &effects)
        switch state {
        case .closed, .open: break
        case .opening(let opened, let way):
            guard way.end <= now else { break }
            state = .open(opened)
            effects.transitions.append(opening(opened, .ended, way))
            effects.needsPublish = true
        case .closing(let opened, let bounce):
            guard bounce.end <= now else { break }
            state = .closed
            cuts.grow("menu")
            effects.transitions.append(closing(opened, .ended, bounce))
            effects.needsPublish = true
        }
    }

    package var isMoving: Bool {
        switch state {
        case .closed, .open:
            scroller.isCoasting || !leaving.rows.isEmpty || !shifts.isEmpty
        case .opening, .closing: true
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        if shifts.isEmpty {
            shownStep = now
            _ = moveContent { $0.step() }
        } else {
            moveRows { list in
                list.shownStep = now
                _ = list.scroller.step()
            }
        }
        effects.keepsSchedule = isMoving
        return true
    }

    // MARK: Decisions

    /// Moves the content: each row that it takes out of the frame has left.
    mutating func moveContent<Result>(_ move: (inout Scroller) -> Result) -> Result {
        if !shifts.isEmpty { return moveRows { move(&$0.scroller) } }
        let former = shownRows
        let result = move(&scroller)
        let shown = shownRows
        let (above, below) = (
            min(former.upperBound, shown.lowerBound), max(former.lowerBound, shown.upperBound)
        )
        if former.lowerBound < above { rowCuts.grow(former.lowerBound..<above) }
        if below < former.upperBound { rowCuts.grow(below..<former.upperBound) }
        return result
    }

    /// Puts the content elsewhere at once: no row that showed moves there.
    private mutating func placeContent(at offset: Double, into effects: inout Effects) {
        var isOwn = scroller.isOwn
        if scroller.offset != offset {
            cutShownRows()
            effects.needsPublish = true
            // A client that shows another offset need not have heard of it.
            isOwn = true
        }
        scroller.set(offset)
        scroller.isOwn = isOwn
    }

    var animating: Rejection { Rejection(.busy, "a row is \(phase)") }
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

    func row(at target: Target) throws(Rejection) -> Int {
        switch target {
        case .row(let row):
            guard row >= 0 && row < rows.count else {
                throw Rejection(.badValue, "row \(row) is not one of \(rows.count)")
            }
            return row
        case .point(let point):
            // Compared as doubles: the quotient may be beyond `Int`.
            let row = ((point.y + scroller.offset) / parameters.rowHeight).rounded(.down)
            guard point.x >= 0, point.x <= viewport.width, row >= 0,
                row < Double(rows.count)
            else { throw Rejection(.badValue, "there is no row at (\(point.x), \(point.y))") }
            return Int(row)
        case .index: throw Rejection(.missingField, "keys x and y, or key row: are required")
        }
    }
}
