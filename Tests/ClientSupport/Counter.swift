import Synchronization

/// Counts 0, 1, 2 … for closures that run on another thread.
package final class Counter: Sendable {
    private let value = Atomic(0)

    package init() {}

    package func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
