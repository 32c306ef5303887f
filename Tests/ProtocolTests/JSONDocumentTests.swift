import Notation
import Protocol
import Testing

private func json(_ text: String) throws -> Node { try Document.json(Array(text.utf8)) }
private func toml(_ text: String) throws -> Node { try Document.toml(Array(text.utf8)) }

@Test(
    "JSON is read and written back compactly",
    arguments: [
        (" null ", "null"), ("true", "true"), ("false", "false"), ("-12", "-12"), ("0.5", "0.5"),
        ("\"\\t\\u0001\\\"\\\\\\u007f\\r\"", "\"\\t\\u0001\\\"\\\\\u{7f}\\r\""),
        ("3.0", "3.0"), ("\"\\u00e4\\n\"", "\"ä\\n\""), ("[ ]", "[]"), ("{ }", "{}"),
        ("[1, [2, {\"a\" : []}], {\"b\": null}]", "[1,[2,{\"a\":[]}],{\"b\":null}]"),
        ("{\"\": 1, \"a\": 2, \"a\": 3}", "{\"\":1,\"a\":2,\"a\":3}"),
        ("9223372036854775807", "9223372036854775807"),
        ("18446744073709551615", "18446744073709551615"),
        ("1e999", "null"), ("[-1e999, 1]", "[null,1]"), ("1e-999", "0.0"),
        ("[\"1e999\", 1e999]", "[\"1e999\",null]"),
    ])
func jsonIsRead(text: String, written: String) throws {
    let node = try json(text)
    #expect(String(decoding: node.json(), as: UTF8.self) == written)
    #expect(node.jsonBytes == written.utf8.count)
}

@Test(
    "A whole number beyond 64 bits is the nearest double, and null beyond all doubles",
    arguments: [
        "18446744073709551616", "18446744073709551617", "-9223372036854775809",
        "-9223372036854776833", "99999999999999999999", "100000000000000000000",
        "123456789012345678901", "-123456789012345678901234567890", "18446744073709553664",
        "18446744073709553665", String(repeating: "9", count: 308),
        "1" + String(repeating: "0", count: 308), String(repeating: "9", count: 309),
        "-" + String(repeating: "1", count: 10_000),
    ])
func hugeWholeNumbersAreRead(digits: String) throws {
    let nearest = try #require(Double(digits))
    // None of them becomes an integer that it is not.
    let number = nearest == -0x1p63 ? nearest.nextDown : nearest
    // The values around it stay as they were.
    let list = try json("[7,\(digits),\"\(digits)\", \(digits) ,8]").array
    let expected = Node(number.isFinite ? .number(number) : .null)
    #expect(
        list == [Node(.integer(7)), expected, Node(.string(digits)), expected, Node(.integer(8))])
    #expect(throws: DocumentError.self) { try Document.json(Array(digits.utf8), exactly: true) }
    // It may be all of a text.
    #expect(try json(digits) == expected && json(digits).int == nil)
}

@Test("Of repeated names the last counts")
func lastNameCounts() throws {
    #expect(try json(#"{"a":1,"b":2,"a":3}"#)["a"]?.int == 3)
}

@Test(
    "Values answer as what they are",
    arguments: [
        ("3", 3, 3), ("3.0", 3, 3), ("3.5", nil, 3.5), ("1e300", nil, 1e300), ("\"3\"", nil, nil),
        ("true", nil, nil), ("null", nil, nil),
    ] as [(String, Int?, Double?)])
func numbersAnswer(text: String, whole: Int?, double: Double?) throws {
    let node = try json(text)
    #expect(node.int == whole)
    #expect(node.double == double)
}

@Test(
    "What is no JSON is an error",
    arguments: ["", "{", "[1,]", "01", "1e999x", "nul", "\"\u{1}\"", "{\"a\":1e999,}", "[1e999 1]"])
func jsonIsRefused(text: String) {
    #expect(throws: DocumentError.self) { try json(text) }
}

@Test("Nesting is bounded, to the level", arguments: [Node.depthMax])
func nestingIsBounded(depth: Int) throws {
    func brackets(_ count: Int) -> String {
        String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    #expect(throws: Never.self) { try json(brackets(depth)) }
    #expect(throws: DocumentError(message: "nested too deep")) { try json(brackets(depth + 1)) }
    #expect(throws: DocumentError.self) { try json(brackets(100_000)) }
    // A TOML document is a table already.
    #expect(throws: Never.self) { try toml("a = \(brackets(depth - 1))") }
    #expect(throws: DocumentError(message: "nested too deep", line: 1)) {
        try toml("a = \(brackets(depth))")
    }
    #expect(throws: DocumentError.self) { try toml("a = \(brackets(100_000))") }
    let dotted = String(repeating: "a.", count: 100_000) + "a = 1"
    #expect(throws: DocumentError(message: "nested too deep", line: 2)) {
        try toml("b = 1\n" + dotted)
    }
}

@Test("TOML values know their lines")
func tomlKnowsLines() throws {
    let node = try toml(
        """
        # A comment.
        name = "x"

        [table]
        number = 1.5
        list = [
          1,
          true,
        ]
        [[tables]]
        a.b = 0x10
        [[tables]]
        """)
    #expect(node["name"] == Node(.string("x"), line: 2))
    #expect(node["table"]?.line == 4)
    #expect(node["table"]?["number"] == Node(.number(1.5), line: 5))
    #expect(node["table"]?["list"]?.line == 6)
    #expect(node["table"]?["list"]?.array?.map(\.line) == [7, 8])
    #expect(node["tables"]?.array?.map(\.line) == [10, 12])
    #expect(node["tables"]?.array?[0]["a"]?["b"] == Node(.integer(16), line: 11))
}

@Test("A TOML error has its line and column")
func tomlErrorHasPlace() throws {
    let error = #expect(throws: DocumentError.self) { try toml("a = 1\nb = = 2\n") }
    #expect(error?.line == 2)
    #expect(error?.column == 5)
    #expect(error?.message.isEmpty == false)
    #expect(throws: DocumentError.self) { try Document.toml([0x61, 0x3D, 0x22, 0xFF, 0x22]) }
}
