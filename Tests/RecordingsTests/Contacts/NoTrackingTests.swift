import Testing

@testable import Recordings

/// Devices that send no tracking ids: something else says when a contact is down.
@Suite struct NoTrackingTests {
    /// The events of lines as `evemu` takes them, and what is left out.
    private func told(_ lines: [String]) throws -> (events: [String], notes: [String]) {
        let reading = try read(lines.map { evemu($0) }.joined()) { $0.scale = 1 }
        return (try reading.recording.events.map(short), reading.notes)
    }

    @Test func aPhoneWithLabelsIsRead() throws {
        func line(_ time: Int, _ rest: String) -> String {
            "[ 2601740.\(100_000 + time * 1_000)] /dev/input/event8: \(rest)\n"
        }
        let text =
            line(0, "EV_KEY       BTN_TOUCH            DOWN                ")
            + line(0, "EV_ABS       ABS_MT_POSITION_X    00000010            ")
            + line(0, "EV_ABS       ABS_MT_POSITION_Y    00000020            ")
            + line(0, "EV_SYN       SYN_REPORT           00000000            ")
            + line(50, "EV_ABS       ABS_MT_POSITION_X    00000011            ")
            + line(50, "EV_SYN       SYN_REPORT           00000000            ")
            + line(100, "EV_KEY       BTN_TOUCH            UP                  ")
            + line(100, "EV_SYN       SYN_REPORT           00000000            ")
        let numbers = text.replacing(
            "EV_KEY       BTN_TOUCH            DOWN", with: "0001 014a 00000001"
        )
        .replacing("EV_KEY       BTN_TOUCH            UP", with: "0001 014a 00000000")
        .replacing("EV_ABS       ABS_MT_POSITION_X   ", with: "0003 0035")
        .replacing("EV_ABS       ABS_MT_POSITION_Y   ", with: "0003 0036")
        .replacing("EV_SYN       SYN_REPORT          ", with: "0000 0000")
        for text in [text, numbers] {
            #expect(
                try shorts(text) == ["0 began 0 16,32", "50 changed 0 17,32", "100 ended 0 17,32"])
        }
    }

    /// The place may come before the sign, or not at all where it is the former one.
    @Test(arguments: ["touch", "finger", "force", "major", "pressure"])
    func aSignStandsForTheIds(sign: String) throws {
        let (events, notes) = try told([
            "0 \(sign) 5", "0 x 1", "0 y 2", "0 sync", "8 x 3", "8 sync", "16 \(sign) 0", "16 sync",
            "24 x 8", "24 y 9", "24 \(sign) 4", "24 sync", "32 \(sign) 0", "32 sync",
            "40 \(sign) 4", "40 sync", "48 \(sign) 0", "48 x 9", "48 sync",
            "56 \(sign) 3", "56 x 7", "56 \(sign) 0", "56 sync",
        ])
        #expect(
            events == [
                "0 began 0 1,2", "8 changed 0 3,2", "16 ended 0 3,2", "24 began 0 8,9",
                "32 ended 0 8,9", "40 began 0 8,9", "48 ended 0 9,9", "56 began 0 7,9",
                "56 ended 0 7,9",
            ])
        #expect(notes == [])
    }

    @Test func aContactMayLiftAndLandInOneReport() throws {
        let (events, _) = try told([
            "0 touch 1", "0 x 1", "0 y 2", "0 sync", "8 touch 0", "8 touch 1", "8 x 5", "8 sync",
            "16 touch 0", "16 sync",
        ])
        #expect(events == ["0 began 0 1,2", "8 ended 0 1,2", "8 began 0 5,2", "16 ended 0 5,2"])
    }

    @Test func slotsWithoutIdsLiftTogether() throws {
        let (events, notes) = try told([
            "0 touch 1", "0 slot 0", "0 x 1", "0 y 2", "0 slot 1", "0 x 8", "0 y 9", "0 sync",
            "8 slot 0", "8 x 3", "8 sync", "16 touch 0", "16 sync",
        ])
        #expect(
            events == [
                "0 began 0 1,2", "0 began 1 8,9", "8 changed 0 3,2", "16 ended 0 3,2",
                "16 ended 1 8,9",
            ])
        #expect(notes == [])
    }

    @Test func aFingerThatWasDownBeforeTheFileNeverLanded() throws {
        let (events, notes) = try told([
            "0 x 1", "0 y 2", "0 sync", "8 touch 0", "8 sync", "16 touch 1", "16 x 4", "16 sync",
            "24 touch 0", "24 sync",
        ])
        #expect(events == ["0 began 0 4,2", "8 ended 0 4,2"])
        #expect(notes == ["f: left out 1 contact that never landed: pointer 0 (line 4)"])
    }

    /// The tablets of virtual machines point absolutely, and touch by their button.
    @Test func aTabletTouchesByItsButton() throws {
        let (events, notes) = try told([
            "0 x1 4", "0 y1 5", "0 sync", "8 left 1", "8 sync", "16 x1 6", "16 sync", "24 left 0",
            "24 sync", "32 x1 9", "32 sync",
        ])
        #expect(events == ["0 began 0 4,5", "8 changed 0 6,5", "16 ended 0 6,5"])
        #expect(notes == [])
    }

    @Test func aSinglePressureTouches() throws {
        let (events, _) = try told([
            "0 x1 4", "0 y1 5", "0 pressure 0", "0 sync", "8 pressure 3", "8 sync", "16 pressure 5",
            "16 x1 6", "16 sync", "24 pressure 0", "24 sync",
        ])
        #expect(events == ["0 began 0 4,5", "8 changed 0 6,5", "16 ended 0 6,5"])
    }

    /// Where something else says that it touches, a button is a person's, and told.
    @Test func buttonsOfMiceAndPadsAreTold() throws {
        let pad = try told([
            "0 id 1", "0 x 1", "0 y 2", "0 sync", "8 left 1", "8 sync", "16 left 0", "16 right 1",
            "16 sync", "24 id -1", "24 sync",
        ])
        #expect(pad.events == ["0 began 0 1,2", "24 ended 0 1,2"])
        #expect(pad.notes == ["f: left out 3 events of keys, wheels or switches"])
        let mouse = #expect(throws: RecordingError.self) {
            try told(["0 left 1", "0 sync", "8 across 4", "8 sync", "16 left 0", "16 sync"])
        }
        #expect(mouse?.message.contains("left out 3 events of keys") == true)
    }
}
