import Testing

@testable import Recordings

/// Palms are no contacts, and what is above the surface hovers.
@Suite struct PalmTests {
    /// The events of a file, and what it leaves out.
    private func told(_ text: String) throws -> (events: [String], notes: [String]) {
        let reading = try read(text) { $0.scale = 1 }
        let notes = reading.notes.filter { !$0.contains("screen") }
        return (try reading.recording.events.map(short), notes.map { String($0.dropFirst(3)) })
    }

    @Test func aPalmInASlotIsLeftOut() throws {
        let text = evemu(
            "0 id 10", "0 tool 2", "0 x 400", "0 y 200", "0 slot 1", "0 id 11", "0 x 1", "0 y 2",
            "0 sync", "8 slot 0", "8 x 401", "8 slot 1", "8 x 3", "8 sync", "16 slot 0",
            "16 id -1", "16 slot 1", "16 id -1", "16 sync")
        let (events, notes) = try told(text)
        #expect(events == ["0 began 0 1,2", "8 changed 0 3,2", "16 ended 0 3,2"])
        #expect(notes == ["left out 1 palm: pointer 0 (line 9)"])
    }

    @Test func aFileOfPalmsAloneSaysSo() {
        let text = evemu(
            "A: 35 0 799 0 0 0", "0 id 10", "0 tool 2", "0 x 400", "0 y 200", "0 sync",
            "8 id -1", "8 sync")
        let error = #expect(throws: RecordingError.self) { try shorts(text) }
        #expect(
            error?.message
                == "no events in the file: evemu; left out 1 palm: pointer 0 (line 6)")
    }

    /// It stays a palm until it lifts, whatever the device says later.
    @Test func aContactThatBecomesAPalmIsCancelled() throws {
        let text = evemu(
            "0 id 1", "0 x 1", "0 y 2", "0 sync", "8 x 5", "8 tool 2", "8 sync", "16 x 6",
            "16 sync", "24 tool 0", "24 x 7", "24 sync", "32 id -1", "32 sync", "40 id 2",
            "40 x 8", "40 sync", "48 id -1", "48 sync")
        let (events, notes) = try told(text)
        #expect(
            events == [
                "0 began 0 1,2", "8 cancelled 0 1,2", "40 began 0 8,2", "48 ended 0 8,2",
            ])
        #expect(notes == ["cancelled 1 contact that became a palm: pointer 0 (line 7)"])
    }

    /// The kernel does not repeat a tool that a slot has already.
    @Test func aSlotKeepsItsToolForTheNextContact() throws {
        let text = evemu(
            "0 id 1", "0 tool 2", "0 x 1", "0 y 2", "0 sync", "8 id -1", "8 sync", "16 id 2",
            "16 x 3", "16 sync", "24 id -1", "24 sync", "32 id 3", "32 tool 0", "32 sync",
            "40 id -1", "40 sync")
        let (events, notes) = try told(text)
        #expect(events == ["0 began 0 3,2", "8 ended 0 3,2"])
        #expect(notes == ["left out 2 palms: pointer 0 (line 5), pointer 0 (line 10)"])
    }

    @Test(arguments: [
        // It becomes a palm and lifts in one report.
        (["8 tool 2", "8 id -1", "8 sync"], ["8 cancelled 0 1,2"]),
        // It lifts, and a palm lands in its slot.
        (["8 id -1", "8 id 2", "8 tool 2", "8 sync", "16 id -1", "16 sync"], ["8 ended 0 1,2"]),
        // A palm comes and goes between two reports.
        (["8 id -1", "8 sync", "9 tool 2", "9 id 2", "9 id -1", "9 sync"], ["8 ended 0 1,2"]),
        // It becomes a palm, and a finger takes its slot.
        (
            ["8 tool 2", "8 id 2", "8 tool 0", "8 x 4", "8 sync", "16 id -1", "16 sync"],
            ["8 cancelled 0 1,2", "8 began 0 4,2", "16 ended 0 4,2"]
        ),
    ])
    func aPalmMayComeWithinAReport(lines: [String], ends: [String]) throws {
        let all = ["0 id 1", "0 x 1", "0 y 2", "0 sync"] + lines
        #expect(try told(all.map { evemu($0) }.joined()).events == ["0 began 0 1,2"] + ends)
    }

    @Test func palmsInListsAreLeftOutToo() throws {
        let text = evemu(
            "0 x 1", "0 y 2", "0 id 5", "0 mt", "0 x 8", "0 y 9", "0 id 6", "0 tool 2", "0 mt",
            "0 sync", "8 x 2", "8 y 2", "8 id 5", "8 tool 2", "8 mt", "8 x 8", "8 y 9", "8 id 6",
            "8 mt", "8 sync", "16 x 3", "16 y 2", "16 id 5", "16 mt", "16 sync", "24 mt",
            "24 sync", "32 x 7", "32 y 7", "32 id 5", "32 mt", "32 sync", "40 mt", "40 sync")
        let (events, notes) = try told(text)
        #expect(
            events == ["0 began 0 1,2", "8 cancelled 0 1,2", "32 began 0 7,7", "40 ended 0 7,7"])
        #expect(
            notes == [
                "cancelled 1 contact that became a palm: pointer 0 (line 20)",
                "left out 1 palm: pointer 1 (line 10)",
            ])
    }

    /// A palm without an id is found again by its place, so that no finger takes it over.
    @Test func aPalmWithoutAnIdStaysOne() throws {
        let text = evemu(
            "0 x 10", "0 y 0", "0 tool 2", "0 mt", "0 sync", "8 x 12", "8 y 0", "8 mt", "8 x 90",
            "8 y 0", "8 mt", "8 sync", "16 x 13", "16 y 0", "16 mt", "16 sync", "24 mt", "24 sync")
        #expect(try told(text).events == ["0 began 0 90,0", "8 ended 0 90,0"])
    }

    @Test func aContactAboveTheSurfaceHovers() throws {
        let slots = evemu(
            "0 id 1", "0 above 9", "0 x 1", "0 y 2", "0 sync", "8 x 3", "8 sync", "16 above 0",
            "16 sync", "24 x 4", "24 sync", "32 above 2", "32 x 5", "32 sync", "40 x 6",
            "40 sync", "48 above 0", "48 sync", "56 id -1", "56 sync")
        let lists = evemu(
            "0 x 1", "0 y 2", "0 above 9", "0 mt", "0 sync", "8 x 3", "8 y 2", "8 above 3",
            "8 mt", "8 sync", "16 x 3", "16 y 2", "16 above 0", "16 mt", "16 sync", "24 x 4",
            "24 y 2", "24 mt", "24 sync", "32 x 5", "32 y 2", "32 above 2", "32 mt", "32 sync",
            "40 x 6", "40 y 2", "40 above 2", "40 mt", "40 sync", "48 x 6", "48 y 2", "48 mt",
            "48 sync", "56 mt", "56 sync")
        for text in [slots, lists] {
            let (events, notes) = try told(text)
            #expect(
                events == [
                    "0 began 0 3,2", "8 changed 0 4,2", "16 ended 0 5,2", "32 began 0 6,2",
                    "40 ended 0 6,2",
                ])
            #expect(notes == [])
        }
    }

    @Test func whatNeverComesDownIsTold() throws {
        let slots = evemu(
            "0 id 1", "0 above 9", "0 x 1", "0 y 2", "0 sync", "8 id -1", "8 sync", "16 id 2",
            "16 above 0", "16 sync", "24 id -1", "24 sync")
        let lists = evemu(
            "0 id 1", "0 above 9", "0 x 1", "0 y 2", "0 mt", "0 sync", "8 mt", "8 sync", "16 id 2",
            "16 x 1", "16 y 2", "16 mt", "16 sync", "24 mt", "24 sync")
        for (text, line) in [(slots, 5), (lists, 6)] {
            let (events, notes) = try told(text)
            #expect(events == ["0 began 0 1,2", "8 ended 0 1,2"])
            #expect(notes == ["left out 1 contact that only hovered: pointer 0 (line \(line))"])
        }
        let pen = evemu("0 pen 1", "0 x1 4", "0 y1 5", "0 sync", "8 pen 0", "8 sync")
        let error = #expect(throws: RecordingError.self) { try shorts(pen) }
        #expect(error?.message.contains("1 contact that only hovered") == true)
    }

    /// Also of a pen that a device reports in slots or lists.
    @Test func aPenInRangeHoversUntilItTouches() throws {
        let single = evemu(
            "0 pen 1", "0 x1 4", "0 y1 5", "0 sync", "8 touch 1", "8 sync", "16 x1 6", "16 sync",
            "24 touch 0", "24 sync", "32 x1 9", "32 pen 0", "32 sync")
        let slots = evemu(
            "0 pen 1", "0 id 1", "0 x 4", "0 y 5", "0 sync", "8 touch 1", "8 sync", "16 x 6",
            "16 sync", "24 touch 0", "24 sync", "32 id -1", "32 pen 0", "32 sync")
        for text in [single, slots] {
            let (events, notes) = try told(text)
            #expect(events == ["0 began 0 4,5", "8 changed 0 6,5", "16 ended 0 6,5"])
            #expect(notes == [])
        }
    }

    @Test(arguments: [
        // The device forgets BTN_TOUCH, or says it late.
        ["24 pen 0", "24 sync", "30 touch 0", "30 sync"],
        ["24 pen 0", "24 sync"],
        ["24 touch 0", "24 pen 0", "24 sync"],
        ["24 pen 0", "24 touch 0", "24 sync"],
        // It comes back and hovers.
        ["24 pen 0", "24 sync", "30 pen 1", "30 x1 9", "30 sync", "40 x1 8", "40 sync"],
        // It was turned round, and the rubber hovers.
        ["24 rubber 1", "24 pen 0", "24 touch 0", "24 sync", "32 x1 5", "32 sync"],
    ])
    func aPenThatLeavesItsRangeLifts(lines: [String]) throws {
        let head = ["0 pen 1", "0 touch 1", "0 x1 4", "0 y1 5", "0 sync", "8 x1 6", "8 sync"]
        let (events, notes) = try told((head + lines).map { evemu($0) }.joined())
        #expect(events == ["0 began 0 4,5", "8 changed 0 6,5", "24 ended 0 6,5"])
        #expect(notes == [])
    }

    @Test func labelsOfGeteventAreRead() throws {
        func line(_ rest: String) -> String { "[ 1.000000] \(rest)\n" }
        let text =
            line("EV_ABS ABS_MT_TRACKING_ID 00000001") + line("EV_ABS ABS_MT_POSITION_X 00000001")
            + line("EV_ABS ABS_MT_POSITION_Y 00000002")
            + line("EV_ABS ABS_MT_TOOL_TYPE MT_TOOL_PALM") + line("EV_SYN SYN_REPORT 00000000")
            + line("EV_ABS ABS_MT_SLOT 00000001") + line("EV_ABS ABS_MT_TRACKING_ID 00000002")
            + line("EV_ABS ABS_MT_POSITION_X 00000003") + line("EV_ABS ABS_MT_POSITION_Y 00000004")
            + line("EV_ABS ABS_MT_TOOL_TYPE MT_TOOL_FINGER")
            + line("EV_SYN SYN_REPORT 00000000") + line("EV_ABS ABS_MT_TOOL_TYPE 00000002")
            + line("EV_SYN SYN_REPORT 00000000")
        #expect(try told(text).events == ["0 began 0 3,4", "0 cancelled 0 3,4"])
        let pen = [
            "EV_KEY BTN_DIGI DOWN", "EV_ABS ABS_X 00000004", "EV_ABS ABS_Y 00000005",
            "EV_SYN SYN_REPORT 00000000", "EV_KEY BTN_TOUCH DOWN", "EV_SYN SYN_REPORT 00000000",
            "EV_KEY BTN_DIGI UP", "EV_SYN SYN_REPORT 00000000",
        ]
        #expect(
            try told(pen.map(line).joined()).events == ["0 began 0 4,5", "0 ended 0 4,5"])
    }
}
