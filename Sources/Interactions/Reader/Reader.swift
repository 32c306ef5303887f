package import Geometry
package import Gestures
import Motion
package import Notation

/// `reader`: pull to the previous or the next article (Reeder).
///
/// A pull beyond either end moves the header or the footer; a release beyond it turns the page.
/// `ReaderMotion` moves the two pages, `Reader+Views` shows them, the machine decides which page is
/// shown. Safe to change: distances and times in `ReaderParameters`.
package struct Reader: Machine {
    package static let kind = "reader"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Pages that are merely counted.
    package static let pagesMax = 1_000_000
    /// Pages that have titles.
    package static let titlesMax = 1_024

    private enum Action: String, CaseIterable { case next, previous }

    package struct Saved: SavedValue {
        package var index: Int

        package init(index: Int) { self.index = index }

        package init(_ table: inout TableReader) throws(TableError) {
            try table.require("index")
            index = try table.whole("index", default: 0, in: .exact)
        }
    }

    enum State: Hashable, Sendable, Codable {
        /// The page stands at offset 0. Can become: `dragging`, `paging`.
        case resting
        /// A finger or a wheel pulls it. Can become: `resting`, `returning`, `paging`.
        case dragging(Pull)
        /// It springs back, or a contact holds it on its way. Can become: all others.
        case returning(Scroller)
        /// A neighbour comes in. Can become: `resting`.
        case paging(Paging)
    }

    /// The source of a pull.
    enum Pull: Hashable, Sendable, Codable {
        /// The client's own scroll view.
        case client(ClientScroll)
        /// A raw contact, by our rubber band.
        case contact(Scroller)
        /// A wheel, by the same one.
        case wheel(Scroller)

        var offset: Double {
            switch self {
            case .client(let scroll): scroll.offset
            case .contact(let scroller), .wheel(let scroller): scroller.offset
            }
        }
    }

    var parameters: ReaderParameters
    var index: Int
    var state = State.resting
    /// The header's arrow points down, π, until the header is loaded.
    var header = PullBar("header", unloaded: Double.pi, loaded: 0)
    var footer = PullBar("footer", unloaded: 0, loaded: Double.pi)
    var cuts = ViewCuts()
    /// The wheel's last stroke without phases; nil: none yet.
    var stroke: WheelStroke?
    /// The step whose state is shown.
    var shownStep = Step.zero

    package init(
        _ parameters: ReaderParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        index = parameters.start
    }

    package var recognizers: Recognizers { [.scroll] }

    // MARK: Scrolls

    package mutating func scroll(
        _ scroll: Scroll, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch (scroll.phase, state) {
        case (_, .paging): throw Self.pagingRejection
        case (.began, .resting), (.began, .dragging), (.began, .returning):
            let client = ClientScroll(scroll, time: time, at: now)
            takeUp(client, at: now, into: &effects)
        case (.changed, .dragging(.client(var client))):
            let before = offset
            // Frees the state's reference to the samples: appending would copy them all. So below.
            state = .resting
            client.follow(scroll, time: time, at: now)
            pullOn(.client(client), from: before, at: now, into: &effects)
        case (.ended, .dragging(.client(let client))):
            load(at: scroll.offset, at: now, into: &effects)
            let velocity = client.velocity(endingWith: scroll, time: time)
            release(springing(from: scroll.offset, velocity), at: now, into: &effects)
        case (.cancelled, .dragging(.client(let client))):
            let velocity = client.velocity(endingWith: scroll, time: time)
            cancel(springing(from: scroll.offset, velocity), at: now, into: &effects)
        case (.changed, .resting), (.changed, .dragging(.contact)), (.changed, .returning),
            (.ended, .resting), (.ended, .dragging(.contact)), (.ended, .returning),
            (.cancelled, .resting), (.cancelled, .dragging(.contact)), (.cancelled, .returning),
            (.changed, .dragging(.wheel)), (.ended, .dragging(.wheel)),
            (.cancelled, .dragging(.wheel)):
            throw .notOpen(scroll.phase)
        }
    }

    package mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch (drag.phase, state) {
        case (_, .paging): throw Self.pagingRejection
        case (.began, .resting), (.began, .dragging(.client)):
            var scroller = Scroller(bounds: 0...0, extent: height, offset: offset)
            _ = scroller.drag(drag, time: time)
            pull(.contact(scroller), at: now, into: &effects)
        case (.began, .dragging(.contact(var scroller))), (.began, .returning(var scroller)),
            (.began, .dragging(.wheel(var scroller))):
            _ = scroller.drag(drag, time: time)
            pull(.contact(scroller), at: now, into: &effects)
        case (.changed, .dragging(.contact(var scroller))):
            let before = offset
            state = .resting
            _ = scroller.drag(drag, time: time)
            pullOn(.contact(scroller), from: before, at: now, into: &effects)
        case (.ended, .dragging(.contact(var scroller))):
            _ = scroller.drag(drag, time: time)
            load(at: scroller.offset, at: now, into: &effects)
            release(scroller, at: now, into: &effects)
        case (.cancelled, .dragging(.contact(var scroller))):
            // A cancelled page springs back with its velocity, as an ended one does.
            var end = drag
            end.phase = .ended
            _ = scroller.drag(end, time: time)
            cancel(scroller, at: now, into: &effects)
        case (.changed, .resting), (.changed, .dragging(.client)), (.changed, .returning),
            (.ended, .resting), (.ended, .dragging(.client)), (.ended, .returning),
            (.cancelled, .resting), (.cancelled, .dragging(.client)), (.cancelled, .returning),
            (.changed, .dragging(.wheel)), (.ended, .dragging(.wheel)),
            (.cancelled, .dragging(.wheel)):
            throw .notOpen(drag.phase)
        }
    }

    // MARK: Commands

    /// `next` and `previous`. While a page moves the answer is `busy`, even if no neighbour exists.
    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let way: Paging.Way =
            switch try Self.action(Action.self, of: command) {
            case .next: .next
            case .previous: .previous
            }
        switch state {
        case .dragging: throw Rejection(.busy, "a finger or a wheel holds the page")
        case .paging: throw Self.pagingRejection
        case .resting, .returning: break
        }
        guard hasNeighbour(way) else {
            throw Rejection(.badValue, "page \(index) has no \(command.name) one")
        }
        page(way, at: now, into: &effects)
    }

    static let pagingRejection = Rejection(.busy, "a page is coming in")

    // MARK: Saving

    package var saved: Saved {
        if case .paging(let paging) = state { return Saved(index: neighbour(paging.way)) }
        return Saved(index: index)
    }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        index = min(max(0, saved.index), parameters.pages.count - 1)
    }

    // MARK: Time

    package var nextTimer: Step? {
        var next = min(header.end ?? .never, footer.end ?? .never)
        switch state {
        case .resting, .returning, .dragging(.contact): break
        case .dragging(.client(let client)): next = min(next, client.deadline)
        case .dragging(.wheel(let scroller)):
            next = min(next, scroller.wheelDeadline ?? .never)
        case .paging(let paging): next = min(next, paging.end)
        }
        return next == .never ? nil : next
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        header.fire(at: now, parameters.pace, into: &effects)
        footer.fire(at: now, parameters.pace, into: &effects)
        switch state {
        case .resting, .returning, .dragging(.contact): break
        case .dragging(.client(let client)):
            guard client.deadline <= now else { break }
            cancel(springing(from: client.offset, 0), at: now, into: &effects)
        case .dragging(.wheel(let scroller)): fireWheel(scroller, at: now, into: &effects)
        case .paging(let paging):
            guard paging.end <= now else { break }
            arrive(paging, at: now, into: &effects)
        }
    }

    package var isMoving: Bool {
        if header.isTurning || footer.isTurning { return true }
        switch state {
        case .resting, .dragging: return false
        case .returning(let scroller): return scroller.isCoasting
        case .paging(let paging): return !paging.isHeld
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        guard case .returning(var scroller) = state else { return true }
        _ = scroller.step()
        state = scroller.isResting ? .resting : .returning(scroller)
        effects.keepsSchedule = isMoving
        return true
    }

    // MARK: Decisions

    /// Begins a pull, and loads a bar that is pulled far enough.
    mutating func pull(_ pull: Pull, at now: Step, into effects: inout Effects) {
        if !isDragging { effects.needsPublish = true }
        pullOn(pull, from: offset, at: now, into: &effects)
    }

    /// Goes on with a pull that showed the offset `before`.
    mutating func pullOn(
        _ pull: Pull, from before: Double, at now: Step, into effects: inout Effects
    ) {
        if pull.offset != before { effects.needsPublish = true }
        state = .dragging(pull)
        load(at: pull.offset, at: now, into: &effects)
    }

    private var isDragging: Bool {
        if case .dragging = state { return true }
        return false
    }

    mutating func load(at offset: Double, at now: Step, into effects: inout Effects) {
        setBars(
            header: hasNeighbour(.previous) && offset < -parameters.headerHeight,
            footer: hasNeighbour(.next) && offset > parameters.footerHeight, at: now,
            into: &effects)
    }

    /// Loads or unloads the bars. Nobody is told of one that is hidden.
    mutating func setBars(
        header isHeader: Bool, footer isFooter: Bool, at now: Step, into effects: inout Effects
    ) {
        shownStep = now
        let pace = parameters.pace
        if !hasNeighbour(.previous) {
            header.hide(pace, into: &effects)
        } else if header.set(isHeader, at: now, pace, into: &effects) {
            cuts.grow("header_arrow")
        }
        if !hasNeighbour(.next) {
            footer.hide(pace, into: &effects)
        } else if footer.set(isFooter, at: now, pace, into: &effects) {
            cuts.grow("footer_arrow")
        }
    }

    /// The scroller of a page that was let go: it springs back to 0.
    func springing(from offset: Double, _ velocity: Double) -> Scroller {
        var scroller = Scroller(bounds: 0...0, extent: height, offset: offset)
        scroller.release(at: velocity)
        return scroller
    }

    /// Brings in the neighbour that is loaded, or lets the page spring back.
    mutating func release(
        _ scroller: Scroller, at now: Step, into effects: inout Effects
    ) {
        giveBack(scroller, into: &effects)
        if header.isLoaded {
            page(.previous, at: now, into: &effects)
        } else if footer.isLoaded {
            page(.next, at: now, into: &effects)
        }
    }

    mutating func cancel(
        _ scroller: Scroller, at now: Step, into effects: inout Effects
    ) {
        setBars(header: false, footer: false, at: now, into: &effects)
        giveBack(scroller, into: &effects)
    }

    private mutating func giveBack(_ scroller: Scroller, into effects: inout Effects) {
        state = scroller.isResting ? .resting : .returning(scroller)
        effects.needsPublish = true
    }

    private mutating func page(_ way: Paging.Way, at now: Step, into effects: inout Effects) {
        let paging = Paging(
            way, from: offset, velocity: velocity(of: way), begin: now, pace: parameters.pace)
        if paging.end <= now {
            // The offset is 0 at once, and all that hangs on it is elsewhere.
            for name in ["header", "header_arrow", "footer", "footer_arrow"] { cuts.grow(name) }
        }
        state = .paging(paging)
        shownStep = now
        effects.transitions.append(transition(paging, .began))
        effects.needsPublish = true
    }

    private mutating func arrive(
        _ paging: Paging, at now: Step, into effects: inout Effects
    ) {
        effects.transitions.append(transition(paging, .ended))
        index = neighbour(paging.way)
        state = .resting
        placeAnew(by: paging.way)
        setBars(header: false, footer: false, at: now, into: &effects)
        effects.needsPublish = true
    }

    func transition(_ paging: Paging, _ event: Transition.Event) -> Transition {
        paging.transition(event, from: index, to: neighbour(paging.way), parameters.pace)
    }

    /// The speed of a page that springs back, in ways of the neighbour that is to come in.
    private func velocity(of way: Paging.Way) -> Double {
        guard case .returning(let scroller) = state, case .coasting(let velocity) = scroller.state
        else { return 0 }
        let out = height + parameters.headerHeight
        // The page leaves upwards for the next one, and its offset grows with that.
        return switch way {
        case .next: velocity / (out - offset)
        case .previous: -velocity / (out + offset)
        }
    }

    func neighbour(_ way: Paging.Way) -> Int {
        switch way {
        case .next: index + 1
        case .previous: index - 1
        }
    }

    func hasNeighbour(_ way: Paging.Way) -> Bool {
        neighbour(way) >= 0 && neighbour(way) < parameters.pages.count
    }

    var height: Double { parameters.size.height }

    /// The content's offset as shown, in points.
    var offset: Double {
        switch state {
        case .resting: 0
        case .dragging(let pull): pull.offset
        case .returning(let scroller): scroller.offset
        case .paging(let paging): paging.between(paging.offset, 0, at: shownStep)
        }
    }
}
