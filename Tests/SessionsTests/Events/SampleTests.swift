import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// A sample does what the event of the same content does, also where it is refused.
@Suite struct SampleTests {
    @Test(arguments: [1, 2, 3, 4].map { UInt64($0) })
    func aSampleDoesWhatItsEventDoes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let scene = Scene.phone()
        var byEvent = Session(
            id: "s", epoch: "e", scene: scene, opened: Instant(nanoseconds: 0), frameRate: 60)
        var bySample = byEvent
        var refusals = 0
        for _ in 0..<600 {
            let steps = random.whole(in: 0...3)
            byEvent.advance(to: byEvent.clock + steps)
            bySample.advance(to: bySample.clock + steps)
            let component = random.whole(in: 0...scene.components.count - 1)
            let gesture = Self.gesture(&random)
            let time = random.whole(in: 0...1) == 0 ? nil : Double(random.whole(in: 0...9_000))
            let event = Event(
                .gesture(component: scene.components[component].id, gesture), time: time)
            let wanted = byEvent.receive(event, received: 5_000)
            let found = bySample.receive(
                Sample(component: component, gesture, time: time), received: 5_000)
            #expect(found == wanted, "seed \(seed): \(gesture)")
            if wanted != .applied { refusals += 1 }
        }
        #expect(refusals > 20 && refusals < 580)
        for (place, machine) in byEvent.machines.enumerated() {
            #expect(Picture(bySample.machines[place]) == Picture(machine), "seed \(seed)")
        }
        #expect(bySample.publishedCount == byEvent.publishedCount)
    }

    private static func gesture(_ random: inout SplitMix64) -> Gesture {
        let phases: [Phase] = [.began, .changed, .changed, .ended, .cancelled]
        let phase = phases[random.whole(in: 0...phases.count - 1)]
        let location = Vector(random.unit() * 320, random.unit() * 568)
        switch random.whole(in: 0...4) {
        case 0: return .scroll(Scroll(phase: phase, offset: random.unit() * 900 - 100))
        case 1: return .pan(Pan(phase: phase, location: location, velocity: nil))
        case 2: return .tap(.point(location))
        case 3: return .swipe(Swipe(direction: .left, target: .point(location)))
        default:
            return .pointer(Pointer(phase: phase, pointer: 1, location: location))
        }
    }
}
