import Geometry
import Gestures
import Notation
import Testing

@testable import Interactions

/// Each event of a wheel is a part of a series, by what came before it.
@Suite struct WheelSeriesTests {
    /// An event by its letter: `t` a turn without a phase, `b`, `c`, `e`, `x` by their phases; in
    /// capitals momentum, `T` without a phase.
    private static func event(_ letter: Character) -> Wheel {
        let phases: [Character: Phase] = [
            "b": .began, "c": .changed, "e": .ended, "x": .cancelled,
        ]
        let small = Character(letter.lowercased())
        return Wheel(
            delta: Vector(0, 1), phase: phases[small], isMomentum: letter.isUppercase)
    }

    /// Plays events with a step between two. `B` begins and `.` goes on with phases, `b` and `,`
    /// without; `E` ends, `X` cancels, `!` is refused.
    private func parts(_ letters: String) -> String {
        var open: WheelSeries?
        var now = Step.zero
        var told = ""
        for letter in letters {
            now = now + 1
            do throws(Rejection) {
                switch try WheelSeries.part(of: Self.event(letter), in: open, at: now) {
                case .begins(let series):
                    told += series.isPhased ? "B" : "b"
                    open = series
                case .goesOn(let series):
                    told += series.isPhased ? "." : ","
                    open = series
                case .ends:
                    told += "E"
                    open = nil
                case .cancels:
                    told += "X"
                    open = nil
                }
            } catch {
                told += "!"
                #expect(error.code == .outOfOrder)
            }
        }
        return told
    }

    @Test(arguments: [
        ("ttt", "b,,"), ("bcce", "B..E"), ("bx", "BX"), ("bbe", "BBE"),
        ("c", "!"), ("e", "!"), ("x", "!"), ("bec", "BE!"), ("tce", "b!!"),
        // A turn without a phase is a part of a series with phases; a beginning ends one without.
        ("btce", "B..E"), ("tbce", "bB.E"), ("bet", "BEb"),
        // Momentum after the end is a series without phases, and within one a part of it.
        ("bceBCCE", "B.Eb,,,"), ("bcBCE", "B...E"), ("bTX", "B.X"), ("CCE", "b,,"),
        ("TTb", "b,B"), ("tB", "b,"),
    ])
    func eachEventHasItsPart(events: String, expected: String) {
        #expect(parts(events) == expected, "\(events)")
    }

    /// 150 ms and 3 s after the last event.
    @Test func aPauseEndsIt() {
        let now = Step(1_000)
        #expect(WheelSeries(isPhased: false, at: now).deadline == Step(1_018))
        #expect(WheelSeries(isPhased: true, at: now).deadline == Step(1_360))
    }

    @Test func itIsEncoded() throws {
        let series = WheelSeries(isPhased: true, at: Step(7))
        #expect(try Node(encoding: series).decode(WheelSeries.self) == series)
    }
}
