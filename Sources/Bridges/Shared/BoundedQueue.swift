/// First in, first out, of at most so many elements and bytes.
///
/// A full queue takes nothing more: its owner decides what to give up, and counts it.
package struct BoundedQueue<Element: Sendable>: Sendable {
    /// The places of elements that were taken hold nil until they are moved away.
    private var elements: [(element: Element?, bytes: Int)] = []
    private var taken = 0
    package private(set) var bytes = 0
    /// Elements that left since the start.
    package private(set) var takenCount = 0
    package let countMax: Int
    package let bytesMax: Int

    package init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    package var count: Int { elements.count - taken }
    package var isEmpty: Bool { count == 0 }
    /// Elements that came since the start: the number of the next one, from 0.
    package var appendedCount: Int { takenCount + count }
    package var first: Element? { isEmpty ? nil : elements[taken].element }

    /// Returns false where there is no room. An empty queue takes any element.
    package mutating func append(_ element: Element, bytes size: Int) -> Bool {
        guard isEmpty || count < countMax && bytes + size <= bytesMax else { return false }
        elements.append((element, size))
        bytes += size
        return true
    }

    /// Puts an element in the place of one that waits, by that one's number. Returns false where
    /// there is no room, or none of this number waits.
    package mutating func replace(_ number: Int, by element: Element, bytes size: Int) -> Bool {
        guard number >= takenCount, number < appendedCount else { return false }
        let place = taken + number - takenCount
        let changed = bytes - elements[place].bytes + size
        guard count == 1 || changed <= bytesMax else { return false }
        elements[place] = (element, size)
        bytes = changed
        return true
    }

    package mutating func removeFirst() {
        guard !isEmpty else { return }
        bytes -= elements[taken].bytes
        elements[taken].element = nil
        taken += 1
        takenCount += 1
        // Moved seldom, so that each element is moved once on average.
        if taken * 2 > elements.count {
            elements.removeFirst(taken)
            taken = 0
        }
    }

    /// Returns how many there were.
    @discardableResult
    package mutating func removeAll() -> Int {
        let removed = count
        takenCount += removed
        elements = []
        taken = 0
        bytes = 0
        return removed
    }
}
