import Geometry
import Protocol
import TestSupport
import Testing

private func written(_ write: (inout ByteBuffer) -> Void) -> String {
    var buffer = ByteBuffer()
    write(&buffer)
    return buffer.text()
}

@Test(
    "Points are rounded to a thousandth, halves away from zero, in the shortest form",
    arguments: [
        (0, "0"), (-0.0, "0"), (-0.0004, "0"), (0.0005, "0.001"), (-0.0005, "-0.001"),
        (1, "1"), (-1, "-1"), (9, "9"), (10, "10"), (99, "99"), (100, "100"), (999, "999"),
        (1_000, "1000"), (9_999, "9999"), (10_000, "10000"), (99_999, "99999"),
        (100_000, "100000"), (1_000_000, "1000000"), (-1_000_000, "-1000000"),
        (0.1, "0.1"), (0.12, "0.12"), (0.123, "0.123"), (0.1234, "0.123"), (0.1236, "0.124"),
        (1.001, "1.001"), (1.01, "1.01"), (0.9996, "1"), (99.9995, "100"), (-99.9996, "-100"),
        (2.0005, "2.001"), (160.5, "160.5"), (661.468_134, "661.468"), (1e-300, "0"),
        (123_456.789, "123456.789"), (1e12, "1000000000000"), (1e300, "1000000000000"),
        (-.infinity, "-1000000000000"), (.nan, "0"),
    ] as [(Double, String)])
func pointsAreWritten(value: Double, text: String) {
    #expect(written { $0.json(points: value) } == text)
}

@Test(
    "Scales, alphas and seconds are rounded to a millionth",
    arguments: [
        (0, "0"), (1, "1"), (0.5, "0.5"), (0.000_000_5, "0.000001"), (0.000_000_4, "0"),
        (0.1, "0.1"), (0.000_01, "0.00001"), (0.28, "0.28"), (1.0 / 3, "0.333333"),
        (2.0 / 3, "0.666667"), (0.999_999_6, "1"), (-0.25, "-0.25"), (12.345_678_9, "12.345679"),
    ] as [(Double, String)])
func fineNumbersAreWritten(value: Double, text: String) {
    #expect(written { $0.json(fine: value) } == text)
}

@Test(
    "Angles are wrapped, also where only the rounding leaves the range",
    arguments: [
        (0, "0"), (-0.0, "0"), (.pi, "3.141593"), (-.pi, "3.141593"), (-3.141_592_6, "3.141593"),
        (-3.141_592_4, "-3.141592"), (.pi / 2, "1.570796"), (-.pi / 2, "-1.570796"),
        (3 * .pi, "3.141593"), (1.5 * .pi, "-1.570796"), (-1.5 * .pi, "1.570796"),
        (2 * .pi, "0"), (-2 * .pi, "0"), (7, "0.716815"), (.infinity, "0"), (.nan, "0"),
    ] as [(Double, String)])
func anglesAreWritten(value: Double, text: String) {
    #expect(written { $0.json(radians: value) } == text)
}

@Test(
    "Whole numbers are written in full",
    arguments: [
        (0, "0"), (7, "7"), (42, "42"), (100, "100"), (1_234, "1234"), (98_765, "98765"),
        (-1, "-1"), (-1_000, "-1000"), (1 << 53 - 1, "9007199254740991"),
        (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ] as [(Int, String)])
func wholeNumbersAreWritten(value: Int, text: String) {
    #expect(written { $0.json(value) } == text)
}

@Test("Every power of ten and its neighbours are written as the standard library does")
func powersOfTenAreWritten() {
    var power = 1
    for _ in 0..<19 {
        for value in [power - 1, power, power + 1, -power] {
            #expect(written { $0.json(value) } == value.description)
        }
        power = power.multipliedReportingOverflow(by: 10).partialValue
    }
}

@Test(
    "Instants are milliseconds with three decimals, rounded to the nearest",
    arguments: [
        (0, "0.000"), (499, "0.000"), (500, "0.001"), (999, "0.001"), (1_000, "0.001"),
        (1_000_000, "1.000"), (1_700_000_000_123_456_789, "1700000000123.457"), (-1, "0.000"),
        (-500, "0.000"), (-501, "-0.001"), (-1_000, "-0.001"), (-1_501, "-0.002"),
        (-1_000_000, "-1.000"), (1_050_000, "1.050"), (.max, "9223372036854.776"),
    ] as [(Int, String)])
func instantsAreWritten(nanoseconds: Int, text: String) {
    #expect(written { $0.json(Instant(nanoseconds: nanoseconds)) } == text)
}

@Test(
    "What is written reads back within half of its last decimal", arguments: 0..<32 as Range<UInt64>
)
func numbersReadBack(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
        let magnitude = [1.0, 100, 10_000, 1_000_000][random.whole(in: 0...3)]
        let value = (random.unit() * 2 - 1) * magnitude
        let points = try #require(Double(written { $0.json(points: value) }))
        #expect((points - value).magnitude <= 0.000_500_001, "seed \(seed): \(value)")
        let fine = try #require(Double(written { $0.json(fine: value) }))
        #expect((fine - value).magnitude <= 0.000_000_501, "seed \(seed): \(value)")
        let angle = try #require(Double(written { $0.json(radians: value) }))
        #expect(angle > -3.141_593 && angle <= 3.141_593, "seed \(seed): \(value)")
    }
}

@Test(
    "Strings are escaped where JSON demands it",
    arguments: [
        ("", #""""#), ("plain", #""plain""#), (#"a"b"#, #""a\"b""#), (#"a\b"#, #""a\\b""#),
        ("a\nb\tc\rd", #""a\nb\tc\rd""#), ("\u{0}\u{1f}", #""\u0000\u001f""#),
        ("ä€😀\u{7f}", "\"ä€😀\u{7f}\""), ("eight888\"", #""eight888\"""#),
        ("seven77\u{1}longer than sixteen", #""seven77\u0001longer than sixteen""#),
    ])
func stringsAreEscaped(text: String, json: String) {
    #expect(written { $0.json(text) } == json)
}

// Several bytes are looked at together, the last of a text twice.
@Test
func stringsOfEveryLengthAreEscaped() {
    for length in 0...33 {
        let plain = [UInt8]((0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        let text = String(decoding: plain, as: UTF8.self)
        #expect(written { $0.json(text) } == "\"\(text)\"")
        for place in 0..<length {
            for (byte, escaped) in [(0x22, "\\\""), (0x5C, "\\\\"), (0x0A, "\\n"), (0, "\\u0000")] {
                var bytes = plain
                bytes[place] = UInt8(byte)
                let expected =
                    "\"" + String(decoding: plain[..<place], as: UTF8.self) + escaped
                    + String(decoding: plain[(place + 1)...], as: UTF8.self) + "\""
                #expect(written { $0.json(String(decoding: bytes, as: UTF8.self)) } == expected)
                #expect(
                    written { $0.member(String(decoding: bytes, as: UTF8.self), isFirst: true) }
                        == expected + ":")
            }
        }
    }
}

@Test
func everyThousandthIsWritten() {
    for count in 0..<1_000_000 where count < 2_000 || count % 997 == 0 {
        let (whole, rest) = count.quotientAndRemainder(dividingBy: 1_000)
        let padded = String(1_000 + rest).dropFirst()
        let fraction = String(padded.reversed().drop { $0 == "0" }.reversed())
        let expected = fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)"
        #expect(written { $0.json(points: Double(count) / 1_000) } == expected)
    }
}
