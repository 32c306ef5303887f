import Codec
import Notation
import Protocol
import Recordings

extension Target {
    /// A file of any format. Its recording reads back as it is written, and one that is not of ours
    /// has events that can be decoded, with each contact begun and ended.
    static let recording = Target(name: "recording") { bytes in
        for keepsGoing in [false, true] {
            var options = ReadingOptions()
            options.keepsGoing = keepsGoing
            do throws(RecordingError) {
                let reading = try Reading(bytes, file: "f", options: options)
                for note in reading.notes { expectLine(note) }
                judge(reading)
            } catch {
                expectLine(error.message)
                expect(error.line >= 1, "an error without a line: \(error)")
            }
        }
        do throws(RecordingError) {
            _ = try Axes(parsing: bytes, file: "f")
        } catch {
            expectLine(error.message)
        }
    }

    private static func judge(_ reading: Reading) {
        let recording = reading.recording
        var last = 0.0
        for event in recording.events {
            expect(event.time.isFinite && event.time >= last, "time falls to \(event.time)")
            last = event.time
        }
        let text = recording.text()
        do throws(RecordingError) {
            let again = try Recording(parsing: text, file: "g")
            expect(again.text() == text, "\(text.text) became \(again.text().text)")
            expect(again.events.count == recording.events.count, "events were lost")
        } catch {
            fatalError("\(text.text): \(error)")
        }
        if reading.format != .ours { judgeContacts(recording) }
    }

    private static func judgeContacts(_ recording: Recording) {
        let decoder = EventDecoder()
        var down: Set<Int> = []
        for event in recording.events {
            do {
                _ = try decoder.decode(topic: try Topic(event.topic), body: event.body)
            } catch {
                fatalError("\(event.topic.text) \(event.body.text): \(error)")
            }
            guard let body = try? Document.json(event.body), let pointer = body["pointer"]?.int,
                let phase = body["phase"]?.string
            else { continue }
            expect((phase == "began") != down.contains(pointer), "\(pointer) \(phase)")
            if phase == "ended" || phase == "cancelled" {
                down.remove(pointer)
            } else {
                down.insert(pointer)
            }
        }
        expect(down.isEmpty, "left down: \(down)")
    }
}
