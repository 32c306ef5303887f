import Testing

@testable import Recordings

/// A device's reports become gestures, here as `time phase pointer x,y`.
@Suite struct ContactTests {
    @Test func slotsReportOnlyChanges() throws {
        let text = evemu(
            "0 slot 0", "0 id 7", "0 x 10", "0 y 20", "0 slot 1", "0 id 8", "0 x 50", "0 y 60",
            "0 sync", "8 slot 0", "8 x 11", "8 sync", "16 slot 1", "16 y 61", "16 sync",
            "24 slot 0", "24 id -1", "24 sync", "32 id 9", "32 y 30", "32 sync",
            "40 id -1", "40 slot 1", "40 id -1", "40 sync")
        #expect(
            try shorts(text) == [
                "0 began 0 10,20", "0 began 1 50,60", "8 changed 0 11,20", "16 changed 1 50,61",
                "24 ended 0 11,20", "32 began 0 11,30", "40 ended 0 11,30", "40 ended 1 50,61",
            ])
    }

    @Test func aContactMayComeAndGoWithinOneReport() throws {
        let text = evemu(
            "0 id 1", "0 x 1", "0 y 2", "0 id -1", "0 sync",
            "9 id 2", "9 x 3", "9 sync", "19 id -1", "19 id 3", "19 x 5", "19 sync",
            "29 id 4", "29 sync", "39 x 9", "39 id -1", "39 sync")
        #expect(
            try shorts(text) == [
                "0 began 0 1,2", "0 ended 0 1,2", "9 began 0 3,2", "19 ended 0 3,2",
                "19 began 0 5,2", "29 ended 0 5,2", "29 began 0 5,2", "39 ended 0 9,2",
            ])
    }

    @Test func aContactBeginsOnceItsPlaceIsKnown() throws {
        let text = evemu(
            "0 id 1", "0 x 1", "0 sync", "8 y 2", "8 sync", "16 id -1", "16 sync")
        #expect(try shorts(text) == ["0 began 0 1,2", "8 ended 0 1,2"])
    }

    @Test func aContactThatIsNoLongerListedEnds() throws {
        let text = evemu(
            "0 x 1", "0 y 2", "0 id 5", "0 mt", "0 x 8", "0 y 9", "0 id 6", "0 mt", "0 sync",
            "8 x 9", "8 y 9", "8 id 6", "8 mt", "8 sync", "16 mt", "16 sync", "24 sync")
        #expect(
            try shorts(text) == [
                "0 began 0 1,2", "0 began 1 8,9", "8 ended 0 1,2", "8 changed 1 9,9",
                "16 ended 1 9,9",
            ])
    }

    /// Contacts without ids are matched by distance, whatever their order.
    @Test func contactsWithoutIdsAreMatchedByDistance() throws {
        let text = evemu(
            "0 x 10", "0 y 0", "0 mt", "0 x 90", "0 y 0", "0 mt", "0 sync",
            "8 x 80", "8 y 0", "8 mt", "8 x 12", "8 y 0", "8 mt", "8 sync",
            "16 x 70", "16 y 0", "16 mt", "16 x 40", "16 y 0", "16 mt", "16 x 14", "16 y 0",
            "16 mt", "16 sync", "24 x 70", "24 y 0", "24 major 0", "24 mt", "24 sync")
        #expect(
            try shorts(text) == [
                "0 began 0 10,0", "0 began 1 90,0", "8 changed 1 80,0", "8 changed 0 12,0",
                "16 changed 1 70,0", "16 began 2 40,0", "16 changed 0 14,0", "24 ended 1 70,0",
                "24 ended 2 40,0", "24 ended 0 14,0",
            ])
    }

    @Test func aDeviceOfOneContactIsRead() throws {
        let text = evemu(
            "0 x1 4", "0 y1 5", "0 sync", "8 touch 1", "8 sync", "16 x1 6", "16 sync", "20 sync",
            "24 touch 0", "24 sync", "32 x1 9", "32 sync")
        #expect(try shorts(text) == ["0 began 0 4,5", "8 changed 0 6,5", "16 ended 0 6,5"])
    }

    @Test func aSingleContactMayComeAndGoWithinOneReport() throws {
        let text = evemu(
            "0 x1 4", "0 y1 5", "0 touch 1", "0 touch 0", "0 sync", "8 touch 1", "8 sync",
            "16 touch 0", "16 touch 1", "16 x1 9", "16 sync", "24 touch 0", "24 sync")
        #expect(
            try shorts(text) == [
                "0 began 0 4,5", "0 ended 0 4,5", "8 began 0 4,5", "16 ended 0 4,5",
                "16 began 0 9,5", "24 ended 0 9,5",
            ])
    }

    @Test func aSingleContactThatNeverLandedIsReported() throws {
        let text = evemu(
            "0 x1 4", "0 y1 5", "0 sync", "8 touch 0", "8 sync", "16 touch 1", "16 sync",
            "24 touch 0", "24 sync")
        let reading = try read(text) { $0.scale = 1 }
        #expect(
            try reading.recording.events.map(short) == ["0 began 0 4,5", "8 ended 0 4,5"])
        #expect(
            reading.notes == ["f: left out 1 contact that never landed: pointer 0 (line 5)"])
    }

    /// After a loss nobody knows whether the contact is down, until it lands again.
    @Test func missingEventsCancelASingleContactToo() throws {
        let text = evemu(
            "0 x1 4", "0 y1 5", "0 touch 1", "0 sync", "8 lost", "8 touch 1", "8 x1 9", "8 sync",
            "16 x1 8", "16 sync", "24 touch 0", "24 sync", "32 touch 1", "32 sync",
            "40 touch 0", "40 sync")
        #expect(
            try shorts(text) == [
                "0 began 0 4,5", "8 cancelled 0 4,5", "32 began 0 8,5", "40 ended 0 8,5",
            ])
    }

    /// A device with pressure may end a report without listing any contact.
    @Test func aPressureAloneEndsAListOfContacts() throws {
        let text = evemu(
            "0 x 1", "0 y 2", "0 pressure 9", "0 mt", "0 sync", "8 sync", "16 pressure 0",
            "16 sync", "24 x 90", "24 y 80", "24 pressure 9", "24 mt", "24 sync",
            "32 pressure 0", "32 sync")
        #expect(
            try shorts(text) == [
                "0 began 0 1,2", "16 ended 0 1,2", "24 began 0 90,80", "32 ended 0 90,80",
            ])
    }

    /// A bad contact changes no other contact of its report.
    @Test func aBadPlaceIsLeftOutAlone() throws {
        let slots = evemu(
            "0 id 1", "0 x 1", "0 y 1", "0 slot 1", "0 id 2", "0 x 9", "0 y 9", "0 sync",
            "8 slot 0", "8 x 2000000000", "8 slot 1", "8 id -1", "8 sync", "16 slot 0",
            "16 id -1", "16 sync")
        let lists = evemu(
            "0 x 1", "0 y 1", "0 id 1", "0 mt", "0 x 9", "0 y 9", "0 id 2", "0 mt", "0 sync",
            "8 x 1", "8 x 2000000000", "8 y 1", "8 id 1", "8 mt", "8 sync", "16 mt", "16 sync")
        for (text, line) in [(slots, 10), (lists, 11)] {
            let error = #expect(throws: RecordingError.self) { try shorts(text) }
            #expect(error?.line == line && error?.message.hasPrefix("a place beyond") == true)
            let reading = try read(text) {
                $0.keepsGoing = true
                $0.scale = 1
            }
            let ends = try reading.recording.events.map(short).filter { !$0.contains("changed") }
            #expect(
                ends == [
                    "0 began 0 1,1", "0 began 1 9,9", "8 ended 1 9,9", "16 ended 0 1,1",
                ])
            #expect(reading.notes.count == 2, "\(reading.notes)")
        }
    }

    /// Otherwise a contact that could not be read would lift and land again.
    @Test func aBadListChangesNothing() throws {
        let places = [
            ["8 x 2000000000", "8 y 2"], ["8 x 2000000000", "8 y -2000000000"], ["8 y 2"],
            ["8 x f", "8 y 2"],
        ]
        for place in places {
            let middle = place + ["8 id 5", "8 mt", "8 x 9", "8 y 9", "8 id 6", "8 mt", "8 sync"]
            let lines =
                ["0 x 1", "0 y 2", "0 id 5", "0 mt", "0 x 8", "0 y 9", "0 id 6", "0 mt", "0 sync"]
                + middle + ["16 x 3", "16 y 2", "16 id 5", "16 mt", "16 sync", "24 mt", "24 sync"]
            let reading = try read(lines.map { evemu($0) }.joined()) {
                $0.keepsGoing = true
                $0.scale = 1
            }
            #expect(
                try reading.recording.events.map(short) == [
                    "0 began 0 1,2", "0 began 1 8,9", "16 ended 1 8,9", "16 changed 0 3,2",
                    "24 ended 0 3,2",
                ])
            #expect(reading.notes.count <= 3, "each line is told once: \(reading.notes)")
        }
    }

    @Test func eventsOfABadSlotChangeNoOther() throws {
        let text = evemu(
            "0 id 1", "0 x 1", "0 y 2", "0 sync", "8 slot 4000", "8 id 2", "8 x 90", "8 y 90",
            "8 sync", "16 slot 0", "16 x 3", "16 sync", "24 id -1", "24 sync")
        let reading = try read(text) {
            $0.keepsGoing = true
            $0.scale = 1
        }
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 1,2", "16 changed 0 3,2", "24 ended 0 3,2",
            ])
    }

    @Test func missingEventsCancelAllContacts() throws {
        let text = evemu(
            "0 id 1", "0 x 1", "0 y 2", "0 sync", "8 lost", "8 x 9", "8 sync", "16 x 5", "16 sync",
            "24 id 2", "24 sync", "32 id -1", "32 sync")
        let reading = try read(text) { $0.scale = 1 }
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 1,2", "8 cancelled 0 1,2", "24 began 0 5,2", "32 ended 0 5,2",
            ])
        #expect(
            reading.notes == [
                "f: cancelled 1 contact that never ended: pointer 0 (line 4)",
                "f: left out 1 contact that never landed: pointer 0 (line 9)",
            ])
    }

    @Test func aContactThatNeverEndsIsCancelledAndReported() throws {
        let text = evemu(
            "0 slot 3", "0 x 1", "0 y 1", "0 sync", "8 slot 0", "8 id 1", "8 x 4", "8 y 4",
            "8 sync", "16 slot 1", "16 id 2", "16 x 5", "16 y 5", "16 sync", "24 x 6", "24 sync")
        let reading = try read(text) { $0.scale = 1 }
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 4,4", "8 began 1 5,5", "16 changed 1 6,5", "16 cancelled 0 4,4",
                "16 cancelled 1 6,5",
            ])
        #expect(
            reading.notes == [
                "f: cancelled 2 contacts that never ended: pointer 0 (line 9), pointer 1 (line 14)",
                "f: left out 1 contact that never landed: pointer 3 (line 4)",
            ])
    }

    @Test func screensFitIntoTheViewportAndClocksBeginAtZero() throws {
        let axes = "A: 35 100 300 0 0 0\nA: 36 0 1000 0 0 0\n"
        let text =
            axes + "E: 1330496011.108581 3 39 1\nE: 1330496011.108581 3 35 100\n"
            + "E: 1330496011.108581 3 36 500\nE: 1330496011.108581 0 0 0\n"
            + "E: 1330496012.108591 3 35 300\nE: 1330496012.108591 3 39 -1\n"
            + "E: 1330496012.108591 0 0 0\n"
        let reading = try read(text) { $0.viewport = (50, 80) }
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 17,40", "1000 changed 0 17,40", "1000.01 ended 0 33,40",
            ])
        #expect(reading.notes.isEmpty && reading.format == .evemu)
        let given = try read(text) {
            $0.viewport = (50, 80)
            $0.screen = (501, 501)
        }
        #expect(try given.recording.events.map(short)[0] == "0 began 0 10,65")
    }

    @Test func aScreenOfUnknownSizeEndsAtTheFurthestTouch() throws {
        let text = evemu(
            "0 id 1", "0 x 10", "0 y 40", "0 sync", "8 x 20", "8 id -1", "8 sync")
        let reading = try read(text)
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 160,567.999", "8 ended 0 302,567.999",
            ])
        #expect(
            reading.notes == [
                "f: the screen's size is not in the file; assuming 21x41, the furthest touch "
                    + "(set it with --screen or --device)"
            ])
        for (axis, unknown, size) in [("35", "height", 41), ("36", "width", 21)] {
            let half = try read("A: \(axis) 0 999 0 0 0\n" + text)
            #expect(
                half.notes == [
                    "f: the screen's \(unknown) is not in the file; assuming \(size) units, "
                        + "the furthest touch (set it with --screen or --device)"
                ])
        }
        let description = Array("N: a # b\nA: 35 0 40 0 0 0 # x\nA: 36 0 80 0 0\n".utf8)
        let device = try Axes(parsing: description, file: "d")
        let told = try read(text) { $0.device = device }
        #expect(try told.recording.events.map(short)[0] == "0 began 0 89,284")
        #expect(told.notes.isEmpty)
    }

    /// Events of devices that are read together alternate, each device in its own order.
    @Test func devicesMayOvertakeEachOther() throws {
        func line(_ time: Int, _ device: Int, _ rest: String) -> String {
            "[ 1.\(100_000 + time)] /dev/input/event\(device): \(rest)\n"
        }
        let text =
            line(40, 1, "0003 0035 00000003") + line(30, 2, "0000 0000 00000000")
            + line(40, 1, "0003 0036 00000004") + line(35, 3, "0003 0035 00000008")
            + line(35, 3, "0003 0036 00000009") + line(40, 1, "0003 0039 00000001")
            + line(35, 3, "0003 0039 00000001") + line(40, 1, "0000 0000 00000000")
            + line(35, 3, "0000 0000 00000000") + line(60, 1, "0003 0039 ffffffff")
            + line(60, 1, "0000 0000 00000000") + line(50, 3, "0003 0039 ffffffff")
            + line(50, 3, "0000 0000 00000000")
        #expect(
            try shorts(text) == [
                "0 began 0 8,9", "0.005 began 1 3,4", "0.015 ended 0 8,9", "0.025 ended 1 3,4",
            ])
        let error = #expect(throws: RecordingError.self) {
            try shorts(text + line(49, 3, "0000 0000 00000000"))
        }
        #expect(error?.line == 14 && error?.message.hasPrefix("the time falls") == true)
    }

    @Test func eachDeviceHasItsOwnContacts() throws {
        func line(_ time: Int, _ device: Int, _ rest: String) -> String {
            "[       1.\(100_000 + time)] /dev/input/event\(device): \(rest)"
        }
        let text = [
            "add device 1: /dev/input/event2", "  name:     \"screen\"",
            "    ABS (0003): 0035  : value 0, min 0, max 320, fuzz 0, flat 0, resolution 0",
            "                0036  : value 0, min 0, max 568, fuzz 0, flat 0, resolution 0",
            "add device 2: /dev/input/event5",
            "    ABS_MT_POSITION_X     : value 0, min 0, max 160, fuzz 0, flat 0, resolution 0",
            "    ABS_MT_POSITION_Y     : value 0, min 0, max 284, fuzz 0, flat 0, resolution 0",
            "could not get driver version for /dev/input/mouse0, Not a typewriter",
            line(0, 2, "0003 0039 00000001"), line(0, 2, "0003 0035 0000000a"),
            line(0, 2, "0003 0036 00000014"), line(0, 2, "0000 0000 00000000             rate 60"),
            line(5, 5, "EV_ABS       ABS_MT_TRACKING_ID   00000001"),
            line(5, 5, "EV_ABS       ABS_MT_TOOL_TYPE     MT_TOOL_FINGER"),
            line(5, 5, "EV_ABS       ABS_MT_POSITION_X    0000000a"),
            line(5, 5, "EV_ABS       ABS_MT_POSITION_Y    00000014"),
            line(5, 5, "EV_KEY       BTN_TOUCH            DOWN"),
            line(5, 5, "EV_SYN       SYN_REPORT           00000000"),
            line(9, 2, "0003 0039 ffffffff"), line(9, 2, "0000 0000 00000000"),
            line(9, 5, "0003 0039 ffffffff"), line(9, 5, "0000 0000 00000000"),
        ].joined(separator: "\r\n")
        let reading = try read(text)
        #expect(reading.format == .getevent && reading.notes.isEmpty)
        #expect(
            try reading.recording.events.map(short) == [
                "0 began 0 10,20", "0.005 began 1 20,40", "0.009 ended 0 10,20",
                "0.009 ended 1 20,40",
            ])
    }

    /// Protocol B and CSV files send nothing about a still finger; a publisher must.
    @Test func aStillContactIsRepeatedEachSecond() throws {
        let slots = evemu(
            "0 slot 0", "0 id 1", "0 x 1", "0 y 2", "0 sync", "200 slot 1", "200 id 2", "200 x 8",
            "200 y 9", "200 sync", "1000 x 7", "1000 sync", "1900 x 6", "1900 sync",
            "2500 x 5", "2500 sync", "4000 slot 0", "4000 id -1", "4000 sync", "4001 slot 1",
            "4001 id -1", "4001 sync")
        let csv = """
            t_ms,pointer,phase,x,y
            0,0,down,1,2
            200,1,down,8,9
            1000,1,move,7,9
            1900,1,move,6,9
            2500,1,move,5,9
            4000,0,up,1,2
            4001,1,up,5,9
            """
        for text in [slots, csv] {
            #expect(
                try shorts(text) == [
                    "0 began 0 1,2", "200 began 1 8,9", "1000 changed 1 7,9",
                    "1000 changed 0 1,2", "1900 changed 1 6,9", "2000 changed 0 1,2",
                    "2500 changed 1 5,9", "3000 changed 0 1,2", "3500 changed 1 5,9",
                    "4000 ended 0 1,2", "4001 ended 1 5,9",
                ])
            let reading = try read(text) { $0.scale = 1 }
            #expect(!reading.notes.contains { !$0.contains("screen") }, "\(reading.notes)")
            let written = reading.recording.text()
            #expect(try Recording(parsing: written, file: "g").text() == written)
        }
        let lone = evemu(
            "0 x1 4", "0 y1 5", "0 touch 1", "0 sync", "2500 lost", "2600 sync", "9000 touch 1",
            "9000 sync", "9010 touch 0", "9010 sync")
        #expect(
            try shorts(lone) == [
                "0 began 0 4,5", "1000 changed 0 4,5", "2000 changed 0 4,5",
                "2500 cancelled 0 4,5", "9000 began 0 4,5", "9010 ended 0 4,5",
            ])
    }

    /// Days of repeats are more than a recording holds, and are refused at the line that ends them.
    @Test func repeatsAreBounded() throws {
        let head = "t_ms,pointer,phase,x,y\n0,0,down,1,2\n"
        let error = #expect(throws: RecordingError.self) {
            try shorts(head + "1000001000,0,up,1,2\n")
        }
        #expect(error?.line == 3 && error?.message == "more than 1000000 events")
        let many = (0...ContactLog.downMax).map { "0,\($0),down,1,2\n" }
        let crowd = #expect(throws: RecordingError.self) {
            try shorts("t_ms,pointer,phase,x,y\n" + many.joined())
        }
        #expect(crowd?.line == ContactLog.downMax + 2)
        #expect(crowd?.message == "more than 256 contacts at once")
    }
}
