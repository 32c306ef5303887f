/// Elements in the order in which they wait. One leaves at the front, or is put back there, in a
/// time that does not grow with their number: a line may have thousands.
struct WaitingLine<Element> {
    /// Those that have left are nil, up to `start`.
    private var elements: [Element?] = []
    private var start = 0

    var isEmpty: Bool { start == elements.count }
    var count: Int { elements.count - start }
    var first: Element? { isEmpty ? nil : elements[start] }
    var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the first one out; nil: there is none.
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[start].take()
        start += 1
        if start == elements.count {
            elements.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 2 * count {
            // Each element is moved here once for two that have left.
            elements.removeFirst(start)
            start = 0
        }
        return element
    }

    /// Puts one back that was taken out.
    mutating func putFirst(_ element: Element) {
        guard start > 0 else { return elements.insert(element, at: 0) }
        start -= 1
        elements[start] = element
    }

    /// Takes the last one out; nil: there is none.
    mutating func popLast() -> Element? {
        guard !isEmpty else { return nil }
        return elements.removeLast()
    }
}
