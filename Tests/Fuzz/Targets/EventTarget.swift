import Codec
import Interactions
import Notation
import Protocol
import Sessions

extension Target {
    /// Lines of a topic, a space and a body. Both readers of JSON judge a body alike, and what the
    /// events make of sessions can be told.
    static let event = Target(name: "event") { bytes in
        var events: [(topic: [UInt8], body: [UInt8])] = []
        let decoder = EventDecoder()
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(linesMax) {
            let topic = line.prefix { $0 != UInt8(ascii: " ") }
            let event = (Array(topic), Array(line.dropFirst(topic.count + 1)))
            if judgeEvent(topic: event.0, body: event.1, decoder) { events.append(event) }
        }
        guard !events.isEmpty else { return }
        // The scenes are the package's own, so none is refused.
        do throws(Rejection) { try play(events) } catch { fatalError(error.message) }
    }

    /// Events of one input: more would only be slower.
    private static let linesMax = 24

    /// Returns whether it is an event.
    private static func judgeEvent(
        topic: [UInt8], body: [UInt8], _ decoder: EventDecoder
    ) -> Bool {
        guard let topic = try? Topic(topic) else { return false }
        do throws(DecodingFailure) {
            let event = try decoder.decode(topic: topic, body: body)
            expect(event.time?.isFinite != false, "a time that is none")
            let again = try EventDecoder().decode(topic: topic, body: body)
            expect(again == event, "another decoder decodes another event")
            let tree = try? Document.json(body)
            expect(tree?.members != nil, "\(body.text) is JSON for events alone")
            return true
        } catch {
            expectWords(error.rejection.message)
            if error.rejection.code == .badJSON, body.count <= Limits.bodyBytesMax {
                let tree = try? Document.json(body)
                expect(tree?.members == nil, "\(body.text) is no JSON for events alone")
            }
            return false
        }
    }
}
