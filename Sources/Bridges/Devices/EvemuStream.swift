package import Recordings

/// Reads evemu as it comes, and gives its events when they are due: not before their time since
/// the one before, so that a file plays as it was recorded and a pipe is not held up.
package struct EvemuStream: Sendable {
    /// Events that wait for their time; the rest stays unread.
    package static let waitingMax = 4_096
    /// Bytes of the line that is not complete yet; lines of evemu are shorter.
    static let lineBytesMax = 4_096
    /// Microseconds between two events; a longer pause is played as one of this length, because one
    /// wrong time must not stop the stream for hours.
    static let pauseMicrosecondsMax = 60_000_000
    /// Bytes of a type's codes; Linux has 768 keys.
    private static let bitsMax = 128

    private let name: String
    private var line: [UInt8] = []
    private var isTooLong = false
    private var number = 0
    private var bits: [Int: [UInt8]] = [:]
    private var axes: [Int: ClosedRange<Int>] = [:]
    /// The last event that was read: its time, and when it is due.
    private var last: (time: Int, due: Int)?
    /// With the times at which they are due. Those that were taken stand before the others until
    /// there are many.
    private(set) var events: [InputReading] = []
    private var taken = 0
    /// Lines that cannot be read.
    package private(set) var malformed = 0
    /// The first of them, for a person.
    package private(set) var firstFault: RecordingError?

    package init(name: String) { self.name = name }

    /// Whether it has room for more bytes.
    package var hasRoom: Bool { events.count - taken < Self.waitingMax }
    package var isEmpty: Bool { events.count == taken }

    /// The device, as the lines before the first event describe it.
    package var device: InputDevice {
        InputDevice(
            name: name, axes: axes, relative: codes(InputCode.relative, assuming: Self.allRelative),
            keys: codes(InputCode.key, assuming: [InputCode.touch, InputCode.leftButton]))
    }

    /// A stream without lists of codes may send any.
    private static let allRelative =
        InputCode.wheels.union([InputCode.relativeX, InputCode.relativeY])

    private func codes(_ type: Int, assuming others: Set<Int>) -> Set<Int> {
        guard !bits.isEmpty else { return others }
        var codes: Set<Int> = []
        for (place, byte) in (bits[type] ?? []).enumerated() {
            for bit in 0..<8 where byte >> bit & 1 != 0 { codes.insert(place * 8 + bit) }
        }
        return codes
    }

    /// Reads the next bytes, which came at a steady time in microseconds.
    package mutating func read(_ bytes: some Sequence<UInt8>, at steady: Int) {
        for byte in bytes {
            guard byte == 0x0A else {
                if line.count < Self.lineBytesMax { line.append(byte) } else { isTooLong = true }
                continue
            }
            endLine(at: steady)
        }
    }

    /// Reads the last line, which may lack its end.
    package mutating func finish(at steady: Int) {
        if !line.isEmpty { endLine(at: steady) }
    }

    private mutating func endLine(at steady: Int) {
        defer { (line, isTooLong) = ([], false) }
        number += 1
        do throws(RecordingError) {
            if isTooLong {
                throw RecordingError(
                    file: name, line: number,
                    message: "a line of more than \(Self.lineBytesMax) bytes")
            }
            if let read = try EvemuLine(line, number: number, file: name) {
                take(read, at: steady)
            }
        } catch {
            malformed += 1
            firstFault = firstFault ?? error
        }
    }

    private mutating func take(_ line: EvemuLine, at steady: Int) {
        switch line {
        case .axis(let code, let from, let to):
            // The bridge asks for no others, so they need no room.
            if from < to, InputCode.axes.contains(code) { axes[code] = from...to }
        case .bits(let type, let bytes):
            guard [InputCode.key, InputCode.relative].contains(type) else { return }
            let known = bits[type] ?? []
            bits[type] = Array((known + bytes).prefix(Self.bitsMax))
        case .event(let time, let type, let code, let value):
            let last = last ?? (time, steady)
            // A time that falls is due at once.
            let due = last.due + min(max(0, time - last.time), Self.pauseMicrosecondsMax)
            self.last = (time, due)
            events.append(
                InputReading(microseconds: due, type: type, code: code, value: value))
        case .other: break
        }
    }

    /// Removes and returns the events that are due.
    package mutating func takeDue(at steady: Int) -> ArraySlice<InputReading> {
        let end = events[taken...].firstIndex { $0.microseconds > steady } ?? events.count
        let due = events[taken..<end]
        taken = end
        if taken == events.count {
            (events, taken) = ([], 0)
        } else if taken >= Self.waitingMax {
            // No more wait than were taken, so that each is moved once on average.
            events = Array(events[taken...])
            taken = 0
        }
        return due
    }

    /// When the next event is due, in steady microseconds; nil if none waits.
    package var nextDue: Int? { isEmpty ? nil : events[taken].microseconds }
}
