import Testing

@testable import Recordings

/// The output of `evtest` and `libinput record`.
@Suite struct DeviceLogTests {
    // MARK: evtest

    private static let head = """
        Input driver version is 1.0.1
        Input device ID: bus 0x18 vendor 0x4f3 product 0x2234 version 0x100
        Input device name: "A screen, of the tests"
        Supported events:
          Event type 0 (EV_SYN)
          Event type 1 (EV_KEY)
            Event code 330 (BTN_TOUCH)
          Event type 3 (EV_ABS)
            Event code 0 (ABS_X)
              Value      5
              Min        0
              Max      639
              Resolution      12
            Event code 53 (ABS_MT_POSITION_X)
              Value      0
              Min        0
              Max      640
            Event code 54 (ABS_MT_POSITION_Y)
              Value      0
              Min        0
              Max     1136
          Event type 4 (EV_MSC)
            Event code 53 (?)
        Properties:
          Property type 1 (INPUT_PROP_DIRECT)
        Testing ... (interrupt to exit)

        """

    private static let names = [
        "slot": (3, 47, "ABS_MT_SLOT"), "x": (3, 53, "ABS_MT_POSITION_X"),
        "y": (3, 54, "ABS_MT_POSITION_Y"), "id": (3, 57, "ABS_MT_TRACKING_ID"),
        "tool": (3, 55, "ABS_MT_TOOL_TYPE"), "x1": (3, 0, "ABS_X"), "y1": (3, 1, "ABS_Y"),
        "touch": (1, 330, "BTN_TOUCH"), "left": (1, 272, "BTN_LEFT"), "key": (1, 30, "KEY_A"),
        "pen": (1, 320, "BTN_TOOL_PEN"), "rel": (2, 0, "REL_X"),
    ]

    /// Lines `<ms> <name> <value>` as evtest writes them.
    private func evtest(_ lines: String...) -> String {
        lines.map { line in
            let words = line.split(separator: " ")
            let time = "Event: time 1697531620.\(100_000 + (Int(words[0]) ?? 0) * 1_000)"
            switch words[1] {
            case "sync": return "\(time), -------------- SYN_REPORT ------------\n"
            case "old": return "\(time), -------------- Report Sync ------------\n"
            case "oldest": return "\(time), -------------- EV_SYN ------------\n"
            case "mt": return "\(time), ++++++++++++++ SYN_MT_REPORT ++++++++++++\n"
            case "lost": return "\(time), >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<\n"
            case "scan": return "\(time), type 4 (EV_MSC), code 4 (MSC_SCAN), value 9001f\n"
            default:
                let (type, code, label) = Self.names[String(words[1])] ?? (0, 0, "?")
                return "\(time), type \(type) (EV_?), code \(code) (\(label)), value \(words[2])\n"
            }
        }.joined()
    }

