import Geometry
import Notation

/// Sessions by the step at which they are due, and in a line those whose step has come.
///
/// A ring has one list for each of the next steps, so a step costs what is due at it and nothing
/// for the others. A session that is due later than the ring reaches waits in its last list and is
/// listed anew from there. A session may stand in several lists; the one that it names counts. A
/// list that is emptied hands its memory on to the next one that begins.
struct DueSessions {
    private var ring: [[ActiveSession]] = Array(repeating: [], count: Limits.dueStepsMax)
    /// How many stand in all lists.
    private var listedCount = 0
    private var spare = SpareLists()
    /// Nil: taken.
    private var line: [ActiveSession?] = []
    /// The first in the line that was not taken.
    private var place = 0

    /// Sessions whose step has come and that were not taken.
    var waitingCount: Int { line.count - place }
    /// The one of them that has waited longest.
    var first: ActiveSession? { place < line.count ? line[place] : nil }

    /// Lists a session that is due at some step, unless it is listed no later; all steps to `last`
    /// have come.
    mutating func list(_ active: ActiveSession, after last: Step) {
        guard let wake = active.wake else { return }
        let step = min(max(wake, last + 1), last + ring.count)
        switch active.listing {
        case .due, .spare: return
        case .at(let listed) where listed <= step: return
        case .at, .nowhere: break
        }
        active.listing = .at(step)
        let index = index(of: step)
        if ring[index].isEmpty { ring[index] = spare.take() }
        ring[index].append(active)
        listedCount += 1
    }

    /// Lines up the sessions of all steps behind `last` to `step`, the earliest first.
    mutating func lineUp(after last: Step, to step: Step) {
        guard listedCount > 0 else { return }
        for count in 1...min(step - last, ring.count) {
            let index = index(of: last + count)
            for entry in ring[index].indices {
                let ahead = entry + Limits.linedUpAhead
                if ahead < ring[index].count { ring[index][ahead].readAhead(bytes: 1) }
                guard ring[index][entry].listing == .at(last + count) else { continue }
                ring[index][entry].listing = .due
                line.append(ring[index][entry])
            }
            listedCount -= ring[index].count
            spare.putBack(&ring[index])
        }
    }

    /// Takes the first in the line out; it is listed nowhere then.
    mutating func take() -> ActiveSession? {
        guard place < line.count else { return nil }
        readAhead(of: place)
        let active = line[place].take()
        place += 1
        if place == line.count {
            line.removeAll(keepingCapacity: line.capacity <= Limits.dueKeptMax)
            place = 0
        } else if place == Limits.lineTakenMax {
            line.removeFirst(place)
            place = 0
        }
        active?.listing = .nowhere
        return active
    }

    /// The first step with a list that holds anything; all steps to `last` have come.
    func earliest(after last: Step) -> Step? {
        guard listedCount > 0 else { return nil }
        return (1...ring.count).first { !ring[index(of: last + $0)].isEmpty }.map { last + $0 }
    }

    /// Has the processor read the session that is taken some places later.
    private func readAhead(of place: Int) {
        let ahead = place + Limits.sessionsAhead
        guard ahead < line.count else { return }
        line[ahead]?.readAhead()
    }

    private func index(of step: Step) -> Int { step.count & (Limits.dueStepsMax - 1) }
}

/// Empty lists that kept their memory, so that a step with sessions allocates nothing.
struct SpareLists {
    private var lists: [[ActiveSession]] = []

    /// Sessions for which the lists have room.
    var capacity: Int { lists.reduce(0) { $0 + $1.capacity } }

    /// An empty list, with the memory of the one that was put back last.
    mutating func take() -> [ActiveSession] { lists.popLast() ?? [] }

    /// Empties a list, and keeps its memory unless it is too large or there are enough.
    mutating func putBack(_ list: inout [ActiveSession]) {
        let isKept = 1...Limits.dueKeptMax ~= list.capacity && lists.count < Limits.spareListsMax
        if isKept {
            list.removeAll(keepingCapacity: true)
            lists.append(list)
        }
        list = []
    }
}

extension Limits {
    /// Steps that the ring reaches: four seconds, so that few are listed anew. A power of two.
    static let dueStepsMax = 512
    /// Sessions up to which an emptied list keeps its memory; a longer one allocates once for many.
    static let dueKeptMax = 2_048
    /// Empty lists that are kept: a quarter of a megabyte for all. Few steps have sessions at once.
    static let spareListsMax = 16
    /// Sessions ahead whose first line of memory is read when many are lined up.
    static let linedUpAhead = 16
    /// Sessions taken from a line before it is moved up.
    static let lineTakenMax = 4_096
}
