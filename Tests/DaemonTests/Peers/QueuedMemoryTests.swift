import Notation
import Testing

@testable import Daemon

struct QueuedMemoryTests {
    private static let mebibyte = 1024 * 1024
    private static let second = 1_000_000_000

    /// Whether memory is short once the process has grown from 100 MiB while so much waits.
    /// `explained`: bytes that are free, or that the daemon knows of.
    private func isShort(growth: Int, waiting: Int, explained: Int = 0) -> Bool {
        var memory = QueuedMemory()
        let before = 100 * Self.mebibyte
        memory.look(resident: before, waiting: 0, at: Self.second) { before }
        memory.look(resident: before + growth, waiting: waiting, at: Self.second + 10_000_000) {
            before + growth - explained
        }
        return memory.isShort
    }

    @Test func framesWithoutBytesAreFound() {
        let most = Limits.queuedMemoryMax
        let waiting = most / Limits.frameMemoryFactorMax + 1
        #expect(isShort(growth: most + 1, waiting: waiting))
        #expect(!isShort(growth: most, waiting: waiting), "that much may be")
        #expect(!isShort(growth: most + 1, waiting: waiting - 1), "so few frames cannot have it")
        #expect(!isShort(growth: 10 * most, waiting: 0), "scenes have it")
    }

    /// Large messages, and the small ones of usual events, take few times their bytes.
    @Test func usualMessagesAreNot() {
        #expect(!isShort(growth: 60 * Self.mebibyte, waiting: 60 * Self.mebibyte))
        #expect(!isShort(growth: 120 * Self.mebibyte, waiting: 30 * Self.mebibyte))
        let most = Limits.queuedMemoryOfAllMax
        #expect(!isShort(growth: most, waiting: most / 4))
        #expect(isShort(growth: most + 1, waiting: most / 4), "whatever has it")
    }

    /// A member that passes large events on had grown by 94 MiB, of which next to nothing was in
    /// use.
    @Test func memoryThatIsFreeOrKnownIsNoFrames() {
        let most = Limits.queuedMemoryMax
        let waiting = most / Limits.frameMemoryFactorMax + Self.mebibyte
        #expect(isShort(growth: most + 10, waiting: waiting))
        #expect(!isShort(growth: most + 10, waiting: waiting, explained: 10))
        #expect(!isShort(growth: 4 * most, waiting: 3 * waiting, explained: 3 * most + 1))
    }

    /// The question is costly.
    @Test func theAllocatedBytesAreAskedForSeldom() {
        var memory = QueuedMemory()
        var asked = 0
        let most = Limits.queuedMemoryMax
        for look in 0..<10 {
            memory.look(
                resident: look == 0 ? 1 : 2 * most, waiting: look == 0 ? 0 : most / 16,
                at: Self.second + look * 10_000_000
            ) {
                asked += 1
                return 2 * most
            }
            #expect(memory.isShort == (look > 0))
        }
        #expect(asked == 3, "of nine looks in 80 ms")
        memory.look(resident: most, waiting: most / 16, at: Self.second + 100_000_000) { 0 }
        #expect(!memory.isShort, "it shrank")
    }

    @Test func whatItKeepsWhileLittleWaitsBecomesUsual() {
        var memory = QueuedMemory()
        let waiting = 8 * Self.mebibyte
        func look(_ mebibytes: Int, waiting: Int, at milliseconds: Int) -> Bool {
            memory.look(
                resident: mebibytes * Self.mebibyte, waiting: waiting,
                at: Self.second + milliseconds * 1_000_000
            ) { mebibytes * Self.mebibyte }
            return memory.isShort
        }
        _ = look(100, waiting: 0, at: 0)
        let at = look(200, waiting: waiting, at: 10)
        let soon = look(200, waiting: 0, at: 20)
        let again = look(200, waiting: waiting, at: 60)
        #expect(at && !soon && again, "what was freed may still be the process's")
        for step in 0..<20 { _ = look(200, waiting: 0, at: 1_000 * (step + 1)) }
        let later = look(200, waiting: waiting, at: 21_000)
        #expect(!later)
    }

    @Test func theMemoryIsAskedForSeldomWhileLittleWaits() {
        var memory = QueuedMemory()
        memory.look(resident: 1, waiting: 0, at: Self.second) { 1 }
        #expect(!memory.isDue(waiting: 0, at: Self.second + 10_000_000))
        #expect(memory.isDue(waiting: Self.mebibyte, at: Self.second + 10_000_000))
        #expect(memory.isDue(waiting: 0, at: 2 * Self.second))
    }
}
