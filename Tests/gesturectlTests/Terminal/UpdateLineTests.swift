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
