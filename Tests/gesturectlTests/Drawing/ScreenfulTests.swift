import GesturedClient
import Notation
import Pictures
import Protocol
import Testing

@testable import Commands
@testable import PictureCommands
@testable import ToolCommands

private func update(_ topic: String, _ fields: String) throws -> ReceivedUpdate {
    let body = Array("{\"epoch\":\"d.1\",\"seq\":1,\"t\":5,\(fields)}".utf8)
    return try #require(ReceivedUpdate(topic: Array(topic.utf8), body: body))
}

private let item =
    #"{"id":"a","kind":"dynamics","parent":null,"slot":null,"frame":[0,0,40,40],"clip":false,"#
    + #""parameters":{"items":[{"id":"box","content":{"background":"red"}}]},"content":{}}"#

/// A session whose red box covers the left half of the viewport.
private func session(
    phase: String = "moving", viewport: String = "[40,40]", more: String = ""
) throws -> ShownSession {
    var shown = ShownSession(session: "alice")
    shown.apply(
        try update(
            "scene/alice",
            #""viewport":\#(viewport),"content":{"background":"blue"},"components":[\#(item)]"#))
    let state =
        #"{"component":"a","phase":"\#(phase)","model":{},"#
        + #""views":{"box":{"x":10,"y":20,"w":20,"h":40}}}"#
    shown.apply(try update("frame/alice", #""states":[\#(state)]\#(more)"#))
    return shown
}

private let colors = TerminalKind(graphics: .symbols, colors: .millions)
private let dots = TerminalKind(graphics: .symbols, colors: .none)

private func lines(
    _ shown: ShownSession, _ columns: Int = 80, _ rows: Int = 11, on kind: TerminalKind = dots,
    _ style: Style = .plain
) -> [String] {
    Screenful(shown, columns: columns, rows: rows, on: kind, style).lines.map(\.text)
}

@Suite struct ScreenfulTests {
    @Test func aViewIsDrawnInItsColor() throws {
        let drawn = lines(try session(), 80, 11, on: colors)
        #expect(drawn.count == 11)
        // Ten rows of twenty cells: the box is ten cells wide.
        for line in drawn.dropLast().dropFirst() {
            #expect(line.contains("255;0;0") && line.contains("0;0;255"), "\(line)")
            let red = line.firstRange(of: "255;0;0")
            let blue = line.firstRange(of: "0;0;255")
            let isInOrder = red.map { r in blue.map { b in r.lowerBound < b.lowerBound } ?? false }
            #expect(isInOrder == true, "\(line)")
        }
    }

    /// Blocks and dots cannot show words.
    @Test(arguments: [dots, colors]) func wordsAreShownByTheirLetters(kind: TerminalKind) throws {
        func told(_ cover: String) throws -> String {
            var shown = ShownSession(session: "alice")
            let items =
                #"{"id":"box","content":{"background":"white","color":"black","text":"Throw me"}},"#
                + #"{"id":"lid","content":{"background":"red"}}"#
            let component =
                #"{"id":"a","kind":"dynamics","parent":null,"slot":null,"frame":[0,0,200,100],"#
                + #""clip":false,"parameters":{"items":[\#(items)]},"content":{}}"#
            shown.apply(
                try update(
                    "scene/alice",
                    #""viewport":[200,100],"content":{"background":"blue"},"components":["#
                        + component + "]"))
            let state =
                #"{"component":"a","phase":"resting","model":{},"#
                + #""views":{"box":{"x":100,"y":50,"w":200,"h":60}\#(cover)}}"#
            shown.apply(try update("frame/alice", #""states":[\#(state)]"#))
            return lines(shown, 60, 14, on: kind).joined(separator: "\n")
        }
        #expect(try told("").contains("Throw me"))
        #expect(try !told(#","lid":{"x":100,"y":50,"w":200,"h":90}"#).contains("Throw"))
    }

    @Test func theLinkStaysAboveTheLastLine() throws {
        var shown = try session()
        shown.link = "http://127.0.0.1:7480/"
        shown.caption = "1 A tip"
        let drawn = lines(shown, 60, 12)
        #expect(drawn.count == 12 && drawn[11].hasPrefix("alice"))
        #expect(drawn[10].contains("http://127.0.0.1:7480/  o opens it"))
        #expect(drawn[9].contains("1 A tip"))
    }

    @Test func besideThePictureStandPhasesCountsAndTransitions() throws {
        let more =
            #","transitions":[{"component":"a","name":"wake","event":"began"}],"#
            + #""badge":{"total":5,"counts":{"likes":3,"news":2}}"#
        let drawn = lines(try session(more: more))
        let words = drawn.joined(separator: "\n")
        for wanted in ["a  moving", "likes 3", "news 2", "a: wake began"] {
            #expect(words.contains(wanted), "\(words)")
        }
        let last = try #require(drawn.last)
        #expect(last.hasPrefix("alice") && last.contains("badge 5") && last.hasSuffix("q ends"))
        #expect(last.count == 80, "the caption has the whole width")
    }

    @Test func withoutRoomTheCaptionHasThePhases() throws {
        let drawn = lines(try session(), 24, 12)
        #expect(drawn.last?.contains("a: mov") == true, "\(drawn.last ?? "")")
        #expect(drawn.allSatisfy { $0.count <= 24 })
    }

    @Test(arguments: [(1, 1), (2, 2), (500, 3), (3, 200), (9_999, 9_999)])
    func everySizeHolds(columns: Int, rows: Int) throws {
        for viewport in ["[40,40]", "[100000,1]", "[1,100000]"] {
            let drawn = lines(try session(viewport: viewport), columns, rows)
            #expect(drawn.count == min(rows, Screenful.rowsMax))
            #expect(drawn.allSatisfy { $0.count <= columns })
        }
    }

    @Test func wordsOfADaemonCommandNoTerminal() throws {
        let drawn = lines(try session(phase: "a\\u001b[2Jb")).joined()
        #expect(!drawn.contains("\u{1B}") && drawn.contains("a\\u{1b}[2Jb"))
        #expect(Printable.line("a\u{9B}2J\u{7F}\u{202F}é🚀") == "a\\u{9b}2J\\u{7f}\u{202F}é🚀")
    }

    @Test func colorsAreOnlyWhereTheyAreWanted() throws {
        let shown = try session()
        #expect(lines(shown, on: colors, Style(isOn: true)).joined().contains("\u{1B}[36m"))
        #expect(!lines(shown).joined().contains("\u{1B}"))
    }

    @Test func pixelsAreForTerminalsThatHaveThem() throws {
        let kitty = TerminalKind(graphics: .kitty, colors: .millions)
        let screenful = Screenful(
            try session(), columns: 80, rows: 11, on: kitty, cell: (10, 20))
        #expect(screenful.graphics.starts(with: Array("\u{1B}_G".utf8)))
        #expect(screenful.lines.first?.text.hasPrefix("\u{1B}[21G") == true)
        #expect(Screenful(try session(), columns: 80, rows: 11, on: dots).graphics.isEmpty)
    }

    @Test func aSessionThatEndsLosesItsViews() throws {
        var shown = try session()
        shown.apply(try update("session/alice", #""event":"closed","scene":null"#))
        #expect(shown.notice == "closed" && shown.picture.components.isEmpty)
        #expect(lines(shown).last?.contains("closed") == true)
        shown.apply(try update("session/alice", #""event":"opened","scene":null"#))
        #expect(shown.notice.isEmpty)
        shown.apply(try update("frame/alice2", #""states":[{"component":"x"}]"#))
        #expect(shown.picture.states.isEmpty, "another's")
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
