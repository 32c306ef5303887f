import Recordings
import Testing

@testable import Bridges

@Suite struct EvemuStreamTests {
    private func stream(_ text: String, at steady: Int = 0) -> EvemuStream {
        var stream = EvemuStream(name: "x.evemu")
        stream.read(Array(text.utf8), at: steady)
        return stream
    }

    @Test func eventsAreDueAtTheirTimesSinceTheFirst() {
        var stream = stream(
            "E: 5.000000 0003 0035 7\nE: 5.500000 0003 0035 8\n", at: 1_000_000)
        #expect(stream.takeDue(at: 1_000_000).map(\.value) == [7])
        #expect(stream.nextDue == 1_500_000)
        #expect(stream.takeDue(at: 1_499_999).isEmpty)
        #expect(stream.takeDue(at: 1_500_000).map(\.value) == [8])
        #expect(stream.isEmpty && stream.nextDue == nil)
    }

    @Test func aTimeThatFallsIsDueAtOnce() {
        var stream = stream("E: 5.0 0003 0035 7\nE: 4.0 0003 0035 8\n")
        #expect(stream.takeDue(at: 0).map(\.value) == [7, 8])
    }

    /// One line that is stamped hours ahead holds the others back for a minute alone.
    @Test func aPauseHasABound() {
        var stream = stream(
            "E: 5.0 3 35 1\nE: 9999.0 3 35 2\nE: 5.1 3 35 3\nE: 5.3 3 35 4\n")
        #expect(stream.takeDue(at: 0).map(\.value) == [1])
        #expect(stream.takeDue(at: 59_999_999).isEmpty)
        #expect(stream.takeDue(at: 60_000_000).map(\.value) == [2, 3])
        #expect(stream.nextDue == 60_200_000)
    }

    @Test func linesMayComeInPieces() {
        var stream = stream("E: 5.0 00")
        #expect(stream.isEmpty)
        stream.read(Array("03 0035 7\nE: 5.0 0003 0035 8".utf8), at: 0)
        #expect(stream.takeDue(at: 0).map(\.value) == [7])
        stream.finish(at: 0)
        #expect(stream.takeDue(at: 0).map(\.value) == [8])
        #expect(stream.malformed == 0)
    }

    @Test func theDescriptionSaysWhatTheDeviceIs() {
        let bits = (0..<96).map { $0 == 0x14A / 8 ? "04" : "00" }
        let keys = stride(from: 0, to: 96, by: 8)
            .map { "B: 01 " + bits[$0..<$0 + 8].joined(separator: " ") + "\n" }.joined()
        let device = stream(
            "# EVEMU 1.3\nN: x # y\n" + keys
                + "A: 2f 0 9 0 0\nA: 35 0 99 0\nA: 36 5 5 0\nA: 36 0 49\n"
        ).device
        #expect(device.axes == [0x2F: 0...9, 0x35: 0...99, 0x36: 0...49])
        #expect(device.keys == [0x14A] && device.relative.isEmpty)
        #expect(device.contacts?.dialect == .slots)
    }

    @Test(arguments: ["nonsense", "E: 1", "E: x 3 35 7", "A: 35", "E: 1.0 3 35 99999999999"])
    func aBadLineIsCountedAndNamed(_ line: String) {
        let stream = stream("\n" + line + "\n")
        #expect(stream.malformed == 1 && stream.firstFault?.line == 2)
    }

    @Test func aLineWithoutAnEndHasABound() {
        var stream = EvemuStream(name: "x")
        stream.read([UInt8](repeating: 0x41, count: 1_000_000), at: 0)
        stream.read([0x0A], at: 0)
        #expect(stream.malformed == 1)
    }

    /// A pipe that is always a little ahead of its time has always something that waits.
    @Test func eventsThatWereTakenAreForgotten() {
        var stream = EvemuStream(name: "x")
        var (taken, most) = (0, 0)
        for number in 0..<100_000 {
            stream.read(Array("E: \(number).0 0003 0035 \(number)\n".utf8), at: 0)
            guard number % 1_000 == 999 else { continue }
            for reading in stream.takeDue(at: (number - 10) * 1_000_000) {
                #expect(reading.value == taken)
                taken += 1
            }
            most = max(most, stream.events.count)
        }
        #expect(taken == 100_000 - 10 && !stream.isEmpty)
        #expect(most <= 2 * EvemuStream.waitingMax)
    }

    @Test func aFullStreamSaysSo() {
        let stream = stream(
            String(repeating: "E: 5.0 0003 0035 7\n", count: EvemuStream.waitingMax))
        #expect(!stream.hasRoom)
    }
}