    @Test func slotsOfEvtestAreContacts() throws {
        let text = evtest(
            "0 id 9", "0 x 398", "0 y 200", "0 touch 1", "0 x1 398", "0 y1 200", "0 sync",
            "8 slot 1", "8 id 10", "8 x 20", "8 y 40", "8 sync", "16 slot 0", "16 x 400",
            "16 sync", "24 id -1", "24 slot 1", "24 id -1", "24 touch 0", "24 sync")
        let reading = try read(Self.head + text)
        #expect(reading.format == .evtest && reading.notes == [])
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 199,100", "8 began 1 10,20", "16 changed 0 200,100",
                "24 ended 0 200,100", "24 ended 1 10,20",
            ])
        // People leave the description out, or copy the command and the interrupt too.
        #expect(try shorts(text).count == 5)
        let shown = "$ sudo evtest\nAvailable devices:\n/dev/input/event0:\tA screen\n"
        #expect(try shorts(shown + Self.head + text + "^C\n").count == 5)
        let crlf = (Self.head + text).replacing("\n", with: "\r\n")
        #expect(try read(crlf).recording.events.count == 5)
    }

    @Test func otherDevicesOfEvtestAreContactsToo() throws {
        // Protocol A, and a contact that is no longer listed.
        #expect(
            try shorts(
                evtest(
                    "0 x 1", "0 y 2", "0 mt", "0 x 8", "0 y 9", "0 mt", "0 sync", "8 x 8", "8 y 9",
                    "8 mt", "8 sync", "16 mt", "16 sync"))
                == [
                    "0 began 0 1,2", "0 began 1 8,9", "8 ended 0 1,2", "8 changed 1 8,9",
                    "16 ended 1 8,9",
                ])
        // BTN_TOUCH alone, and the names of older versions.
        #expect(
            try shorts(
                evtest(
                    "0 x1 1", "0 y1 2", "0 touch 1", "0 old", "8 scan", "8 x1 3", "8 oldest",
                    "16 touch 0", "16 old"))
                == ["0 began 0 1,2", "8 changed 0 3,2", "16 ended 0 3,2"])
        // The tablet of a virtual machine.
        #expect(
            try shorts(
                evtest("0 x1 1", "0 y1 2", "0 scan", "0 left 1", "0 sync", "8 left 0", "8 sync"))
                == ["0 began 0 1,2", "8 ended 0 1,2"])
        // A pen that hovers, and a palm.
        #expect(
            try shorts(
                evtest(
                    "0 pen 1", "0 x1 1", "0 y1 2", "0 sync", "8 touch 1", "8 sync", "16 touch 0",
                    "16 sync", "24 x1 9", "24 pen 0", "24 sync"))
                == ["0 began 0 1,2", "8 ended 0 1,2"])
        #expect(
            try shorts(
                evtest(
                    "0 id 1", "0 x 1", "0 y 2", "0 sync", "8 tool 2", "8 sync", "16 id -1",
                    "16 sync"))
                == ["0 began 0 1,2", "8 cancelled 0 1,2"])
        // Missing events.
        #expect(
            try shorts(
                evtest(
                    "0 id 1", "0 x 1", "0 y 2", "0 sync", "8 lost", "8 sync", "16 id 2",
                    "16 sync", "24 id -1", "24 sync"))
                == ["0 began 0 1,2", "8 cancelled 0 1,2", "16 began 0 1,2", "24 ended 0 1,2"])
    }

    @Test func aMouseOfEvtestIsToldToBeNone() {
        let text = Self.head + evtest("0 rel 4", "0 sync", "8 left 1", "8 sync", "16 key 1")
        let error = #expect(throws: RecordingError.self) { try read(text) }
        #expect(error?.message.contains("left out 3 events of keys, wheels or switches") == true)
    }

    @Test func severalRunsOfEvtestAreSeveralDevices() throws {
        let first = evtest("0 id 1", "0 x 2", "0 y 2", "0 sync", "8 id -1", "8 sync")
        let second = evtest("4 id 1", "4 x 20", "4 y 20", "4 sync", "20 id -1", "20 sync")
        let other = Self.head.replacing("Max      640", with: "Max      1280")
            .replacing("Max     1136", with: "Max     2272")
        #expect(
            try read(Self.head + first + other + second).recording.events.map(short) == [
                "0 began 0 1,1", "4 began 1 5,5", "8 ended 0 1,1", "20 ended 1 5,5",
            ])
    }

    @Test(arguments: [
        ("Event: time 1, type 3 (EV_ABS), code 53", "an event needs type, code and value"),
        ("Event: time 1, type 3 (EV_ABS), code 53 (X), value", "not a value of 32 bits"),
        ("Event: time 1, type 3 (EV_ABS), code 53 (X), value 4f", "not a value of 32 bits"),
        ("Event: time 1, type 3 (EV_ABS), code 53 (X), value 9999999999", "not a value of 32"),
        ("Event: time 1, type x, code 53 (X), value 1", "an event needs type, code and value"),
        ("Event: time x, type 3 (EV_ABS), code 53 (X), value 1", "the event has no time"),
        ("Event: time 1, ------------ SYN_OTHER -----------", "an event needs type, code and"),
        ("Evint: time 1, -------------- SYN_REPORT ------------", "not a line of evtest"),
    ])
    func aBrokenLineOfEvtestIsNamed(line: String, message: String) throws {
        let good = evtest("0 id 1", "0 x 1", "0 y 2", "0 sync")
        let error = #expect(throws: RecordingError.self) { try shorts(good + line + "\n") }
        #expect(error?.line == 5 && error?.message.contains(message) == true, "\(error as Any)")
        let rest = try read(good + line + "\n") {
            $0.keepsGoing = true
            $0.scale = 1
        }
        #expect(rest.recording.events.count == 2)
    }

    // MARK: libinput record

    private static let axes = """
            absinfo:
              53: [0, 640, 0, 0, 12] # min,max,fuzz,flat,res
              54: [0, 1136, 0, 0, 12]

        """

    private func device(
        _ node: Int, axes: String = DeviceLogTests.axes, _ events: String
    ) -> String {
        """
        - node: /dev/input/event\(node)
          evdev:
            # Name: A screen
            # Supported Events:
            #   Event code 53 (ABS_MT_POSITION_X)
            #       Max          9
            name: "A screen # of the tests"
            id: [24, 1267, 8756, 256]
            codes:
              0: [0, 1, 2, 3, 4] # EV_SYN
              1: [330] # EV_KEY
              53: [1, 2, 3]
        \(axes)    properties: [1]
          hid: [ 0x05, 0x0d, 0x09, 0x04 ]
          udev:
            properties:
            - ID_INPUT=1
            - ID_INPUT_TOUCHSCREEN=1
            virtual: false
          quirks:
          - ModelTouch=1
          events:
          # Current time is 20:59:01

        """ + events
    }

    private static let preamble = """
        version: 1
        ndevices: 1
        libinput:
          version: "1.19.0"
          git: "unknown"
        system:
          os: "none:1"
          kernel: "6.1"
        devices:

        """

    /// One report of events, each `type code value`.
    private func report(_ milliseconds: Int, _ events: String...) -> String {
        let lines = (events + ["0 0 0"]).map { event in
            let numbers = event.split(separator: " ").joined(separator: ", ")
            let micro = milliseconds % 1_000 * 1_000
            return "    - [  \(milliseconds / 1_000), \(micro), \(numbers)] # EV_ABS / X  1\n"
        }
        return "  - evdev:\n" + lines.joined()
            + "  - libinput:\n    - {time: 0.1, type: TOUCH_MOTION, slot: 0, seat_slot: 0}\n"
    }

    @Test func aRecordOfLibinputIsRead() throws {
        let events =
            report(0, "3 57 31", "3 53 400", "3 54 200", "1 330 1") + report(1_008, "3 53 402")
            + report(1_090, "3 57 -1", "1 330 0")
        let body = Self.preamble + device(5, events)
        for text in [body, "# libinput record\n" + body] {
            let reading = try read(text)
            #expect(reading.format == .libinput && reading.notes == [])
            #expect(
                try reading.recording.events.map(short) == [
                    "0 began 0 200,100", "1000 changed 0 200,100", "1008 changed 0 201,100",
                    "1090 ended 0 201,100",
                ])
        }
    }

    @Test func severalDevicesOfLibinputShareAClock() throws {
        let pen =
            report(4, "1 320 1", "3 0 30", "3 1 40") + report(12, "1 330 1")
            + report(20, "1 330 0", "1 320 0")
        let keys = report(6, "1 30 1")
        let screen = report(8, "3 57 1", "3 53 2", "3 54 4") + report(16, "3 57 -1")
        let text =
            Self.preamble + device(3, axes: "", pen) + device(4, axes: "", keys)
            + device(5, screen)
        let reading = try read(text) { $0.scale = 1 }
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 2,4", "4 began 1 30,40", "8 ended 0 2,4", "12 ended 1 30,40",
            ])
        #expect(reading.notes == ["f: left out 1 event of keys, wheels or switches"])
    }

    @Test(arguments: [
        ("    - [  0,  90000,   3,  57", "an event needs [seconds, microseconds,"),
        ("    - [  0,  90000,   3,  57, x]", "an event needs [seconds, microseconds,"),
        ("    - [  0,  90000,   3,  57, 1, 2]", "an event needs [seconds, microseconds,"),
        ("    - [  0, 1000000,   3,  57, 1]", "the time is '0, 1000000', not seconds and"),
        ("    - [ -1,  90000,   3,  57, 1]", "the time is '-1, 90000', not seconds and"),
        ("    - [  0,  90000,   3,  57, 4294967296]", "the value is '4294967296', not a whole"),
        ("    x [  0,  90000,   3,  57, 1]", "not an event of libinput"),
    ])
    func aBrokenEventOfLibinputIsNamed(line: String, message: String) throws {
        let good =
            "version: 1\nndevices: 1\ndevices:\n- node: /dev/x\n  events:\n  - evdev:\n"
            + "    - [0, 0, 3, 57, 1]\n    - [0, 0, 3, 53, 1]\n    - [0, 0, 3, 54, 2]\n"
            + "    - [0, 0, 0, 0, 0]\n"
        let error = #expect(throws: RecordingError.self) { try shorts(good + line + "\n") }
        #expect(error?.line == 11 && error?.message.contains(message) == true, "\(error as Any)")
        let rest = try read(good + line + "\n") {
            $0.keepsGoing = true
            $0.scale = 1
        }
        #expect(rest.recording.events.count == 2)
    }

    @Test func bothDescribeDevices() throws {
        let descriptions = [Self.head, Self.preamble + device(5, "")]
        for text in descriptions {
            let axes = try Axes(parsing: Array(text.utf8), file: "d")
            #expect(axes.x == 0...640 && axes.y == 0...1_136)
            let error = #expect(throws: RecordingError.self) { try read(text) }
            #expect(error?.message.contains("describes a device") == true)
        }
    }

    /// A description may be longer than the beginning by which a format is told.
    @Test func aLongDescriptionHidesNoFormat() throws {
        let hid = "  hid: [ " + String(repeating: "0x00, ", count: 4_000) + "0x00 ]\n"
        let padding = String(repeating: "# Supported Events: none of these\n", count: 3_000)
        let text =
            "# libinput record\nversion: 1\n" + padding + hid
            + device(5, report(0, "3 57 1", "3 53 2", "3 54 2") + report(8, "3 57 -1"))
        let reading = try read(text)
        #expect(reading.format == .libinput && reading.recording.events.count == 2)
    }
}
