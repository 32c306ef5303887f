import Foundation
import Notation
import Protocol
import Testing

@testable import Recordings

@Suite struct ReadingTests {
    @Test func formatsHaveDistinctTitles() {
        #expect(Set(RecordingFormat.all.map(\.title)).count == RecordingFormat.all.count)
    }

    @Test(arguments: [
        ("others/two-fingers.evemu", RecordingFormat.evemu, 70),
        ("others/finger.evtest", .evtest, 17), ("others/pair.yml", .libinput, 70),
        ("others/phone.getevent", .getevent, 29), ("others/flick.csv", .flicks, 19),
        ("others/wheel.json", .wheel, 52), ("others/stroke.xml", .stroke, 25),
        ("toss.jsonl", .ours, 0),
    ])
    func everyFormatIsRecognizedByItsContent(name: String, format: RecordingFormat, count: Int)
        throws
    {
        let reading = try Reading(Hands.bytes(name), file: "no.name")
        #expect(reading.format == format)
        #expect(count == 0 || reading.recording.events.count == count)
        let marked = try Reading([0xEF, 0xBB, 0xBF] + Hands.bytes(name), file: "no.name")
        #expect(marked.recording == reading.recording)
    }

    @Test(arguments: [
        "toss.jsonl", "tour.jsonl", "others/two-fingers.evemu", "others/wheel.json",
    ])
    func aWrittenRecordingReadsBackUnchanged(name: String) throws {
        let recording = try Reading(Hands.bytes(name), file: name).recording
        let text = recording.text()
        var back = try Recording(parsing: text, file: name)
        #expect(back.text() == text)
        // Only the line numbers may differ.
        for index in back.events.indices { back.events[index].line = recording.events[index].line }
        #expect(back == recording)
    }

    @Test func aRecordingOfOursCanChangeItsSessionAndScene() throws {
        let text = """
            {"gesture-recording":1,"scene":"phone"}
            {"t":0,"topic":"gesture/a/b","body":{}}
            """
        let same = try read(text)
        #expect(same.recording.scene?.string == "phone")
        let other = try read(text) {
            $0.session = "z"
            $0.scene = Node(.string("dock"))
        }
        #expect(other.recording.events[0].topic == Array("gesture/z/b".utf8))
        #expect(other.recording.scene?.string == "dock")
    }

