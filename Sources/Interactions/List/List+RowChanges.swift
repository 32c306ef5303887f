import Geometry
import Gestures
import Motion
import Notation

/// How rows come, go and move.
///
/// The offset, the open row and the selection stay with their rows. Where the rows above the
/// visible part become more or fewer, the offset follows, so that what is seen stays; where a row
/// comes or goes in sight, those below it make place.
extension List {
    mutating func insert(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let listed = try rowsWithIDs(for: command)
        let room = effects.room
        let (row, place) = try command.read { (table) throws(TableError) -> (ListRow, Int) in
            try table.require("item")
            let node = table.node("item") ?? Node(.null)
            let row = try ListRow(node.withoutLines, path: "key item", origin: nil)
            if let fault = row.fault(among: listed, room: room) { throw fault }
            let place = try table.whole("at", in: 0...listed.count) ?? listed.count
            return (row, place)
        }
        change(at: now, from: place, into: &effects) { list in
            list.rows.change { $0.insert(row, at: place) }
            list.shifts.insert(at: place)
            list.renumber { $0 >= place ? $0 + 1 : $0 }
            let count = list.rows.count
            let way = list.followInsertion(at: place)
            list.makePlace(0..<place, by: way, at: now)
            list.makePlace(place + 1..<count, by: way - list.parameters.rowHeight, at: now)
            if list.isNearFrame(place..<place + 1, before: 0) {
                list.shifts.fadeIn(place, at: now)
            }
        }
    }

    mutating func remove(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        _ = try rowsWithIDs(for: command)
        let place = try command.read { (table) throws(TableError) -> Int in
            try table.require("item")
            return try self.place(of: "item", in: &table)
        }
        leave(where: { $0 == place }, into: &effects)
        if selected == place { selected = nil }
        change(at: now, from: place, into: &effects) { list in
            list.rows.change { _ = $0.remove(at: place) }
            list.shifts.remove(at: place)
            list.renumber { $0 > place ? $0 - 1 : $0 }
            let way = list.followRemoval(at: place)
            list.makePlace(0..<place, by: way, at: now)
            list.makePlace(
                place..<list.rows.count, by: way + list.parameters.rowHeight, at: now)
        }
    }

    mutating func move(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let listed = try rowsWithIDs(for: command)
        let (from, to) = try command.read { (table) throws(TableError) -> (Int, Int) in
            for key in ["item", "at"] { try table.require(key) }
            let from = try self.place(of: "item", in: &table)
            return (from, try table.whole("at", default: 0, in: 0...listed.count - 1))
        }
        guard from != to else { return }
        let (lowest, highest) = (min(from, to), max(from, to))
        change(at: now, from: lowest, into: &effects) { list in
            let height = list.parameters.rowHeight
            let former = list.top(of: from)
            list.rows.change { $0.insert($0.remove(at: from), at: to) }
            list.shifts.move(from, to: to)
            list.renumber { row in
                if row == from { return to }
                if from < to { return row > from && row <= to ? row - 1 : row }
                return row >= to && row < from ? row + 1 : row
            }
            let way = list.followRemoval(at: from) + list.followInsertion(at: to)
            list.makePlace(0..<lowest, by: way, at: now)
            list.makePlace(highest + 1..<list.rows.count, by: way, at: now)
            if from < to {
                list.makePlace(from..<to, by: way + height, at: now)
            } else {
                list.makePlace(to + 1..<from + 1, by: way - height, at: now)
            }
            let points = former - list.top(of: to)
            if list.isNearFrame(to..<to + 1, before: points) {
                list.shifts.move(to, from: points, at: now)
            }
        }
    }

    // MARK: Arguments

    /// The rows of a list that has ids; throws where the scene gives a number of rows.
    private func rowsWithIDs(
        for command: ComponentCommand
    ) throws(Rejection) -> ListedRows {
        guard let listed = rows.listed else {
            throw Rejection(
                .badValue,
                "\(command.name) needs rows with ids, and the rows of this list are a number: "
                    + "give rows as a list, or set rows to another number")
        }
        return listed
    }

    /// The place of the row whose id stands at a key.
    func place(of key: String, in table: inout TableReader) throws(TableError) -> Int {
        let id = try table.name(key) ?? ""
        guard let listed = rows.listed else {
            throw table.error(key, "the rows of this list are a number, and have no ids")
        }
        guard let place = listed.place(of: id) else {
            let known = knownNames(
                nearestTo: id, among: listed.rows.lazy.map(\.id),
                rankedMax: Limits.peersNamesRankedMax)
            throw table.error(key, "there is no row \"\(TableReader.shortened(id))\", \(known)")
        }
        return place
    }

