import Codec
import Interactions
import Notation
import Protocol
import Recordings
import Sessions
import Simulation
import TestSupport

/// The scenes of the package, by name.
let scenes: [String: Scene] = {
    do throws(SceneError) {
        return try SceneFolder.read("config/scenes")
    } catch {
        fatalError("run this in the repository's folder: \(error)")
    }
}()

/// Plays events as the daemon would and looks at all that it tells.
///
/// Milliseconds of virtual time pass between two events, and behind the last one.
func play(
    _ events: [(topic: [UInt8], body: [UInt8])], scene: Node? = nil, pause: Double = 12,
    rest: Double = 150
) throws(Rejection) {
    let recording = Recording(
        scene: scene, seed: 1,
        events: events.enumerated().map { place, event in
            Recording.Event(
                time: Double(place) * pause, topic: event.topic, body: event.body, line: place)
        })
    var simulator = try Simulator(
        recording, scenes: scenes, until: Double(events.count) * pause + rest)
    var listener = Listener()
    simulator.run(into: &listener)
}

/// Takes updates and looks whether clients can read them.
struct Listener: MessageSink {
    let isFull = false
    private(set) var count = 0

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        count += 1
        var buffer = ByteBuffer(capacity: 1_024)
        body(&buffer)
        let bytes = buffer.array()
        do throws(DocumentError) {
            let tree = try Document.json(bytes, exactly: true)
            expect(tree.members != nil, "\(topic.text) \(bytes.text) is no object")
        } catch {
            fatalError("\(topic.text) \(bytes.text): \(error.message)")
        }
    }

    mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: inout any Machine,
        _ notes: StateNotes, _ stamp: Stamp
    ) {
        // A closure opens no `inout` machine.
        let machine = machine
        expect(Picture(machine).isFinite, "a number that is none in \(Picture(machine))")
        message(.state(session: identity.id, component: component)) {
            UpdateBody.state(UpdateHead(identity, stamp), machine, notes, into: &$0)
        }
    }
}
