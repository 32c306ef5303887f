import Geometry

/// The ids under which messages of the broker go to the daemon.
///
/// MQTT delivers a message again, marked as repeated, where the broker does not know whether it was
/// acknowledged. The number of its packet is then the same, so the ledger gives it the same id, and
/// the daemon applies it once. The number alone proves nothing: brokers use it again for other
/// messages. So only a repeated message of the same topic and payload has the id of an earlier one.
///
/// Kept in a file, the ledger also serves the next run of a bridge that was killed.
package struct DeliveryLedger: Sendable {
    /// Messages remembered: as many ids as a session of the daemon remembers. A broker repeats far
    /// fewer: it was told to leave at most `HouseInbox.unsettledMax` unacknowledged.
    package static let entriesMax = 1_024
    /// Lines of a file before it is written anew.
    package static let linesMax = 8 * entriesMax

    private struct Entry: Sendable {
        var number: Int
        var digest: UInt128
        var id: String

        /// The line of its file.
        var line: String { "\(number) \(String(digest, radix: 16)) \(id)\n" }
    }

    /// Not secret: whoever can choose payloads to collide can publish what it likes anyway.
    private static let hash = KeyedHash(key: 0)

    private var entries: [Int: Entry] = [:]
    /// The numbers, oldest first.
    private var order: [Int] = []
    /// The lines of the file that could not be read.
    package private(set) var unread = 0

    package init() {}

    /// Reads the text of a file.
    package init(reading text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let number = Int(words[0]), (1...65_535).contains(number),
                let digest = UInt128(words[1], radix: 16), words[2].utf8.count <= 64
            else {
                unread += 1
                continue
            }
            insert(Entry(number: number, digest: digest, id: words[2]))
        }
    }

    /// The text of its whole file.
    package var text: String { order.compactMap { entries[$0]?.line }.joined() }

    package var count: Int { entries.count }

    /// The id of a message, and the line that its file lacks.
    ///
    /// - Parameters:
    ///   - number: the packet's; 0 for a message of QoS 0, which never comes again.
    ///   - isRepeated: the flag DUP. Where it is not known the message counts as new: it may then
    ///     be doubled, but is never lost.
    ///   - chance: a random number, for the id of a new message.
    package mutating func id(
        of topic: String, _ payload: [UInt8], number: Int, isRepeated: Bool?, chance: UInt64
    ) -> (id: String, line: String?) {
        let fresh = "mqtt-\(String(chance, radix: 16))"
        guard number > 0 else { return (fresh, nil) }
        let digest = Self.hash(Array(topic.utf8) + [0] + payload)
        if isRepeated == true, let known = entries[number], known.digest == digest {
            return (known.id, nil)
        }
        let entry = Entry(number: number, digest: digest, id: fresh)
        insert(entry)
        return (fresh, entry.line)
    }

    /// The broker keeps no session of this client: it repeats nothing of before.
    package mutating func removeAll() {
        entries = [:]
        order = []
    }

    private mutating func insert(_ entry: Entry) {
        if entries.updateValue(entry, forKey: entry.number) != nil {
            order.removeAll { $0 == entry.number }
        }
        order.append(entry.number)
        if order.count > Self.entriesMax { entries[order.removeFirst()] = nil }
    }
}