    /// The id of a row; nil: it has none.
    func id(of row: Int) -> String? { rows.listed?[row].id }

    // MARK: The change

    /// Changes the rows from a place on, and what is seen with them: their views have the names of
    /// others then.
    private mutating func change(
        at now: Step, from place: Int, into effects: inout Effects, _ body: (inout List) -> Void
    ) {
        shownStep = now
        let former = rowsThatShow
        body(&self)
        scroller.adapt(
            to: offsets, extent: viewport.height, isPlaced: scrollDeadline != nil)
        let shown = rowsThatShow
        for row in Set(former + shown).sorted() where row >= place { rowCuts.grow(row) }
        effects.needsPublish = true
    }

    /// Gives the rows that are named elsewhere their new numbers.
    mutating func renumber(_ number: (Int) -> Int) {
        selected = selected.map(number)
        for place in leaving.rows.indices {
            let row = leaving.rows[place].opened.row
            guard number(row) != row else { continue }
            menuCuts.grow(row)
            leaving.rows[place].opened.row = number(row)
            menuCuts.grow(number(row))
        }
        func renumbered(_ opened: Opened) -> Opened {
            Opened(row: number(opened.row), side: opened.side)
        }
        switch state {
        case .closed: break
        case .opening(let opened, let way): state = .opening(renumbered(opened), way)
        case .open(let opened): state = .open(renumbered(opened))
        case .closing(let opened, let bounce): state = .closing(renumbered(opened), bounce)
        }
    }

    /// A row came: returns how far the offset follows, because it came above the visible part.
    private mutating func followInsertion(at place: Int) -> Double {
        guard Double(place) * parameters.rowHeight < scroller.offset else { return 0 }
        scroller.translate(by: parameters.rowHeight)
        return parameters.rowHeight
    }

    /// A row went: the same.
    private mutating func followRemoval(at place: Int) -> Double {
        guard Double(place + 1) * parameters.rowHeight <= scroller.offset else { return 0 }
        scroller.translate(by: -parameters.rowHeight)
        return -parameters.rowHeight
    }

    /// Has rows come to their places from so many points below them, unless none of them shows.
    private mutating func makePlace(_ rows: Range<Int>, by points: Double, at now: Step) {
        guard !rows.isEmpty, points != 0 else { return }
        guard !shifts.isEmpty || isNearFrame(rows, before: points) else { return }
        shifts.shift(rows, from: points, at: now)
    }

    /// Whether any of these rows shows in its place, or did so many points below it.
    private func isNearFrame(_ rows: Range<Int>, before points: Double) -> Bool {
        let top = Double(rows.lowerBound) * parameters.rowHeight - scroller.offset
        let bottom = Double(rows.upperBound) * parameters.rowHeight - scroller.offset
        return min(top, top + points) < viewport.height && max(bottom, bottom + points) > 0
    }
}

extension ListRow {
    /// Why a row cannot come to others; nil: it can. `room` is what the session's other components
    /// leave.
    fileprivate func fault(among rows: ListedRows, room: Bulk) -> TableError? {
        func fault(_ key: String?, _ message: String) -> TableError {
            TableError(path: "key item", key: key, message: message)
        }
        if rows.place(of: id) != nil { return fault("id", "\(id) is taken by another row") }
        guard rows.count < List.listedRowsMax else {
            return fault(nil, "a list has at most \(List.listedRowsMax) rows with ids")
        }
        let largest = max(
            content?.jsonBytes ?? 0, menu?.map { $0.content?.jsonBytes ?? 0 }.max() ?? 0)
        guard largest <= Limits.contentOfOneBytesMax else {
            return fault(
                "content",
                "row \(id) has \(largest) bytes as JSON, one thing has at most "
                    + "\(Limits.contentOfOneBytesMax) bytes")
        }
        var bulk = rows.bulk
        (bulk.rows, bulk.rowBytes) = (bulk.rows + 1, bulk.rowBytes + contentBytes)
        return bulk.excess(of: room).map {
            fault("content", "row \(id) has \(contentBytes) bytes, and a session has at most \($0)")
        }
    }
}
