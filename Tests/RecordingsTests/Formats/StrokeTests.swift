import Foundation
import Notation
import Protocol
import Testing

@testable import Recordings

private func stroke(_ text: String) throws -> Stroke {
    try Stroke(parsing: Array(text.utf8), file: "s.xml")
}

private let head = "\u{FEFF}<?xml version=\"1.0\"?>\n<Gesture Name=\"x\" NumPts=\"3\">\n"

@Suite struct StrokeTests {
    @Test func aStrokeIsReadAndScaledIntoTheMiddle() throws {
        let read = try stroke(
            head
                + """
                <!-- a comment -->
                <Point X="10" Y="100" T="5000" />
                <Point X="20" Y="110" T="5010"/>
                <Point X="30" Y="140" T="5010"></Gesture>
                """)
        #expect(read.points.map(\.x) == [10, 20, 30])
        // 20 by 40 into 0.8 of 100 by 100: twice as large, and centered.
        let recording = read.recording(topic: Array("gesture/s/c".utf8), viewport: (100, 100))
        #expect(recording.events.map(\.time) == [0, 10, 10])
        #expect(
            recording.events.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"gesture":"pan","phase":"began","x":30.0,"y":10.0}"#,
                #"{"gesture":"pan","phase":"changed","x":50.0,"y":30.0}"#,
                #"{"gesture":"pan","phase":"ended","x":70.0,"y":90.0}"#,
            ])
        #expect(recording.events.allSatisfy { $0.topic == Array("gesture/s/c".utf8) })
    }

    @Test func aStrokeOnOneSpotStaysInTheMiddle() throws {
        let text = #"<Gesture><Point X="1" Y="1" T="0"/><Point X="1" Y="1" T="9"/></Gesture>"#
        let events = try stroke(text)
            .recording(topic: Array("gesture/s/c".utf8), viewport: (320, 568)).events
        for event in events {
            let body = try Document.json(event.body)
            #expect(body["x"]?.double == 160 && body["y"]?.double == 284)
        }
    }

    @Test func clocksBeginAnywhere() throws {
        for first in ["1700000000000", "0", "-5", "1700000000000.25"] {
            let last = first.hasPrefix("-") ? "5" : String(try #require(Double(first)) + 10)
            let text = "<Gesture><Point X='1' Y='1' T='\(first)'/><Point X='2' Y='1' T='\(last)'/>"
            #expect(
                try read(text + "</Gesture>").recording.events.map(\.time) == [0, 10], "\(first)")
        }
    }

    @Test func everyFormOfXMLIsRead() throws {
        let read = try stroke(
            """
            <?xml version='1.0'?>
            <!DOCTYPE Gesture SYSTEM "g.dtd" [
              <!ELEMENT Gesture (Point*)> ]>
            <Gesture NumPts='2' Data-1="it's" ns:own_2.x = 'say "a > b"'>
            <Point X = '1' Y="2" T='3'/><Point X='4' Y='5' T='6'/></Gesture>
            """)
        #expect(read.points.map(\.y) == [2, 5])
    }

    @Test func aPauseIsFilledWithTheLastSample() throws {
        let text = """
            <Gesture><Point X="0" Y="0" T="10"/>
            <Point X="9" Y="0" T="2110"/><Point X="10" Y="0" T="3110.5"/></Gesture>
            """
        #expect(
            try shorts(text) == [
                "0 pan began 32,284", "1000 pan changed 32,284", "2000 pan changed 32,284",
                "2100 pan changed 262.4,284", "3100 pan changed 262.4,284",
                "3100.5 pan ended 288,284",
            ])
        let years = """
            <Gesture><Point X="0" Y="0" T="0"/><Point X="9" Y="0" T="1000000000"/>
            <Point X="9" Y="0" T="1000001000"/></Gesture>
            """
        let error = #expect(throws: RecordingError.self) { try stroke(years) }
        #expect(error?.message == "more than 1000000 events")
    }

    @Test(arguments: [
        ("", 1, "no <Gesture>"),
        ("hello", 1, "text outside"),
        ("<Gesture>\n", 2, "ends before </Gesture>"),
        ("<Gesture></Gesture>", 1, "two points"),
        ("<Gesture>\n<Line/></Gesture>", 2, "<Line> does not belong"),
        ("<Point X=\"1\" Y=\"1\" T=\"1\"/>", 1, "<Point> does not belong"),
        ("<Gesture>\n<Point X=\"1\" Y=\"1\"/></Gesture>", 2, "T is missing"),
        ("<Gesture>\n<Point X=\"a\" Y=\"1\" T=\"1\"/></Gesture>", 2, "X is 'a'"),
        ("<Gesture>\n<Point X=\"nan\" Y=\"1\" T=\"1\"/></Gesture>", 2, "X is 'nan'"),
        ("<Gesture>\n<Point X=\"1\" X=\"1\" T=\"1\"/></Gesture>", 2, "X twice"),
        ("<Gesture>\n<Point X=\"1\" Y=1 T=\"1\"/></Gesture>", 2, "broken"),
        ("<Gesture>\n<Point X=\"1", 2, "does not end"),
        ("<Gesture>\n<Point X=\"1\"", 2, "broken"),
        ("<Gesture/>\n<Gesture/>", 2, "<Gesture> does not belong"),
        ("<!-- x", 1, "inside a declaration"), ("<!DOCTYPE [<!E x>", 1, "inside a declaration"),
        ("<Gesture NumPts='2\">", 1, "does not end"), ("<1a/>", 1, "without a name"),
        ("<Gesture>\n<Point X=\"1\" Y=\"1\" T=\"1e13\"/></Gesture>", 2, "within ±9e12"),
        (
            "<Gesture><Point X=\"1\" Y=\"1\" T=\"0\"/>\n"
                + "<Point X=\"1\" Y=\"1\" T=\"4e10\"/></Gesture>",
            2, "more than a year"
        ),
        (head + "</Gesture>", 3, "NumPts says 3 points, there are 0"),
        (
            "<Gesture><Point X=\"1\" Y=\"1\" T=\"2\"/>\n<Point X=\"1\" Y=\"1\" T=\"1\"/></Gesture>",
            2, "T falls from 2 to 1"
        ),
        (
            "<Gesture><Point X=\"1\" Y=\"1\" T=\"2\"/><Point X=\"1\" Y=\"1\" T=\"2\"/>"
                + "</Gesture>\n<Gesture>", 2, "there is more after"
        ),
    ])
    func aFaultIsNamedWithItsLine(text: String, line: Int, reason: String) {
        let error = #expect(throws: RecordingError.self) { try stroke(text) }
        #expect(error?.line == line)
        #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    }

    private static let folder = Hands.shared.appendingPathComponent("dollar1-unistroke/s02")

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: folder.path),
            "the recorded strokes (dollar1-unistroke) are not here"))
    func recordedStrokesBecomePans() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".xml") }
        #expect(files.count > 50)
        for file in files {
            let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
            let read = try Stroke(parsing: bytes, file: file)
            let events = read.recording(
                topic: Array("gesture/demo/toss".utf8), viewport: (320, 568)
            ).events
            let bodies = try events.map { try Document.json($0.body) }
            let phases = bodies.compactMap { $0["phase"]?.string }
            #expect(
                phases == ["began"] + Array(repeating: "changed", count: read.points.count - 2)
                    + ["ended"])
            #expect(events.map(\.time) == read.points.map { $0.time - read.points[0].time })
            let inside = bodies.allSatisfy {
                (31.99...288.01).contains($0["x"]?.double ?? -1)
                    && (56.79...511.21).contains($0["y"]?.double ?? -1)
            }
            #expect(inside, "\(file) leaves the viewport")
        }
    }
}
