import Codec
import Notation
import Protocol
import Recordings
import Testing

/// The tour reaches everything in the phone by raw contacts on the session's own topic.
@Suite struct TourTests {
    /// One session, so that whoever watches it sees all of the tour.
    @Test func theTourNamesNoComponentAndNoOtherSession() throws {
        let recording = try Recording(parsing: Files.example("tour"), file: "tour.jsonl")
        var gestures = 0
        for event in recording.events {
            let topic = String(decoding: event.topic, as: UTF8.self)
            let body = try Document.json(event.body)
            switch topic {
            case "gesture/alice":
                #expect(body["gesture"]?.string == "pointer")
                gestures += 1
            case "command/alice":
                #expect(["open", "update"].contains(body["command"]?.string))
            case "notification/alice": break
            default: Issue.record("\(topic)")
            }
        }
        #expect(gestures > 300)
    }

    /// Each interaction, by what it passes through.
    @Test func theTourPassesThroughEveryInteraction() throws {
        let lines = try simulate(Files.example("tour"))
        #expect(!lines.contains { $0.topic.hasPrefix("rejected/") })
        var passed: Set<String> = []
        for line in lines where line.topic.hasPrefix("transition/") {
            let body = try Document.json(Array(line.dropFirst(line.topic.count + 1).utf8))
            let component = line.topic.split(separator: "/").last ?? ""
            passed.insert(
                "\(component) \(body["name"]?.string ?? "") \(body["event"]?.string ?? "")")
        }
        let wanted: Set = [
            "tips page ended", "tips dismiss ended", "toss toss ended", "toss return ended",
            "navigation in-via-scale ended", "navigation in-from-bottom ended",
            "navigation in-from-right ended", "navigation out-via-scale ended",
            "navigation out-to-bottom ended", "navigation out-to-right ended",
            "open-mail tap began", "open-market tap began", "open-photos tap began",
            "write tap began", "mail-back tap began", "market-back tap began",
            "photos-back tap began", "compose-back tap began", "thread-back tap began",
            "notifications-back tap began", "letters select began", "follow tap began",
            "navigation pop cancelled", "navigation pop ended", "profile collapse began",
            "profile title began", "profile pull began", "list open ended", "list action began",
            "list close ended", "reader footer-loaded began", "reader page ended",
            "tabs select ended", "tabs bubble-show ended", "tabs bubble-hide ended",
            "dock contact began",
        ]
        #expect(wanted.subtracting(passed).sorted() == [])
    }

    /// A notification slides its screen up, shows the bubble and counts; the last tip leaves and
    /// the app is there.
    @Test func thePartsOfThePhoneAnswerEachOther() throws {
        let lines = try simulate(Files.example("tour"))
        func first(_ topic: String, _ words: String...) throws -> Int {
            try #require(
                lines.firstIndex { line in
                    line.topic == topic && words.allSatisfy(line.contains)
                }, "\(topic) \(words)")
        }
        let bubble = try first("transition/alice/tabs", "bubble-show", "began")
        let screen = try first("transition/alice/navigation", "notifications")
        let count = try first("badge/alice", #""likes":1"#)
        let times = Set([bubble, screen, count].map { lines[$0].number("t") })
        #expect(times.count == 1, "all at once")
        let gone = try first("transition/alice/tips", "dismiss", "ended")
        let selected = try first("transition/alice/tabs", "select", "began")
        #expect(gone < selected)
    }
}
