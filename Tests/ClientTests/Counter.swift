import Synchronization

/// 0, 1, 2 … for closures that run on another thread.
final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
