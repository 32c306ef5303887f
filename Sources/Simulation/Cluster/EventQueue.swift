/// Events in the order of their times; those of one time in the order in which they were added.
struct EventQueue<Event: Sendable>: Sendable {
    private struct Entry: Sendable {
        var time: Int
        var number: Int
        var event: Event

        func isBefore(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : number < other.number
        }
    }

    private var heap: [Entry] = []
    private var added = 0

    var nextTime: Int? { heap.first?.time }

    mutating func add(_ event: Event, at time: Int) {
        heap.append(Entry(time: time, number: added, event: event))
        added += 1
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func next() -> (time: Int, event: Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return (first.time, first.event) }
        heap[0] = last
        var index = 0
        while 2 * index + 1 < heap.count {
            let (left, right) = (2 * index + 1, 2 * index + 2)
            let isRight = right < heap.count && heap[right].isBefore(heap[left])
            let least = isRight ? right : left
            guard heap[least].isBefore(heap[index]) else { break }
            heap.swapAt(index, least)
            index = least
        }
        return (first.time, first.event)
    }
}