    @Test func gesturesGoToTheNamedComponent() throws {
        let reading = try read("t_ms,pointer,phase,x,y\n5,1,down,1,2\n6,1,up,1,2\n") {
            $0.session = "s"
            $0.component = "tips"
        }
        #expect(
            reading.recording.events.map(\.topic).allSatisfy { $0 == Array("gesture/s/tips".utf8) })
    }

    private static let csv = "phase,t_ms,x,y,pointer,own\n"

    /// Contacts as CSV become pointer gestures.
    @Test func contactsAsCSV() throws {
        let text =
            Self.csv + "down,1000.5,1,2,13,x\nmove,1008.5,3,4,13,x\n\ndown,1009,7,7,13,x\n"
            + "move,1010,5,5,2,x\nup,1010,5,5,2,x\ncancel,1011,0,0,13,x\ndown,1020,1,1,4,x\n"
            + "cancel,1020,0,0,5,x\n"
        let reading = try read(text)
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 13 1,2", "8 changed 13 3,4", "8.5 cancelled 13 3,4", "8.5 began 13 7,7",
                "10.5 cancelled 13 7,7", "19.5 began 4 1,1", "19.5 cancelled 4 1,1",
            ])
        #expect(
            reading.notes == [
                "f: cancelled 2 contacts that never ended: pointer 13 (line 2), pointer 4 (line 9)",
                "f: left out 2 contacts that never landed: pointer 2 (line 6), pointer 5 (line 10)",
            ])
    }

    /// The same contact as spreadsheets, R, pandas and an old machine write it.
    @Test(arguments: [
        "t_ms,pointer,phase,x,y\n0,0,down,1,2.5\n,,,,\n8,0,up,1,2.5\n,,,,\n",
        "\"t_ms\",\"pointer\",\"phase\",\"x\",\"y\"\r\n0,\"0\",\"down\",1,\"2.5\"\r\n"
            + "8,0,\"up\",1,2.5\r\n",
        "\"\";\"t_ms\";\"pointer\";\"phase\";\"x\";\"y\"\n"
            + "\"1\";0;0;\"down\";1;2,5\n\"2\";8;0;\"up\";1;2.5\n",
        "t_ms\tpointer\tphase\tx\ty\n0\t0\tdown\t1\t2.5\n\t\t\t\t\n8\t0\tup\t1\t2.5\n",
        "own,t_ms,pointer,phase,x,y\n"
            + "\"a \"\"b\"\", c\",0,0,down,1,2.5\n\"\", 8 , 0,\"up\" ,1,2.5\n",
        "\tt_ms\tpointer\tphase\tx\ty\n1\t0\t0\tdown\t1\t2.5\n2\t8\t0\tup\t1\t2.5\n",
        "t_ms,pointer,phase,x,y\r0,0,down,1,2.5\r\r8,0,up,1,2.5\r",
    ])
    func tablesAreReadAsProgramsWriteThem(text: String) throws {
        let reading = try read(text)
        #expect(reading.format == .flicks)
        #expect(try reading.recording.events.map(short) == ["0 began 0 1,2.5", "8 ended 0 1,2.5"])
        #expect(reading.notes.isEmpty)
    }

    @Test(arguments: [
        "others/two-fingers.evemu", "others/phone.getevent", "others/flick.csv",
        "others/wheel.json", "others/stroke.xml", "others/finger.evtest", "others/pair.yml",
        "toss.jsonl",
    ])
    func everyFormatMayBeginWithComments(name: String) throws {
        let bytes = try Hands.bytes(name)
        let plain = try Reading(bytes, file: "f").recording
        for mark in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
            let text = mark + Array("# From {a} <phone>, t_ms\n\n  #\r\n".utf8) + bytes
            #expect(try Reading(text, file: "f").recording.text() == plain.text())
        }
    }

    /// Each bad element of a list is named by the line at which it begins.
    @Test func badElementsAreNamedWithTheirLine() throws {
        let turn = #"{"deltaX":0,"deltaY":1,"timeStamp":1}"#
        let reading = try read(
            "{\"wheelEvents\":[\n5,\n\(turn),\n\n[[],\n{}], \"a\\\",{\",\n{\"a\":[1,2]},\n\(turn)]}"
        ) { $0.keepsGoing = true }
        let lines = reading.notes.prefix(4).map { $0.split(separator: ":")[1] }
        #expect(lines == ["2", "5", "6", "7"], "\(reading.notes)")
        #expect(reading.recording.events.map(\.line) == [3, 8])
    }

    /// Two programs wrote down the same fingers.
    @Test func formatsOfDevicesAgree() throws {
        let evemu = try Reading(Hands.bytes("others/two-fingers.evemu"), file: "f").recording
        let libinput = try Reading(Hands.bytes("others/pair.yml"), file: "f").recording
        #expect(try libinput.events.map(short) == evemu.events.map(short))
    }

    @Test func everyKindOfLineEndIsRead() throws {
        var diagnostics = Diagnostics(file: "f", keepsGoing: false)
        var lines = Lines(of: Array("a\rb\r\nc\r\r\nd\n\ne\r\rf".utf8), bytesMax: 9)
        var found: [String] = []
        while let line = try lines.next(&diagnostics) {
            found.append("\(lines.number) " + String(decoding: line, as: UTF8.self))
        }
        #expect(found == ["1 a", "2 b", "3 c", "4 d", "6 e", "8 f"])
    }

    /// A file, and the line and reason for which it is refused.
    @Test(arguments: [
        ("", 1, "empty"), ("\n \n\t\n", 1, "empty"), ("\0\u{1}", 1, "binary"),
        ("# EVEMU\n\nE: 0 3 39 1\nE: 0 3 39 \0\n", 4, "the value is '?'"),
        ("#\nE: \0", 2, "binary"),
        (csv + "down,1,0x10,2,1", 2, "x is '0x10'"), (csv + "down", 2, "1 value where"),
        (csv + "down,1,1,2,1\0", 2, "pointer is '1?'"),
        ("{\"wheelEvents\":[\n{\"deltaX\":1,\n\"deltaY\":x}]}", 3, "not JSON"),
        ("{\"wheelEvents\":[\n7]}", 2, "[0] must be an object"),
        ("{\"a\":[1,\n2],\"wheelEvents\" : \n[\n\n\"x,[\",\n{}]}", 5, "[0] must be an object"),
        ("# a\n{\"wheelEvents\":[\n7]}", 3, "[0] must be an object"),
        (csv + "down,0,1,2,1\nmove,-1,1,2,1", 3, "falls from 0.000000 to -0.001000 s"),
        (csv + "down,-999.5,1,2,1\nmove,-2000,1,2,1", 3, "from -0.999500 to -2.000000 s"),
        ("#\n\n# b\n" + csv + "down,x,1,2,1", 5, "t_ms is 'x'"),
        ("<Gesture>\n<Point X=\"0x1\" Y=\"1\" T=\"1\"/></Gesture>", 2, "X is '0x1'"),
        ("# nothing\n# more\n", 1, "only comments"), ("hello\nworld", 1, "not a known kind"),
        ("\n\nnonsense \u{1B}[31m", 3, "'nonsense ?[31m'"), ("{\"a\":1}", 1, "the first line must"),
        ("[1]", 1, "not a known kind"), ("{", 1, "not JSON"), ("E: 1.0 3 39 1\n", 1, "no events"),
        ("E: 1 3 39\n", 1, "not 3 words"), ("E: x 3 39 1\n", 1, "the time is 'x'"),
        ("E: 1.0000001 3 39 1\n", 1, "the time is"), ("E: -1 3 39 1\n", 1, "the time is"),
        ("E: 1 g 39 1\n", 1, "'g 39', not hexadecimal"), ("E: 1 3 39 1.5\n", 1, "'1.5'"),
        ("E: 1 3 39 99999999999\n", 1, "32 bits"), ("E: 1 3 2f 4000\nE: 1 3 35 1", 1, "slot 4000"),
        ("E: 2 3 39 1\nE: 1 3 39 1\n", 2, "falls from 2.000000 to 1.000000 s"),
        ("E: 1 3 39 1\nE: 99999999 3 39 1\n", 2, "more than a year"),
        ("A: 35 0\n", 1, "not an axis"), ("N: x\nwhat\n", 2, "not a line of evemu: 'what'"),
        ("E: 1 3 35 1\nE: 1 0 2 0\nE: 1 0 0 0", 2, "a contact without its y"),
        ("[ 1.5] 0003 0039", 1, "not 2 words"), ("[ 1.5 0003 0039 1", 1, "no time"),
        ("[ 1.5] 0003 0039 xyz", 1, "the value is 'xyz'"),
        ("[ 1.5] EV_KEY ABS_X 00000001", 1, "ABS_X is not of type EV_KEY"),
        ("[ 1.5] key 14a 00000001", 1, "neither labels"),
        ("/dev/input/event2: 0003 0039 00000001", 1, "has no time"),
        ("0003 0039 00000001\n0000 0000 00000000", 1, "has no time; record with getevent -t"),
        ("EV_ABS       ABS_MT_TRACKING_ID   00000001", 1, "has no time; record with getevent -t"),
        ("add device 1: /dev/input/event2\n0003 0039 00000001", 2, "has no time"),
        ("[ 1.5] 0003 0039 1\nwhat", 2, "not a line of getevent"),
        (csv + "down,1,1,2", 2, "4 values where there are 5"),
        ("t_ms,phase\n", 1, "there is no column pointer"), (csv + "down,x,1,2,1", 2, "t_ms is 'x'"),
        (csv + "down,1e15,1,2,1", 2, "t_ms is beyond"), (csv + "down,1,nan,2,1", 2, "x is 'nan'"),
        (csv + "down,1,1,2,1.5", 2, "pointer is '1.5'"),
        (csv + "down,1,\"1,2,1", 2, "a quoted value that does not end"),
        (csv + "down,1,\"1\"2,2,1", 2, "'2,2,1' behind a quoted value"),
        ("t_ms\tpointer\tphase\tx\ty\n0\t0\tdown\t1,5\t2", 2, "decimals stand behind a point"),
        (csv + "jump,1,1,2,1", 2, "phase is 'jump'"),
        (csv + "down,1,1e7,2,1", 2, "beyond ±1,000,000"),
        (csv + "down,1,1,2,1\nup,0,1,2,1", 3, "falls"), (csv, 1, "no events"),
        (csv + String(repeating: "x", count: 5_000), 2, "a line of 5000 bytes; at most 4096"),
        (#"{"wheelEvents":3}"#, 1, "must be a list"), (#"{"wheelEvents":["#, 1, "not JSON"),
        (#"{"wheelEvents":[]}"#, 1, "no events"),
        ("{\"wheelEvents\":[\n{\"deltaX\":1,\"deltaY\":1,\"timeStamp\":1},\n{}]}", 3, "[1]: "),
        (
            "{\"wheelEvents\":[\n{\"deltaX\":1,\"deltaY\":1,\"timeStamp\":1,\"deltaMode\":7}]}", 2,
            "deltaMode must be"
        ),
        (#"{"wheelEvents":[{"deltaX":1,"deltaY":2e6,"timeStamp":1}]}"#, 1, "deltaX"),
        ("<Gesture>\n</Gesture>", 2, "two points"),
    ])
    func aFaultIsNamedWithItsLine(text: String, line: Int, reason: String) throws {
        let error = #expect(throws: RecordingError.self) { try read(text) }
        guard let error else { return }
        #expect(error.line == line, "\(error)")
        if reason != "deltaX" { #expect(error.message.contains(reason), "\(error)") }
        #expect(error.message.components(separatedBy: "not JSON").count <= 2, "it stutters")
        #expect(error.description.allSatisfy { !$0.isNewline && $0 != "\u{1B}" })
    }

    @Test func badLinesCanBeLeftOutAndAreCounted() throws {
        let lines = (0..<40).map { $0 % 2 == 0 ? "E: 0.0 3 35 \($0)" : "rubbish \($0)" }
        let text =
            "E: 0.0 3 39 1\n" + lines.joined(separator: "\n") + "\nE: 0.0 3 36 9\nE: 0.0 0 0 0\n"
        #expect(throws: RecordingError.self) { try read(text) }
        let reading = try read(text) {
            $0.keepsGoing = true
            $0.scale = 1
        }
        #expect(
            try reading.recording.events.map(short) == ["0 began 0 38,9", "0 cancelled 0 38,9"])
        #expect(reading.notes.count == 12)
        #expect(reading.notes[0] == "f:3: not a line of evemu: 'rubbish 1': left out")
        #expect(reading.notes[11] == "f: 20 lines left out in all")
        #expect(reading.notes[10].hasPrefix("f: cancelled 1 contact"))
    }

    private static let tooShort = "a stroke needs two points"
    private static let empty = "no events in the file"
    private static let emptyOurs = "\(empty): \(RecordingFormat.ours.title)"

    /// Files with nothing left, and the error.
    @Test(arguments: [
        (
            "E: 0.0 3 39 1\nrubbish\nE: 0 x\n",
            "f:2: not a line of evemu: 'rubbish'; 2 lines left out, and then: \(empty): evemu"
        ),
        (
            "{\"gesture-recording\":1}\n{\"t\":0}\n{\"t\":0,\"topic\":3}\nx\n",
            "f:2: topic is missing; 3 lines left out, and then: \(emptyOurs)"
        ),
        (
            """
            <Gesture>
            <Point X="1" Y="y" T="1"/>
            <Point X="1" Y="1" T="1"/></Gesture>
            """,
            "f:2: Y is 'y', not a number within ±1e9; 1 line left out, and then: \(tooShort)"
        ),
        (
            "E: 0.0 3 36 1\nE: 0.0 3 35 1\nE: 0.0 0 0 0\n",
            "f:1: \(empty): evemu; left out 1 contact that never landed: pointer 0 (line 3)"
        ),
        (
            "{\"wheelEvents\":[{\"deltaX\":1,\"deltaY\":0,\"timeStamp\":1}]}",
            "f:1: \(empty): a wheel log (JSON); left out 1 sideways run of less than 50 points"
        ),
    ])
    func aFileWithNothingLeftNamesItsFirstFault(text: String, told: String) {
        let error = #expect(throws: RecordingError.self) {
            try read(text) { $0.keepsGoing = true }
        }
        #expect(error?.description == told)
    }

    @Test func aRecordingThatWasCutShortCanBeReadToItsLastWholeLine() throws {
        let text = """
            {"gesture-recording":1}
            {"t":0,"topic":"gesture/a/b","body":{}}
            {"t":4,"topic":"gest
            """
        let error = #expect(throws: RecordingError.self) { try read(text) }
        #expect(error?.line == 3)
        #expect(error?.message.hasSuffix("(cut short? --keep-going leaves it out)") == true)
        let reading = try read(text) { $0.keepsGoing = true }
        #expect(reading.recording.events.count == 1 && reading.notes.count == 2)
        #expect(!reading.notes[0].contains("--keep-going"), "it is told what it did")
        // A bad header is never left out: it applies to every line.
        #expect(throws: RecordingError.self) {
            try read("{\"gesture-recording\":2}\n") { $0.keepsGoing = true }
        }
    }

    /// Texts with bad lines, the events that are left, and the lines that are named.
    @Test(arguments: [
        (
            "t_ms,pointer,phase,x,y\n0,0,down,1,2\n900000,0,bar,1,1\n20,0,move,3,4\n30,0,up,3,4",
            ["0 began 0 1,2", "20 changed 0 3,4", "30 ended 0 3,4"], [3]
        ),
        (
            """
            {"gesture-recording":1}
            {"t":0,"topic":"gesture/a/b","body":{"gesture":"tap","x":1,"y":1}}
            {"t":100000,"topic":5,"body":{}}
            {"t":100000,"caption":"x","topic":"a/b"}
            {"t":100000,"step":3.5,"topic":"a/b","body":{}}
            {"t":9,"topic":"gesture/a/b","body":{"gesture":"tap","x":2,"y":1}}
            """, ["0 tap  1,1", "9 tap  2,1"], [3, 4, 5]
        ),
        // The second of three times jumps ahead: only that line is left out.
        (
            "E: 1.0 3 35 1\nE: 1.0 3 36 1\nE: 1.0 3 39 1\nE: 1.0 0 0 0\nE: 95.0 3 35 2\n"
                + "E: 1.1 3 36 2\nE: 1.1 0 0 0\nE: 1.2 3 39 -1\nE: 1.2 0 0 0\n",
            ["0 began 0 1,1", "100 changed 0 1,2", "200 ended 0 1,2"], [5]
        ),
        (
            "E: 99.0 3 2f 0\nE: 1.0 3 35 1\nE: 1.0 3 36 1\nE: 1.0 3 39 1\nE: 1.0 0 0 0\n"
                + "E: 1.2 3 39 -1\nE: 1.2 0 0 0\n",
            ["0 began 0 1,1", "200 ended 0 1,1"], [1]
        ),
        (
            "[ 9.5] 0003 0030 00000001\n[ 1.0] 0003 0035 00000001\n[ 1.0] 0003 0036 00000001\n"
                + "[ 1.0] 0003 0039 00000001\n[ 1.0] 0000 0000 00000000\n"
                + "[ 1.2] 0003 0039 ffffffff\n[ 1.2] 0000 0000 00000000\n",
            ["0 began 0 1,1", "200 ended 0 1,1"], [1]
        ),
        // A line whose time falls is left out, also at the end.
        (
            "E: 5.0 3 35 1\nE: 5.0 3 36 1\nE: 5.0 3 39 1\nE: 5.0 0 0 0\nE: 1.0 3 35 2\n"
                + "E: 5.1 3 36 2\nE: 5.1 0 0 0\nE: 5.2 3 39 -1\nE: 5.2 0 0 0\nE: 1.0 3 35 3\n",
            ["0 began 0 1,1", "100 changed 0 1,2", "200 ended 0 1,2"], [5, 10]
        ),
        // A clock that is set back for good makes all later lines bad.
        (
            "E: 5.0 3 35 1\nE: 5.0 3 36 1\nE: 5.0 3 39 1\nE: 5.0 0 0 0\nE: 1.0 3 35 2\n"
                + "E: 1.0 0 0 0\nE: 1.1 3 39 -1\nE: 1.1 0 0 0\n",
            ["0 began 0 1,1", "0 cancelled 0 1,1"], [5, 6, 7, 8]
        ),
    ])
    func aLineThatIsLeftOutDoesNotAffectTheOthers(
        text: String, left: [String], lines: [Int]
    ) throws {
        let reading = try read(text) {
            $0.keepsGoing = true
            $0.scale = 1
        }
        #expect(try reading.recording.events.map(short) == left)
        let named = reading.notes.filter { $0.hasSuffix(": left out") }
        #expect(
            named.map { $0.split(separator: ":")[1] } == lines.map { "\($0)" }, "\(named)")
    }

    @Test func boundsAreEnforced() throws {
        let head = "{\"gesture-recording\":1}\n"
        let long = head + "{\"t\":0,\"caption\":\"\(String(repeating: "x", count: 1_048_576))\"}"
        #expect(throws: RecordingError.self) { try read(long) }
        let captions = (0...Recording.captionsMax).map { _ in "{\"t\":0,\"caption\":\"\"}" }
        let error = #expect(throws: RecordingError.self) {
            try read(head + captions.joined(separator: "\n"))
        }
        #expect(error?.line == Recording.captionsMax + 2)
        #expect(error?.message == "more than \(Recording.captionsMax) captions")
    }
}
