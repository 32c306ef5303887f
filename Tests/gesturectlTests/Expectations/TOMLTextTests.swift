import Geometry
import Testing

@testable import ToolCommands

@Suite struct TOMLTextTests {
    private static let file = #"""
        # toss.x = 1
        tolerance = 0.5 # a = 3
        rejections=[ "a", # one
          'b' ]

        [[expect]]
        toss.item.x = "1 # 2 = 3"   # 4
        "a.b".c = '''long " '
        x = 1'''
        d = { e.f = 1, "g" = [1,2] , h={i=2} }
        [expect.toss.touch]
        x = -5e3
        [other]
        y = 2
        [[expect]]
        when = 1979-05-27T07:32:00Z
        list = [ {a = 1}, [2, 3], "]" ]
        last = true
        """#

    private func found(_ text: TOMLText, _ table: Int?, _ keys: String...) -> String? {
        text.entry(table: table, keys: keys).map { text.text($0.value) }
    }

    @Test func everyValueIsFoundWhereItStands() {
        let text = TOMLText(Array(Self.file.utf8))
        #expect(found(text, nil, "tolerance") == "0.5")
        #expect(
            text.entry(table: nil, keys: ["rejections"])?.elements.map(text.text)
                == ["\"a\"", "'b'"])
        #expect(found(text, 0, "toss", "item", "x") == "\"1 # 2 = 3\"")
        #expect(found(text, 0, "a.b", "c") == "'''long \" '\nx = 1'''")
        #expect(found(text, 0, "d", "e", "f") == "1")
        #expect(found(text, 0, "d", "g") == "[1,2]")
        #expect(found(text, 0, "d", "h", "i") == "2")
        #expect(found(text, 0, "toss", "touch", "x") == "-5e3")
        #expect(found(text, 0, "y") == nil && found(text, nil, "other", "y") == "2")
        #expect(found(text, 1, "when") == "1979-05-27T07:32:00Z")
        #expect(
            text.entry(table: 1, keys: ["list"])?.elements.map(text.text)
                == ["{a = 1}", "[2, 3]", "\"]\""])
        #expect(found(text, 1, "last") == "true")
        #expect(text.firstTable.map { text.text($0..<$0 + 10) } == "[[expect]]")
    }

    /// The real reader refuses such files, but nothing may hang or fall.
    @Test func damagedTextsComeToAnEnd() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            var bytes = Array(Self.file.utf8)
            for _ in 0..<4 {
                let place = random.whole(in: 0...bytes.count - 1)
                switch random.whole(in: 0...2) {
                case 0: bytes[place] = UInt8(random.whole(in: 0...255))
                case 1: bytes.remove(at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let text = TOMLText(bytes)
            for entry in text.entries { #expect(entry.value.upperBound <= bytes.count) }
        }
    }
}
