import Notation
import Protocol
import Testing

@testable import Recordings

/// How a device's screen becomes the viewport, and how places are written.
@Suite struct ScreenTests {
    private func read(
        _ text: String, _ change: (inout ReadingOptions) -> Void = { _ in }
    ) throws -> Reading {
        var options = ReadingOptions()
        change(&options)
        return try Reading(Array(text.utf8), file: "f", options: options)
    }

    /// A finger at each of some places of a screen of 1,080 by 1,920 units.
    private func phone(_ places: [(Int, Int)]) -> String {
        var text = "A: 35 0 1079 0 0 0\nA: 36 0 1919 0 0 0\nE: 0.0 3 39 1\n"
        for (number, place) in places.enumerated() {
            let time = "E: 0.0\(number + 10)"
            text += "\(time) 3 35 \(place.0)\n\(time) 3 36 \(place.1)\n\(time) 0 0 0\n"
        }
        return text + "E: 0.5 3 39 -1\nE: 0.5 0 0 0\n"
    }

    /// One scale: a square on the screen is a square in the viewport, and the screen lies in its
    /// middle.
    @Test(arguments: [
        (320.0, 568.0), (568, 320), (400, 400), (1_000, 100), (53, 997),
    ])
    func theScreenIsNotStretched(width: Double, height: Double) throws {
        let corners = [(0, 0), (500, 0), (500, 500), (1_079, 1_919)]
        let reading = try read(phone(corners)) { $0.viewport = (width, height) }
        let places = try reading.recording.events.prefix(4).map { event in
            let body = try Document.json(event.body)
            return (try #require(body["x"]?.double), try #require(body["y"]?.double))
        }
        let (across, down) = (places[1].0 - places[0].0, places[2].1 - places[1].1)
        #expect(abs(across - down) < 0.0021, "\(places)")
        // As much is free on the left as on the right, and nothing on one of the axes.
        #expect(abs(places[0].0 + places[3].0 - width) < 0.0021, "\(places)")
        #expect(abs(places[0].1 + places[3].1 - height) < 0.0021, "\(places)")
        #expect(min(places[0].0, places[0].1) == 0 && max(places[0].0, places[0].1) > 0)
    }

    /// The right and bottom edges of a viewport are outside: what lands there would hit nothing.
    @Test(arguments: [
        (320.0, 568.0), (568, 320), (400, 400), (53.0005, 997.0004), (1, 1),
    ])
    func theLastUnitLiesWithinTheViewport(width: Double, height: Double) throws {
        let corners = [(1_079, 1_919), (1_079, 0), (0, 1_919), (1_078, 1_918)]
        let unknown = phone(corners).split(separator: "\n").filter { $0.first == "E" }
        for text in [phone(corners), unknown.joined(separator: "\n")] {
            let reading = try read(text) { $0.viewport = (width, height) }
            for event in reading.recording.events {
                let body = try Document.json(event.body)
                let (x, y) = (body["x"]?.double ?? .nan, body["y"]?.double ?? .nan)
                #expect(x < width && y < height && x >= 0 && y >= 0, "\(x), \(y)")
            }
        }
        // A touch that a person says to lie beside the screen stays beside it.
        let beside = try read(phone([(1_079, 1_919)])) {
            $0.viewport = (width, height)
            $0.screen = (1_000, 1_000)
        }
        let body = try Document.json(beside.recording.events[0].body)
        #expect(body["x"]?.double ?? 0 > width || body["y"]?.double ?? 0 > height)
    }

    /// Places have three decimals at most, whatever the format.
    @Test func coordinatesAreWrittenShort() throws {
        let csv = "t_ms,pointer,phase,x,y\n0,0,down,112.26666259765625,1\n8,0,up,0.1,2e-9\n"
        let stroke =
            "<Gesture NumPts=\"3\"><Point X=\"1\" Y=\"2\" T=\"3\"/>"
            + "<Point X=\"8\" Y=\"5\" T=\"9\"/><Point X=\"4\" Y=\"5\" T=\"20\"/></Gesture>"
        let wheel =
            "{\"wheelEvents\":[{\"deltaX\":0.123456789,\"deltaY\":7.000001,\"timeStamp\":1}]}"
        for text in [phone([(1, 2), (77, 1_003), (500, 701)]), csv, stroke, wheel] {
            for event in try read(text).recording.events {
                for name in ["x", "y", "dx", "dy"] {
                    guard let value = try Document.json(event.body)[name]?.double else { continue }
                    let decimals = "\(value)".split(separator: ".").last?.count ?? 0
                    #expect(decimals <= 3 && !"\(value)".contains("e"), "\(name): \(value)")
                }
            }
        }
        let first = try read(csv).recording.events[0].body
        #expect(String(decoding: first, as: UTF8.self).contains("112.267"))
    }

    @Test func aDescriptionIsNoRecordingButADevice() {
        let files = [
            "N: a\nA: 35 0 40 0 0 0\nA: 36 0 80 0 0 0\n",
            "add device 1: /dev/input/event0\n"
                + "    ABS (0003): 0035  : value 0, min 0, max 320, fuzz 0, flat 0, resolution 0\n",
        ]
        for text in files {
            let error = #expect(throws: RecordingError.self) { try read(text) }
            let message = error?.message ?? ""
            #expect(
                message.contains("describes a device") && message.contains("--device"), "\(message)"
            )
        }
        let error = #expect(throws: RecordingError.self) { try read("N: a\n") }
        #expect(error?.message.contains("no events in the file") == true)
    }

    @Test func otherInputsAreTold() throws {
        let keys = "E: 0.1 1 1e 1\nE: 0.1 2 8 -1\nE: 0.1 0 0 0\n"
        let pressure = "E: 0.1 3 3a 20\nE: 0.1 1 145 1\n"
        #expect(try read(phone([(1, 2)])).notes.isEmpty)
        let told = try read(
            phone([(1, 2)]).replacing("E: 0.5 3 39", with: pressure + keys + "E: 0.5 3 39"))
        #expect(told.notes == ["f: left out 2 events of keys, wheels or switches"])
        let labels =
            "[ 1.0] EV_KEY KEY_POWER DOWN\n[ 1.0] EV_ABS ABS_MT_TRACKING_ID 00000001\n"
            + "[ 1.0] EV_ABS ABS_MT_POSITION_X 00000001\n"
            + "[ 1.0] EV_ABS ABS_MT_POSITION_Y 00000001\n[ 1.0] EV_SYN SYN_REPORT 00000000\n"
        let notes = try read(labels) { $0.screen = (100, 100) }.notes
        #expect(notes.contains("f: left out 1 event of keys, wheels or switches"), "\(notes)")
    }
}
