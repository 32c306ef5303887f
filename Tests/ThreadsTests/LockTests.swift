import Glibc
import Synchronization
import Testing

@testable import Threads

struct LockTests {
    /// A number that its lock guards; the compiler cannot check that.
    private final class Counter: @unchecked Sendable {
        let lock = Lock()
        var count = 0
    }

    @Test func oneThreadAtATimeHoldsALock() {
        let counter = Counter()
        let ended = Condition()
        let threads = Atomic<Int>(4)
        for _ in 0..<4 {
            Thread.start("adder") {
                for _ in 0..<10_000 { counter.lock.withLock { counter.count += 1 } }
                threads.wrappingSubtract(1, ordering: .releasing)
                ended.withLock { ended.signal() }
            }
        }
        let deadline = Condition.Deadline(milliseconds: 10_000)
        ended.withLock {
            while threads.load(ordering: .acquiring) > 0, ended.wait(until: deadline) {}
        }
        #expect(counter.lock.withLock { counter.count } == 40_000)
    }

    @Test func errorsAndResultsPassALock() {
        struct Fault: Error {}
        let lock = Lock()
        #expect(throws: Fault.self) { try lock.withLock { throw Fault() } }
        #expect(lock.withLock { 7 } == 7, "it is free again")
    }

    @Test func aWaitEndsAtItsDeadline() {
        let condition = Condition()
        let began = ContinuousClock.now
        condition.lock()
        let deadline = Condition.Deadline(milliseconds: 50)
        while condition.wait(until: deadline) {}
        condition.unlock()
        #expect(ContinuousClock.now - began >= .milliseconds(50))
    }

    @Test func allThatWaitAreWoken() {
        let condition = Condition()
        let waiting = Atomic<Int>(0)
        let woken = Atomic<Int>(0)
        for _ in 0..<3 {
            Thread.start("waiter") {
                condition.withLock {
                    waiting.add(1, ordering: .relaxed)
                    condition.wait()
                    woken.add(1, ordering: .relaxed)
                }
            }
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while woken.load(ordering: .relaxed) < 3, ContinuousClock.now < deadline {
            // They have let go of the lock once all of them wait.
            condition.withLock {
                if waiting.load(ordering: .relaxed) == 3 { condition.broadcast() }
            }
            Thread.sleep(milliseconds: 1)
        }
        #expect(woken.load(ordering: .relaxed) == 3)
    }

    @Test func aThreadHasItsName() {
        let name = Pending()
        Thread.start("thread-of-tests") { name.put(Self.ownName()) }
        #expect(name.wait() == "thread-of-tests")
    }

    @Test func aSleepLastsItsTime() {
        let began = ContinuousClock.now
        Thread.sleep(milliseconds: 20)
        #expect(ContinuousClock.now - began >= .milliseconds(20))
    }

    private static func ownName() -> String {
        guard let file = unsafe fopen("/proc/thread-self/comm", "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// A text that another thread hands over; unchecked, for the condition guards it.
    private final class Pending: @unchecked Sendable {
        private let condition = Condition()
        private var text: String?

        func put(_ text: String) {
            condition.withLock {
                self.text = text
                condition.signal()
            }
        }

        func wait() -> String? {
            let deadline = Condition.Deadline(milliseconds: 10_000)
            return condition.withLock {
                while text == nil, condition.wait(until: deadline) {}
                return text
            }
        }
    }
}
