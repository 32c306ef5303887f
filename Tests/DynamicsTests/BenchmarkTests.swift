import Dynamics
import Foundation
import Geometry
import Testing

/// The scenes whose cost matters: a daemon steps 10,000 of them 120 times a second.
enum MeasuredScene: String, CaseIterable, CustomTestStringConvertible {
    case snap, tip, draggedTip

    var testDescription: String { rawValue }

    /// A moving scene, with its dragged behavior if it has one.
    func world() -> (animator: Animator, item: ItemID, dragged: BehaviorID?) {
        var animator = Animator()
        let place = Vector(660, 784)
        let item = animator.add(Item(center: place, size: Size(300, 400), rotation: .pi / 2))
        guard self != .snap else {
            _ = animator.add(Snap(item: item, point: Vector(160, 284)))
            return (animator, item, nil)
        }
        _ = animator.add(Pin(item: item, offset: Vector(0, 500), anchor: Vector(160, 784)))
        guard self == .draggedTip else {
            _ = animator.add(Snap(item: item, point: Vector(160, 284)))
            return (animator, item, nil)
        }
        let rod = animator.add(Attachment(item: item, anchor: place + Vector(60, 80)))
        return (animator, item, rod)
    }
}

/// `BENCHMARK=1 swift test -c release --filter Benchmark` runs them for real.
@Suite(.serialized) struct Benchmark {
    static let isReal = ProcessInfo.processInfo.environment["BENCHMARK"] == "1"

    /// Each world moves for half a second; then another one replaces it.
    ///
    /// The best round counts, because others use the machine too.
    @Test(arguments: MeasuredScene.allCases, [1, 10_000])
    func aStepIsCheap(scene: MeasuredScene, worlds: Int) {
        let count = Self.isReal ? worlds : min(worlds, 10)
        let rounds = Self.isReal ? (worlds == 1 ? 10_000 : 9) : 1
        let start = scene.world()
        var best = Duration.seconds(1_000)
        var sum = 0.0
        for _ in 0..<rounds {
            // Built one by one, because copies would share their storage.
            var animators = (0..<count).map { _ in scene.world().animator }
            let clock = ContinuousClock()
            let elapsed = clock.measure {
                for step in 0..<60 {
                    for index in animators.indices {
                        if let dragged = start.dragged, step % 2 == 0 {
                            let anchor = Vector(720 - 5 * Double(step), 864 - 4 * Double(step))
                            animators[index].moveAnchor(of: dragged, to: anchor)
                        }
                        animators[index].step()
                    }
                }
            }
            best = min(best, elapsed)
            sum += animators[0].motion(of: start.item).center.x
        }
        let each = best / (count * 60)
        let nanoseconds = each.attoseconds / 1_000_000_000
        print(
            "\(scene), \(count) worlds: \(nanoseconds) ns per step, checksum \(sum.bitPattern)")
        #expect(sum.isFinite)
    }

    /// Only without other tests in the process: it measures resident memory.
    @Test(.enabled(if: isReal)) func aWorldIsSmall() throws {
        let count = 10_000
        var animators: [Animator] = []
        animators.reserveCapacity(count)
        let before = try residentBytes()
        for _ in 0..<count { animators.append(MeasuredScene.tip.world().animator) }
        let each = (try residentBytes() - before) / animators.count
        print("a world of a tip: \(each) bytes, \(MemoryLayout<Animator>.stride) of them inline")
        #expect(each > 0 && each < 2560)
    }

    /// The resident memory of this process.
    private func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(pages) * 4096
    }
}
