import GesturedClient
import Notation
import Protocol
import TestSupport
import Testing

@testable import gesturectl

private func update(_ topic: String, _ fields: String) throws -> ReceivedUpdate {
    let body = Array("{\"epoch\":\"d.1\",\"seq\":1,\"t\":5,\(fields)}".utf8)
    return try #require(ReceivedUpdate(topic: Array(topic.utf8), body: body))
}

private func view(_ x: Double, _ y: Double, _ w: Double, _ h: Double, _ more: String = "") -> String
{
    "{\"x\":\(x),\"y\":\(y),\"w\":\(w),\"h\":\(h)\(more)}"
}

/// A session of a viewport of 40 by 40 with one component's views.
private func picture(
    _ views: String, phase: String = "resting", viewport: String = "[40,40]"
) throws -> ShownSession {
    var picture = ShownSession(session: "alice")
    picture.setScene(
        try Document.json(
            Array(#"{"viewport":\#(viewport),"components":[{"id":"c"},{"id":"b"}]}"#.utf8)))
    _ = picture.apply(
        try update("state/alice/c", #""phase":"\#(phase)","views":{\#(views)}"#))
    return picture
}

private func lines(_ picture: ShownSession, _ columns: Int = 20, _ rows: Int = 11) -> String {
    Drawing(picture, columns: columns, rows: rows).lines().joined(separator: "\n").text
}

@Suite struct DrawingTests {
    /// One of each kind, each in a file that shows what it looks like.
    @Test(arguments: [
        ("edge", view(20, 20, 30, 20)),
        ("turned", view(20, 20, 20, 20, ",\"rotation\":0.785398")),
        ("scaled", view(20, 20, 20, 20, ",\"rotation\":-0.3,\"scale\":1.6")),
        ("half", view(20, 20, 30, 20, ",\"alpha\":0.5")), ("beyond", view(38, 4, 30, 20)),
        ("narrow", view(20, 20, 4, 30)),
    ])
    func aViewIsItsEdgeWithItsNameInside(name: String, view: String) throws {
        try expectGolden(lines(try picture("\"item\":" + view)) + "\n", named: "\(name).txt")
    }

    @Test func severalViewsAndComponentsShareThePicture() throws {
        var picture = try picture(
            "\"card\":" + view(16, 20, 24, 14, ",\"rotation\":0.4") + ",\"other\":"
                + view(26, 26, 16, 14, ",\"z\":1"))
        _ = picture.apply(
            try update(
                "state/alice/b", #""phase":"moving","views":{"hint":\#(view(28, 26, 20, 6))}"#))
        try expectGolden(lines(picture, 60, 21) + "\n", named: "several.txt")
    }

    /// A view in front hides the view behind it, unless it is translucent.
    @Test(arguments: [(1, 1.0, false), (1, 0.5, true), (0, 1.0, true)])
    func theOrderOfViewsIsThatOfTheirZ(z: Int, alpha: Double, isSeen: Bool) throws {
        let back = "\"back\":" + view(20, 20, 10, 10, ",\"z\":0.5")
        let front = "\"front\":" + view(20, 20, 30, 30, ",\"z\":\(z),\"alpha\":\(alpha)")
        let drawn = lines(try picture("\(back),\(front)"))
        let alone = lines(try picture(front))
        #expect((drawn != alone) == isSeen)
    }

    @Test func theFainterTheFewerDots() throws {
        func count(_ alpha: Double) throws -> Int {
            let drawn = lines(
                try picture("\"v\":" + view(20, 20, 30, 30, ",\"alpha\":\(alpha)")))
            let empty = lines(try picture(""))
            func dots(_ text: String) -> Int {
                text.unicodeScalars.reduce(0) {
                    $0
                        + ((0x2800...0x28FF).contains($1.value)
                            ? ($1.value - 0x2800).nonzeroBitCount : 0)
                }
            }
            return dots(drawn) - dots(empty)
        }
        let counts = try [1, 0.5, 0.2, 0.05].map(count)
        #expect(counts == counts.sorted(by: >) && counts[3] == 0 && counts[2] > 5, "\(counts)")
    }

    @Test func whereThereIsRoomComponentsAndCountsAreListed() throws {
        var picture = try picture("", viewport: "[20,40]")
        _ = picture.apply(try update("state/alice/b", #""phase":"moving","views":{}"#))
        _ = picture.apply(
            try update("badge/alice", #""total":5,"counts":{"likes":3,"news":2}"#))
        let drawn = Drawing(picture, columns: 40, rows: 6).lines()
        #expect(
            drawn == [
                "⡃⠁⠁⠁⠁⠅  c  resting", "⡂    ⠅  b  moving", "⡂    ⠅", "⡂    ⠅  likes 3",
                "⡂⡀⡀⡀⡀⡅  news 2", "alice  badge 5",
            ])
        #expect(
            Drawing(picture, columns: 30, rows: 3, only: ["b"]).lines().last == "alice  badge 5")
        #expect(
            Drawing(picture, columns: 24, rows: 20).lines().last == "alice  c: resting  b: mo")
    }

    @Test(arguments: [(1, 1), (2, 2), (500, 3), (3, 200), (9_999, 9_999)])
    func everySizeHolds(columns: Int, rows: Int) throws {
        let far = [
            "\"a\":" + view(1e6, -1e6, 1e6, 3), "\"b\":" + view(20, 20, 1e6, 1e6),
            "\"c\":" + view(20, 20, 0, 0, ",\"scale\":0"),
            "\"d\":" + view(0, 0, 40, 1, ",\"rotation\":1e5"),
        ].joined(separator: ",")
        let drawn = Drawing(try picture(far), columns: columns, rows: rows).lines()
        #expect(drawn.count <= min(max(rows, 1), Drawing.rowsMax))
        #expect(drawn.allSatisfy { $0.text.count <= columns })
    }

    @Test func wordsOfADaemonCommandNoTerminal() throws {
        let bad = "a\\u001b[2Jb"
        let drawn = lines(
            try picture("\"\(bad)\":" + view(20, 20, 38, 38), phase: bad))
        #expect(!drawn.contains("\u{1B}") && drawn.contains("a\\u{1b}[2Jb"))
        #expect(Printable.line("a\u{9B}2J\u{7F}\u{202F}é🚀") == "a\\u{9b}2J\\u{7f}\u{202F}é🚀")
    }

    @Test func colorsAreOnlyWhereTheyAreWanted() throws {
        let picture = try picture("\"item\":" + view(20, 20, 30, 20))
        let drawing = Drawing(picture, columns: 20, rows: 11)
        let colored = drawing.lines(Style(isOn: true)).joined().text
        #expect(colored.contains("\u{1B}[36m") && colored.contains("\u{1B}[2m"))
        #expect(!drawing.lines().joined().text.contains("\u{1B}"))
        let plain = colored.replacing(/\u{1B}\[[0-9]+m/, with: "")
        #expect(plain == drawing.lines().joined().text)
    }

    @Test func aSessionThatEndsLosesItsViews() throws {
        var picture = try picture("\"item\":" + view(20, 20, 30, 20))
        #expect(!picture.apply(try update("session/alice", #""event":"closed","scene":null"#)))
        #expect(picture.notice == "closed" && picture.names.isEmpty)
        #expect(picture.apply(try update("session/alice", #""event":"opened","scene":null"#)))
        #expect(picture.notice.isEmpty)
        _ = picture.apply(try update("state/alice2/c", #""phase":"x","views":{}"#))
        #expect(picture.names.isEmpty, "another's")
    }
}

@Suite struct StyleTests {
    @Test(
        arguments: [
            (true, nil, "xterm", true), (false, nil, "xterm", false), (true, "1", "xterm", false),
            (true, "", "xterm", true), (true, nil, "dumb", false), (true, nil, nil, false),
        ] as [(Bool, String?, String?, Bool)])
    func colorsAreForATerminalThatWantsThem(
        isTerminal: Bool, noColor: String?, terminal: String?, isWanted: Bool
    ) {
        #expect(
            Style.isWanted(isTerminal: isTerminal, noColor: noColor, terminal: terminal)
                == isWanted)
    }

    @Test func updatesAreColoredByTheirKind() throws {
        let update = try update("state/a/b", #""phase":"resting","model":{},"views":{}"#)
        #expect(readableLine(update).text == "state/a/b #1  resting")
        #expect(
            readableLine(update, Style(isOn: true)).text
                == "\u{1B}[36mstate/a/b\u{1B}[0m\u{1B}[2m #1\u{1B}[0m  resting")
    }
}
