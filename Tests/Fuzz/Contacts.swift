import Codec
import Notation
import Protocol

/// Follows the contacts of events that this project made: each can be decoded, and begins and ends
/// once.
struct Contacts {
    private let decoder = EventDecoder()
    private var down: Set<Int> = []

    mutating func take(topic: [UInt8], body: [UInt8]) {
        do {
            _ = try decoder.decode(topic: try Topic(topic), body: body)
        } catch {
            fatalError("\(topic.text) \(body.text): \(error)")
        }
        // Gestures of other kinds have no pointer.
        guard let tree = try? Document.json(body), let pointer = tree["pointer"]?.int,
            let phase = tree["phase"]?.string
        else { return }
        expect((phase == "began") != down.contains(pointer), "\(pointer) \(phase)")
        if phase == "ended" || phase == "cancelled" {
            down.remove(pointer)
        } else {
            down.insert(pointer)
        }
    }

    func expectEnded() { expect(down.isEmpty, "left down: \(down)") }
}
