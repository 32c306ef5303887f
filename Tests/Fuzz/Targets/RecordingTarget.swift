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

    /// Events that are looked at one by one; more would take seconds.
    private static let eventsJudgedMax = 5_000

    private static func judge(_ reading: Reading) {
        let recording = reading.recording
        var last = 0.0
        for event in recording.events {
            expect(event.time.isFinite && event.time >= last, "time falls to \(event.time)")
            last = event.time
        }
        // A finger that rests for days has a sample for each second.
        guard recording.events.count <= eventsJudgedMax else { return }
        let text = recording.text()
        do throws(RecordingError) {
            let again = try Recording(parsing: text, file: "g")
            expect(again.text() == text, "\(text.text) became \(again.text().text)")
            expect(again.events.count == recording.events.count, "events were lost")
        } catch {
            fatalError("\(text.text): \(error)")
        }
        // Recordings of ours may hold events that the daemon refuses.
        guard reading.format != .ours else { return }
        var contacts = Contacts()
        for event in recording.events { contacts.take(topic: event.topic, body: event.body) }
        contacts.expectEnded()
    }
}
