import Codec
import Notation
import Protocol

/// Follows the contacts and tokens of events that this project made: each can be decoded, and
/// begins and ends once.
struct Contacts {
    private let decoder = EventDecoder()
    private var down: Set<String> = []

    mutating func take(topic: [UInt8], body: [UInt8]) {
        do {
            _ = try decoder.decode(topic: try Topic(topic), body: body)
        } catch {
            fatalError("\(topic.text) \(body.text): \(error)")
        }
        // Gestures of other kinds have no number.
        guard let tree = try? Document.json(body), let phase = tree["phase"]?.string,
            let number = tree["pointer"]?.int ?? tree["symbol"]?.int
        else { return }
        let key = "\(tree["gesture"]?.string ?? "") \(number)"
        expect((phase == "began") != down.contains(key), "\(key) \(phase)")
        if phase == "ended" || phase == "cancelled" {
            down.remove(key)
        } else {
            down.insert(key)
        }
    }

    func expectEnded() { expect(down.isEmpty, "left down: \(down)") }
}
