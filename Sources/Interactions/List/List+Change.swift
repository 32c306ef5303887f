package import Geometry
import Gestures
import Motion

/// How a list becomes what another scene says of it.
extension List {
    /// An open row stays so, unless it is gone: then it closes at once. An offset beyond the
    /// bounds goes the scroll's own way back.
    package mutating func adapt(
        to parameters: ListParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters || viewport != self.viewport else { return }
        let former = ShownViews(self)
        let formerRows = rows.listed
        let isOther = rows.adapt(to: parameters, from: self.parameters)
        if isOther || parameters.rowHeight != self.parameters.rowHeight { shifts = RowShifts() }
        self.parameters = parameters
        self.viewport = viewport
        if isOther, let formerRows, let next = rows.listed {
            followRows(from: formerRows, to: next, into: &effects)
        }
        let count = rows.count
        if let row = selected, row >= count { selected = nil }
        leave(where: { $0 >= count }, into: &effects)
        redirectWay(at: now)
        scroller.adapt(
            to: offsets, extent: viewport.height, isPlaced: scrollDeadline != nil)
        cutWhatStands(otherwiseThan: former)
        effects.needsPublish = true
    }

    /// Where the content may rest.
    var offsets: ClosedRange<Double> { parameters.offsets(of: rows.count, in: viewport) }

    /// The scene lists other rows: what is open, selected or seen stays with its row, by its id.
    private mutating func followRows(
        from former: ListedRows, to next: ListedRows, into effects: inout Effects
    ) {
        func place(of row: Int) -> Int? { next.place(of: former[row].id) }
        if scroller.offset > 0 {
            let top = Int(min(scroller.offset / parameters.rowHeight, Double(former.count)))
            let seen = top..<min(former.count, top + Self.shownRowsMax)
            for row in seen {
                guard let place = place(of: row) else { continue }
                let way = Double(place - row) * parameters.rowHeight
                if way != 0 { scroller.translate(by: way) }
                break
            }
        }
        leave(where: { place(of: $0) == nil }, into: &effects)
        if let row = selected, place(of: row) == nil { selected = nil }
        renumber { place(of: $0) ?? $0 }
    }

    /// Cuts the views that are elsewhere, or gone.
    mutating func cutWhatStands(otherwiseThan former: ShownViews) {
        for name in former.placedAnew(in: ShownViews(self)) {
            switch name {
            case .plain(let view), .identified(let view, _): cuts.grow(view)
            case .numbered(Self.leavingMenu.description, let row): menuCuts.grow(row)
            case .numbered(_, let row): rowCuts.grow(row)
            }
        }
    }

    /// A row that slides out goes on, as far as the frame is wide now.
    private mutating func redirectWay(at now: Step) {
        guard case .opening(let opened, let way) = state else { return }
        let target = opened.side.sign * viewport.width
        state = .opening(opened, way.redirected(to: target, at: now))
    }

    /// Rows that are gone close at once.
    mutating func leave(where isGone: (Int) -> Bool, into effects: inout Effects) {
        arrive(where: { isGone($0.opened.row) }, into: &effects)
        switch state {
        case .closed: break
        case .open(let opened):
            guard isGone(opened.row) else { break }
            state = .closed
            effects.transitions.append(closing(opened, .began, nil))
            effects.transitions.append(closing(opened, .ended, nil))
        case .opening(let opened, let way):
            guard isGone(opened.row) else { break }
            state = .closed
            effects.transitions.append(opening(opened, .cancelled, way))
            effects.transitions.append(closing(opened, .began, nil))
            effects.transitions.append(closing(opened, .ended, nil))
        case .closing(let opened, let bounce):
            guard isGone(opened.row) else { break }
            state = .closed
            effects.transitions.append(closing(opened, .ended, bounce))
        }
    }
}
