/// First in, first out, of at most so many elements and bytes.
///
/// A full queue takes nothing more: its owner decides what to give up, and counts it.
package struct BoundedQueue<Element: Sendable>: Sendable {
    private var elements: [(element: Element, bytes: Int)] = []
    private var taken = 0
    package private(set) var bytes = 0
    package let countMax: Int
    package let bytesMax: Int

    package init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    package var count: Int { elements.count - taken }
    package var isEmpty: Bool { count == 0 }
    package var first: Element? { isEmpty ? nil : elements[taken].element }

    /// Returns false where there is no room. An empty queue takes any element.
    package mutating func append(_ element: Element, bytes size: Int) -> Bool {
        guard isEmpty || count < countMax && bytes + size <= bytesMax else { return false }
        elements.append((element, size))
        bytes += size
        return true
    }

    package mutating func removeFirst() {
        guard !isEmpty else { return }
        bytes -= elements[taken].bytes
        taken += 1
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
        elements = []
        taken = 0
        bytes = 0
        return removed
    }
}
