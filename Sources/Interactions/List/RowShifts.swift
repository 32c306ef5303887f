import Geometry
import Motion

/// The ways on which rows make place for others.
///
/// A way is added to the places of rows, and leads from some points to 0: so several ways of one
/// row overlap, and nothing jumps when another one begins. Rows are named by their numbers, which
/// follow each change of the list.
struct RowShifts: Hashable, Sendable {
    /// Rows next to one another that are on the same way.
    struct Shift: Hashable, Sendable, Codable {
        var first: Int
        /// The row behind the last one.
        var end: Int
        var way: Animation

        func contains(_ row: Int) -> Bool { row >= first && row < end }
    }

    /// Ways of many rows: those below a row that came or went.
    private(set) var shifts: [Shift] = []
    /// Ways of single rows that were moved, which may be long.
    private(set) var moves: [Shift] = []
    /// Rows that fade in, from 0 to 1.
    private(set) var fades: [Shift] = []

    /// Seconds for which a row makes place, moves or fades in.
    static let duration = 0.3

    var isEmpty: Bool { shifts.isEmpty && moves.isEmpty && fades.isEmpty }

    /// The first step at which one of them is over.
    var end: Step? {
        var end: Step?
        for shift in shifts { end = min(end ?? shift.way.end, shift.way.end) }
        for move in moves { end = min(end ?? move.way.end, move.way.end) }
        for fade in fades { end = min(end ?? fade.way.end, fade.way.end) }
        return end
    }

    /// How far a row is below its place, in points.
    func displacement(of row: Int, at step: Step) -> Double {
        var points = 0.0
        for shift in shifts where shift.contains(row) { points += shift.way.value(at: step) }
        for move in moves where move.first == row { points += move.way.value(at: step) }
        return points
    }

    /// The same for rows next to one another, in their order: a way is worked out once for all.
    func displacements(of rows: Range<Int>, at step: Step) -> [Double] {
        var points = [Double](repeating: 0, count: rows.count)
        for shift in shifts + moves {
            let own = rows.clamped(to: shift.first..<shift.end)
            guard !own.isEmpty else { continue }
            let value = shift.way.value(at: step)
            for row in own { points[row - rows.lowerBound] += value }
        }
        return points
    }

    func alpha(of row: Int, at step: Step) -> Double {
        fades.last { $0.first == row }?.way.value(at: step) ?? 1
    }

    /// The most that rows of a shift may be out of their places, in points.
    func reach(at step: Step) -> Double {
        shifts.reduce(0) { $0 + $1.way.value(at: step).magnitude }
    }

    // MARK: Changes of the list

    /// A row comes before the row that has this number.
    mutating func insert(at row: Int) {
        Self.each(&shifts, &moves, &fades) { shift in
            if shift.first >= row { shift.first += 1 }
            if shift.end > row { shift.end += 1 }
        }
    }

    /// A row goes, and its ways with it.
    mutating func remove(at row: Int) {
        Self.each(&shifts, &moves, &fades) { shift in
            if shift.first > row { shift.first -= 1 }
            if shift.end > row { shift.end -= 1 }
        }
    }

    /// A row goes to another number, and fades in there as it did; its ways end.
    mutating func move(_ row: Int, to place: Int) {
        let fading = fades.filter { $0.first == row }
        remove(at: row)
        insert(at: place)
        fades += fading.map { Shift(first: place, end: place + 1, way: $0.way) }
    }

    private static func each(
        _ shifts: inout [Shift], _ moves: inout [Shift], _ fades: inout [Shift],
        _ body: (inout Shift) -> Void
    ) {
        func change(_ list: inout [Shift]) {
            for place in list.indices { body(&list[place]) }
            list.removeAll { $0.first >= $0.end }
        }
        change(&shifts)
        change(&moves)
        change(&fades)
    }

    /// Has these rows come to their places from so many points below them.
    mutating func shift(_ rows: Range<Int>, from points: Double, at now: Step) {
        add(rows, from: points, to: 0, at: now, to: &shifts)
    }

    /// Has a row come to its place from so many points below it.
    mutating func move(_ row: Int, from points: Double, at now: Step) {
        add(row..<row + 1, from: points, to: 0, at: now, to: &moves)
    }

    mutating func fadeIn(_ row: Int, at now: Step) {
        add(row..<row + 1, from: 0, to: 1, at: now, to: &fades)
    }

    private func add(
        _ rows: Range<Int>, from: Double, to: Double, at now: Step, to list: inout [Shift]
    ) {
        guard !rows.isEmpty, from != to else { return }
        // The oldest is nearly there.
        if list.count == List.changesInMotionMax { list.removeFirst() }
        list.append(
            Shift(
                first: rows.lowerBound, end: rows.upperBound,
                way: Animation(from: from, to: to, begin: now, duration: Self.duration)))
    }

    /// Forgets those that are over. Returns whether there were any.
    mutating func finish(at now: Step) -> Bool {
        let count = shifts.count + moves.count + fades.count
        shifts.removeAll { $0.way.end <= now }
        moves.removeAll { $0.way.end <= now }
        fades.removeAll { $0.way.end <= now }
        return shifts.count + moves.count + fades.count != count
    }

    func isSound(rows: Int) -> Bool {
        [shifts, moves, fades].allSatisfy { list in
            list.count <= List.changesInMotionMax
                && list.allSatisfy { $0.first >= 0 && $0.first < $0.end && $0.end <= rows }
                && list.allSatisfy { $0.way.isSound }
        }
    }
}

extension RowShifts: Codable {}

// A list that was encoded before rows made place has none under way; one without any writes none.

extension KeyedDecodingContainer {
    func decode(_: RowShifts.Type, forKey key: Key) throws -> RowShifts {
        try decodeIfPresent(RowShifts.self, forKey: key) ?? RowShifts()
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ shifts: RowShifts, forKey key: Key) throws {
        if !shifts.isEmpty { try encodeIfPresent(shifts, forKey: key) }
    }
}
