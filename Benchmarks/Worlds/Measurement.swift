import Dynamics
import Geometry
import Measure

/// One world as a benchmark builds and steps it.
protocol Scene {
    /// The length of the measured window; nothing falls asleep in it.
    static var steps: Int { get }
    init()
    mutating func step(_ number: Int)
    /// The motion of the item that was added last.
    var last: Motion { get }
    var isAwake: Bool { get }
}

/// Worlds per round: few enough to stay in the processor's caches.
private let batch = 8
/// Worlds whose bytes are counted together.
private let counted = 200

func measure<Kind: Scene>(_: Kind.Type, for seconds: Double) {
    let before = measure_heap_bytes()
    var many = build(Kind.self, counted)
    play(&many)
    let bytes = (measure_heap_bytes() - before) / counted
    many.removeAll()

    var elapsed = 0.0
    var rounds = 0
    var scenes: [Kind] = []
    while elapsed < seconds * 1e9 {
        scenes = build(Kind.self, batch)
        let start = measure_nanoseconds()
        play(&scenes)
        elapsed += measure_nanoseconds() - start
        rounds += 1
    }
    let last = scenes[0].last
    print(
        """
        {"ns":\(elapsed / Double(rounds * batch * Kind.steps)),"bytes":\(bytes),\
        "x":\(last.center.x),"y":\(last.center.y),"rotation":\(last.rotation),\
        "awake":\(scenes[0].isAwake)}
        """)
}

/// Builds each by itself, because copies would share their storage.
private func build<Kind: Scene>(_: Kind.Type, _ count: Int) -> [Kind] {
    (0..<count).map { _ in Kind() }
}

private func play<Kind: Scene>(_ scenes: inout [Kind]) {
    for index in scenes.indices {
        for number in 0..<Kind.steps { scenes[index].step(number) }
    }
}
