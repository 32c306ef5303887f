import Commands
import GesturedClient
import Testing

@testable import ToolCommands

@Suite struct UpdateLineTests {
    /// A transition's own fields, and what a person reads.
    @Test(arguments: [
        (
            #""name":"page","event":"began","from":0,"to":1,"duration":0.4,"curve":"linear""#,
            "page  began  0→1  0.4 s  linear"
        ),
        (
            #""name":"contact","event":"began","duration":0,"items":["a","b"],"point":[1,2]"#,
            "contact  began  a·b  0 s"
        ),
        (
            #""name":"contact","event":"ended","duration":0,"items":["a"],"boundary":"shelf""#,
            "contact  ended  a·shelf  0 s"
        ),
    ])
    func aTransitionIsOneLine(fields: String, line: String) throws {
        let topic = "transition/alice/tips"
        let body = #"{"epoch":"e","seq":3,"t":0,"# + fields + "}"
        let update = ReceivedUpdate(topic: Array(topic.utf8), body: Array(body.utf8))
        #expect(readableLine(try #require(update)).text == "\(topic) #3  \(line)")
    }

    /// The objects of a list by their ids; another list as it is.
    @Test func aStateIsOneLine() throws {
        let body =
            #"{"epoch":"e","seq":3,"t":0,"phase":"moving","model":{"items":[{"id":"home","#
            + #""glow":true},{"id":"news","glow":false}],"preload":[1,3],"none":[]},"#
            + #""views":{"bar":{"x":1,"y":2,"w":3,"h":4,"rotation":0,"scale":1,"alpha":1}}}"#
        let update = ReceivedUpdate(topic: Array("state/alice/tabs".utf8), body: Array(body.utf8))
        let line =
            "state/alice/tabs #3  moving  bar (1, 2) 3×4  "
            + "items.home.glow=true items.news.glow=false preload=[1,3] none=[]"
        #expect(readableLine(try #require(update)).text == line)
    }

    @Test(arguments: [
        (#""count":0,"from":0,"rows":[]"#, "0 rows"),
        (
            #""count":1,"from":0,"rows":[{"id":"order-17","content":{"text":"Order 17"}}]"#,
            #"1 row  order-17 "Order 17""#
        ),
        // Rows of a number have no ids, and some have no text.
        (
            #""count":400,"from":70,"rows":[{"content":{"text":"Row 70"}},{"content":{}}]"#,
            #"400 rows  from row 70  row 70 "Row 70"  row 71"#
        ),
        (#""count":1,"from":0,"rows":[7]"#, "1 row  row 0"),
    ])
    func rowsAreToldByTheirTexts(fields: String, line: String) throws {
        #expect(try rowsLine(fields) == "version 2  \(line)")
    }

    /// A list may tell more than a hundred rows, and each may have a long text.
    @Test func aLineOfRowsHasAnEnd() throws {
        let row = #"{"id":"a","content":{"text":"\#(String(repeating: "é", count: 41))"}}"#
        let rows = Array(repeating: row, count: 11).joined(separator: ",")
        let told = #"  a "\#(String(repeating: "é", count: 40))…""#
        #expect(
            try rowsLine(#""count":11,"from":0,"rows":[\#(rows)]"#)
                == "version 2  11 rows" + String(repeating: told, count: 8) + "  and 3 more")
    }

    private func rowsLine(_ fields: String) throws -> String {
        let (topic, body) = ("rows/a/list", #"{"epoch":"e","seq":3,"t":0,"version":2,"#)
        let update = ReceivedUpdate(topic: Array(topic.utf8), body: Array("\(body)\(fields)}".utf8))
        return String(readableLine(try #require(update)).text.dropFirst("\(topic) #3  ".count))
    }

    /// A publisher's text comes back in its rejection, and must not command the terminal.
    @Test func wordsOfOthersCommandNoTerminal() throws {
        let body = #"{"epoch":"e","seq":3,"t":0,"code":"bad-json","excerpt":"\u001b[2J\u009b1mé"}"#
        let update = ReceivedUpdate(topic: Array("rejected/a".utf8), body: Array(body.utf8))
        let line = "rejected/a #3  bad-json | \\u{1b}[2J\\u{9b}1mé"
        #expect(readableLine(try #require(update)).text == line)
    }

    @Test func aRefusedReactionIsNamed() throws {
        let body =
            #"{"epoch":"e","seq":3,"t":0,"code":"busy","topic":"command/a/x","reaction":2}"#
        let update = ReceivedUpdate(topic: Array("rejected/a".utf8), body: Array(body.utf8))
        let line = "rejected/a #3  busy | command/a/x  reaction=2"
        #expect(readableLine(try #require(update)).text == line)
    }
}
