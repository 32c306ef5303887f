import Notation
import Testing

@testable import ToolCommands

@Suite struct ExpectedValueTests {
    /// The text of a value, what it means, and the numbers that it accepts and refuses.
    @Test(
        arguments: [
            ("160 ± 0.5", .number(160, within: 0.5), [159.5, 160.5], [159.4, 160.6]),
            ("-1e2+-1", .number(-100, within: 1), [-101, -99], [-101.1, 0]),
            ("3 +/- 0", .number(3, within: 0), [3], [2.999]),
            ("> 5", .range(low: 5, high: nil, isOpen: true), [5.001], [5, 4]),
            ("<=5", .range(low: nil, high: 5, isOpen: false), [5, -1], [5.01]),
            ("0..1", .range(low: 0, high: 1, isOpen: false), [0, 1, 0.5], [-0.1, 1.1]),
            ("..", .text(".."), [], [0]), ("wait...", .text("wait..."), [], [0]),
            ("a +- b", .text("a +- b"), [], [0]), ("5 likes", .text("5 likes"), [], [5]),
            ("absent", .absent, [], [0]), ("present", .present, [0], []),
        ] as [(String, ExpectedValue, [Double], [Double])])
    func textsAreRangesTolerancesOrThemselves(
        text: String, value: ExpectedValue, accepted: [Double], refused: [Double]
    ) throws {
        let read = try ExpectedValue(Node(.string(text)), tolerance: 1)
        #expect(read == value)
        for number in accepted { #expect(read.accepts(Node(.number(number)))) }
        for number in refused { #expect(!read.accepts(Node(.number(number)))) }
    }

    /// A slip must not become a text, which no number ever is.
    @Test(
        arguments: [
            ("5..1", "low end above"), ("160 ± -3", "tolerance below 0"), ("1 +- -1", "below 0"),
            ("5 ± x", "must be a number, ±"), ("± 5", "must be a number, ±"),
            ("> x", "must be > and one number"), ("> 5 and < 4", "must be > and one number"),
            ("<= 1e999", "must be <= and one number"), ("..5", "two numbers"),
            ("1..2..3", "two numbers"), ("5..x", "two numbers"),
        ])
    func conditionsThatNothingMeetsAreRefused(text: String, words: String) {
        let fault = #expect(throws: ExpectedValue.Fault.self) {
            try ExpectedValue(Node(.string(text)), tolerance: 1)
        }
        #expect(fault?.message.contains(words) ?? false)
        #expect(fault?.message.hasPrefix("\"\(text)\" ") ?? false)
    }

    @Test func otherValuesAreComparedAsTheyAre() {
        #expect(ExpectedValue.text("thrown").accepts(Node(.string("thrown"))))
        #expect(!ExpectedValue.text("3").accepts(Node(.integer(3))))
        #expect(ExpectedValue.truth(true).accepts(Node(.bool(true))))
        #expect(!ExpectedValue.truth(true).accepts(nil))
        #expect(ExpectedValue.absent.accepts(nil) && ExpectedValue.absent.accepts(Node(.null)))
        #expect(!ExpectedValue.present.accepts(Node(.null)))
        let list = ExpectedValue.list([.number(1, within: 0), .text("a")])
        #expect(list.accepts(Node(.array([Node(.integer(1)), Node(.string("a"))]))))
        #expect(!list.accepts(Node(.array([Node(.integer(1))]))))
    }

    /// The precision of a decimal in binary must not decide.
    @Test func aToleranceIncludesItsEnds() {
        let value = ExpectedValue.number(0.3, within: 0.1)
        #expect(value.accepts(Node(.number(0.2))) && value.accepts(Node(.number(0.4))))
    }
}
