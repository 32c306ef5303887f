import Codec
import Foundation
import Geometry
import Notation
import Protocol
import Testing

@testable import Recordings

/// Files are mutated at random: each is refused with a line, or can be played.
@Suite struct MutationTests {
    private static let names = [
        "others/two-fingers.evemu", "others/phone.getevent", "others/flick.csv",
        "others/wheel.json", "others/stroke.xml", "others/finger.evtest", "others/pair.yml",
        "toss.jsonl",
    ]

    @Test(arguments: names)
    func mutatedFilesAreRefusedOrSound(name: String) throws {
        let whole = try Hands.bytes(name).prefix(12_000)
        var random = SplitMix64(seed: 0x7E57)
        var refused = 0
        for round in 0..<400 {
            let bytes = spoil(Array(whole), &random)
            var options = ReadingOptions()
            options.keepsGoing = round % 2 == 1
            do throws(RecordingError) {
                let reading = try Reading(bytes, file: "f", options: options)
                try expectSound(reading, "\(name), round \(round)")
            } catch {
                refused += 1
                #expect(error.line >= 1 && !error.message.contains("\n"), "\(error)")
                #expect(error.message.utf8.allSatisfy { $0 != 0x1B && $0 != 0 }, "\(error)")
            }
        }
        #expect(refused > 20 && refused < 400, "\(refused) of 400 refused")
    }

    /// One to three mutations.
    private func spoil(_ whole: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = whole
        for _ in 0..<(1 + random.below(3)) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            let other = random.below(bytes.count)
            switch random.below(8) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes.removeSubrange(min(place, other)..<max(place, other))
            case 2: bytes.removeLast(bytes.count - place)
            case 3: bytes.insert(contentsOf: bytes[min(place, other)...].prefix(60), at: place)
            case 4: bytes[place] ^= 1 << UInt8(random.below(8))
            case 5: bytes.insert(contentsOf: Array("99999999999".utf8), at: place)
            case 6: bytes.swapAt(place, other)
            default:
                var lines = bytes.split(
                    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                lines.swapAt(random.below(lines.count), random.below(lines.count))
                bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
            }
        }
        return bytes
    }

    private func expectSound(_ reading: Reading, _ place: String) throws(RecordingError) {
        let recording = reading.recording
        var last = 0.0
        for event in recording.events {
            #expect(event.time >= last && event.time.isFinite, "\(place): time falls")
            last = event.time
        }
        // The written recording reads back: none of its lines is refused.
        #expect(try Recording(parsing: recording.text(), file: "g").text() == recording.text())
        guard reading.format != .ours else { return }
        var down: Set<Int> = []
        for event in recording.events {
            guard let topic = try? Topic(event.topic) else {
                Issue.record("\(place): a bad topic")
                continue
            }
            let decoded = Result { try EventDecoder().decode(topic: topic, body: event.body) }
            #expect(throws: Never.self, "\(place)") { _ = try decoded.get() }
            guard let body = try? Document.json(event.body), let pointer = body["pointer"]?.int,
                let phase = body["phase"]?.string
            else { continue }
            #expect((phase == "began") != down.contains(pointer), "\(place): \(phase)")
            if ["ended", "cancelled"].contains(phase) {
                down.remove(pointer)
            } else {
                down.insert(pointer)
            }
        }
        #expect(down.isEmpty, "\(place): left down")
    }
}

extension SplitMix64 {
    /// A whole number from 0, below another one.
    fileprivate mutating func below(_ count: Int) -> Int { whole(in: 0...(count - 1)) }
}
