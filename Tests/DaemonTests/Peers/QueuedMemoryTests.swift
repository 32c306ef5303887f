import Notation
import Testing

@testable import Daemon

struct QueuedMemoryTests {
    private static let mebibyte = 1024 * 1024
    private static let second = 1_000_000_000

    /// Whether memory is short once the process has grown from 100 MiB while so much waits.
    private func isShort(growth: Int, waiting: Int) -> Bool {
        var memory = QueuedMemory()
        memory.look(resident: 100 * Self.mebibyte, waiting: 0, at: Self.second)
        memory.look(
            resident: 100 * Self.mebibyte + growth, waiting: waiting, at: Self.second + 10_000_000)
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

    @Test func whatItKeepsWhileLittleWaitsBecomesUsual() {
        var memory = QueuedMemory()
        let waiting = 8 * Self.mebibyte
        func look(_ mebibytes: Int, waiting: Int, at milliseconds: Int) -> Bool {
            memory.look(
                resident: mebibytes * Self.mebibyte, waiting: waiting,
                at: Self.second + milliseconds * 1_000_000)
            return memory.isShort
        }
        _ = look(100, waiting: 0, at: 0)
        let at = look(200, waiting: waiting, at: 10)
        let soon = look(200, waiting: 0, at: 20)
        let again = look(200, waiting: waiting, at: 30)
        #expect(at && !soon && again, "what was freed may still be the process's")
        for step in 0..<20 { _ = look(200, waiting: 0, at: 1_000 * (step + 1)) }
        let later = look(200, waiting: waiting, at: 21_000)
        #expect(!later)
    }

    @Test func theMemoryIsAskedForSeldomWhileLittleWaits() {
        var memory = QueuedMemory()
        memory.look(resident: 1, waiting: 0, at: Self.second)
        #expect(!memory.isDue(waiting: 0, at: Self.second + 10_000_000))
        #expect(memory.isDue(waiting: Self.mebibyte, at: Self.second + 10_000_000))
        #expect(memory.isDue(waiting: 0, at: 2 * Self.second))
    }
}
