import Geometry
import Gestures
import Motion
import Notation

/// How rows open and close, and what their menus offer.
extension List {
    // MARK: Opening

    /// Throws where rows do not open to that side.
    func check(_ side: Side) throws(Rejection) {
        guard parameters.side.allows(side) else {
            throw Rejection(
                .badValue,
                parameters.side == .none
                    ? "the rows of this list do not open: its side is \"none\""
                    : "rows open to the \(parameters.side.rawValue) only, not \(side.rawValue)")
        }
    }

    /// A row that still makes way opens from where it is.
    mutating func open(_ target: Opened, at now: Step, into effects: inout Effects) {
        var (x, velocity) = (0.0, 0.0)
        if let place = leaving.rows.firstIndex(where: { $0.opened.row == target.row }) {
            let former = leaving.rows.remove(at: place)
            x = former.bounce.value(at: now)
            velocity = former.bounce.velocity(at: now)
            menuCuts.grow(former.opened.row)
            effects.transitions.append(closing(former.opened, .cancelled, former.bounce))
        }
        let way = Animation(
            from: x, to: target.side.sign * viewport.width, velocity: velocity, begin: now,
            pace: parameters.spring.pace(.easeInOut, seconds: parameters.duration))
        if way.end <= now { rowCuts.grow(target.row) }
        state = .opening(target, way)
        shownStep = now
        effects.transitions.append(opening(target, .began, way))
        effects.needsPublish = true
    }

    // MARK: Closing

    mutating func closeIfOpen(at now: Step, into effects: inout Effects) {
        switch state {
        case .closed, .opening, .closing: break
        case .open(let opened): close(opened, at: now, into: &effects)
        }
    }

    /// Closes with a bounce.
    mutating func close(_ opened: Opened, at now: Step, into effects: inout Effects) {
        let bounce = bounce(of: opened, at: now)
        if bounce.end <= now { rowCuts.grow(opened.row) }
        state = .closing(opened, bounce)
        shownStep = now
        effects.transitions.append(closing(opened, .began, bounce))
        effects.needsPublish = true
    }

    mutating func closeAtOnce(_ opened: Opened, into effects: inout Effects) {
        state = .closed
        rowCuts.grow(opened.row)
        cuts.grow("menu")
        effects.transitions.append(closing(opened, .began, nil))
        effects.transitions.append(closing(opened, .ended, nil))
        effects.needsPublish = true
    }

    /// Lets another row open, with the menu. A menu of its own goes with the row that makes way.
    mutating func makeWay(_ opened: Opened, at now: Step, into effects: inout Effects) {
        let bounce = bounce(of: opened, at: now)
        guard parameters.others == .animated, now < bounce.end else {
            closeAtOnce(opened, into: &effects)
            return
        }
        if leaving.rows.count == Self.leavingMax, let oldest = leaving.rows.first {
            arriveAtOnce(where: { $0 == oldest }, into: &effects)
        }
        leaving.rows.append(Leaving(opened: opened, bounce: bounce))
        cuts.grow("menu")
        effects.transitions.append(closing(opened, .began, bounce))
    }

    /// Rows that made way are home.
    mutating func arrive(where isHome: (Leaving) -> Bool, into effects: inout Effects) {
        // None is the usual case, and costs nothing.
        guard leaving.rows.contains(where: isHome) else { return }
        for row in leaving.rows where isHome(row) {
            menuCuts.grow(row.opened.row)
            effects.transitions.append(closing(row.opened, .ended, row.bounce))
        }
        leaving.rows.removeAll(where: isHome)
        effects.needsPublish = true
    }

    /// Rows that make way are home sooner than they would come there.
    mutating func arriveAtOnce(where isHome: (Leaving) -> Bool, into effects: inout Effects) {
        for row in leaving.rows where isHome(row) { rowCuts.grow(row.opened.row) }
        arrive(where: isHome, into: &effects)
    }

