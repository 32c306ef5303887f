import Testing

@testable import Supervision

struct MemoryReturnTests {
    private static let second = 1_000_000_000
    private static let mebibyte = 1024 * 1024

    /// Looks each second while the process has so many MiB; the seconds at which it gives back.
    private func returns(_ mebibytes: [Int], left: (Int) -> Int) -> [Int] {
        var (memory, times) = (MemoryReturn(), [Int]())
        for (time, size) in mebibytes.enumerated() {
            let now = time * Self.second
            guard memory.isDue(resident: size * Self.mebibyte, at: now) else { continue }
            times.append(time)
            memory.returned(resident: left(time) * Self.mebibyte, at: now)
        }
        return times
    }

    @Test func aSurgeIsGivenBackOnceItGrowsNoMore() {
        let sizes = [30, 80, 110, 110] + Array(repeating: 30, count: 60)
        #expect(returns(sizes) { _ in 30 } == [3])
    }

    @Test func whatIsFreedLaterIsGivenBackByALaterTry() {
        // At 3 s nearly all is in use still; it is freed soon after, which no size tells.
        let sizes = [30, 80, 110, 110] + Array(repeating: 100, count: 5)
        let times = returns(sizes + Array(repeating: 30, count: 30)) { $0 == 3 ? 100 : 30 }
        #expect(times == [3, 8])
    }

    @Test func memoryInUseIsTriedLessAndLess() {
        let sizes = [30] + Array(repeating: 110, count: 3_000)
        let times = returns(sizes) { _ in 110 }
        #expect(times == [2, 7, 17, 37, 77, 157, 317, 637, 1_277, 1_917, 2_557])
    }
}
