import Synchronization

/// The bytes of frames that libzmq holds: those that wait for a peer, and the one under way to it.
///
/// libzmq bounds what waits by the number of messages alone, and the system's queue of a connection
/// says nothing of libzmq's own. So a frame that counts here takes its bytes away when libzmq lets
/// go of it, on whichever thread: it was sent, it was refused, or its connection has ended.
///
/// Where a connection is encrypted, libzmq lets go once it has made a copy, and it has one copy of
/// each connection until the system takes that. So the last frame that it let go of may count until
/// the next one.
package final class HeldBytes: Sendable {
    private let bytes = Atomic<Int>(0)
    private let removed = Atomic<Int>(0)
    private let whole: HeldBytes?
    private let keepsLast: Bool
    /// Those of the frame that libzmq let go of last, while they count.
    private let last = Atomic<Int>(0)

    /// A frame that counts here counts in the whole, too. `keepsLast`: the last frame that libzmq
    /// let go of counts until the next one, or until it is settled.
    package init(partOf whole: HeldBytes? = nil, keepsLast: Bool = false) {
        self.whole = whole
        self.keepsLast = keepsLast
    }

    package var count: Int { bytes.load(ordering: .relaxed) }

    /// Bytes that libzmq has let go of in all.
    package var removedInAll: Int { removed.load(ordering: .relaxed) }

    /// Counts more bytes, or with a negative number fewer.
    package func add(_ count: Int) {
        bytes.wrappingAdd(count, ordering: .relaxed)
        whole?.add(count)
    }

    /// Whether the last frame counts although libzmq has let go of it.
    package var isUnsettled: Bool { last.load(ordering: .relaxed) > 0 }

    /// Counts the last frame no longer: its connection has it, or is gone.
    package func settle() { add(-last.exchange(0, ordering: .relaxed)) }

    /// libzmq lets go of a frame.
    fileprivate func remove(_ count: Int) {
        removed.wrappingAdd(count, ordering: .relaxed)
        add(-(keepsLast ? last.exchange(count, ordering: .relaxed) : count))
    }
}

/// The cost of a counted frame, which it gives back when libzmq lets go of it.
final class HeldFrame: Sendable {
    private let held: HeldBytes
    private let cost = Atomic<Int>(0)

    private init(_ held: HeldBytes) { self.held = held }

    /// Counts, and returns what libzmq is to give to ``end(_:_:)``. The frame's bytes must be
    /// written before.
    static func begin(_ cost: Int, in held: HeldBytes) -> UnsafeMutableRawPointer {
        let frame = HeldFrame(held)
        held.add(cost)
        // Pairs with the end: libzmq orders both, but tools that look for races cannot see how.
        frame.cost.store(cost, ordering: .releasing)
        return unsafe Unmanaged.passRetained(frame).toOpaque()
    }

    /// Frees a frame's bytes and counts them no longer. Called by libzmq, once, on any thread.
    static func end(_ bytes: UnsafeMutableRawPointer?, _ hint: UnsafeMutableRawPointer?) {
        guard let hint = unsafe hint else { return }
        let frame = unsafe Unmanaged<HeldFrame>.fromOpaque(hint).takeRetainedValue()
        let cost = frame.cost.exchange(0, ordering: .acquiring)
        frame.held.remove(cost)
        unsafe bytes?.deallocate()
    }
}