    private func bounce(of opened: Opened, at now: Step) -> Bounce {
        if let spring = parameters.spring?.spring {
            return Bounce(from: opened.side.sign * viewport.width, on: spring, begin: now)
        }
        return Bounce(
            from: opened.side.sign * viewport.width, by: opened.side.sign * parameters.bounce,
            begin: now, duration: parameters.duration)
    }

    // MARK: The menu

    /// The menu of a row: its own, or the list's.
    func menu(of row: Int) -> [ListParameters.Action] {
        rows.listed?[row].menu ?? parameters.menu
    }

    /// The action whose share of the row's width is there; nil: the menu has none.
    func action(at x: Double, of row: Int) -> String? {
        let menu = menu(of: row)
        guard !menu.isEmpty else { return nil }
        let place = (x / (viewport.width / Double(menu.count))).rounded(.down)
        return menu[Int(min(max(0, place), Double(menu.count - 1)))].id
    }

    /// The row that a command names: by its number, or by its id.
    func row(of command: ComponentCommand) throws(Rejection) -> Int {
        let target = try command.read { (table) throws(TableError) -> Target in
            guard table.node("item") != nil else {
                try table.require("row")
                return .row(try table.whole("row", default: 0, in: 0...List.rowsMax))
            }
            guard table.node("row") == nil else {
                throw table.error("item", "cannot stand beside row")
            }
            return .row(try place(of: "item", in: &table))
        }
        return try row(at: target)
    }

    /// The action that a command names; nil: none.
    func action(of command: ComponentCommand) throws(Rejection) -> String? {
        try command.read { (table) throws(TableError) in
            guard let id = try table.name("action") else { return nil }
            var menu = parameters.menu
            if case .open(let opened) = state { menu = self.menu(of: opened.row) }
            guard menu.contains(where: { $0.id == id }) else {
                let known = knownNames(nearestTo: id, among: menu.map(\.id))
                throw table.error(
                    "action", "the menu has no action \"\(TableReader.shortened(id))\", \(known)")
            }
            return id
        }
    }

    /// Tells of the choice, and closes the row.
    mutating func choose(
        _ action: String, on opened: Opened, at now: Step, into effects: inout Effects
    ) {
        let row = Transition.Row(opened.row, action: action)
        effects.tellAtOnce(Transition("action", .began, row: row))
        close(opened, at: now, into: &effects)
    }

    // MARK: Transitions

    func opening(
        _ opened: Opened, _ event: Transition.Event, _ way: Animation
    ) -> Transition {
        Transition(
            "open", event, duration: way.duration, curve: way.curve, row: Transition.Row(opened))
    }

    /// Without a bounce it closes at once.
    func closing(
        _ opened: Opened, _ event: Transition.Event, _ bounce: Bounce?
    ) -> Transition {
        Transition(
            "close", event, duration: bounce?.duration ?? 0, curve: bounce?.curve,
            row: Transition.Row(opened))
    }
}

extension Transition.Row {
    fileprivate init(_ opened: List.Opened) {
        self.init(opened.row, direction: opened.side.rawValue)
    }
}

extension ListParameters.Sides {
    fileprivate func allows(_ side: List.Side) -> Bool {
        switch self {
        case .both: true
        case .left: side == .left
        case .right: side == .right
        case .none: false
        }
    }
}

/// The rows that bounce home while others are out of their places, the oldest first.
struct LeavingRows: Hashable, Sendable, Codable {
    var rows: [List.Leaving] = []
}

// A list that was encoded before rows made way has none; one without any writes none.

extension KeyedDecodingContainer {
    func decode(_: LeavingRows.Type, forKey key: Key) throws -> LeavingRows {
        try decodeIfPresent(LeavingRows.self, forKey: key) ?? LeavingRows()
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ leaving: LeavingRows, forKey key: Key) throws {
        if !leaving.rows.isEmpty { try encodeIfPresent(leaving, forKey: key) }
    }
}
