import Notation
import Testing

@testable import Protocol

struct DocumentFileTests {
    @Test(arguments: [
        ("", 1), ("\n\n", 1), ("{", 1), ("[\n1,\n]", 3), ("[\n1\n2]", 3), ("{\"a\":\n1,}", 2),
        ("{\n\"a\" 1}", 2), ("{\n1:2}", 2), ("[1,\n2", 2), ("[1,\n2\n\n\n", 2), ("[\n\"a\nb\"]", 2),
        ("[\n\"a", 2), ("[\n\"a\\", 2), ("[]\n[]", 2), ("[\n}", 2), ("[\n01]", 2), ("[\n1.]", 2),
        ("[\n-]", 2), ("[\n1e]", 2), ("[\n+1]", 2), ("[\n.5]", 2), ("[\ntru]", 2), ("[\nNaN]", 2),
        ("[\n'a']", 2), ("[\n\"\\q\"]", 2), ("[\n\"\\u12g4\"]", 2), ("{\"a\":1,\n\"b\"}", 2),
        ("]", 1),
    ])
    func theLineIsWhereItStopsBeingJSON(text: String, line: Int) {
        let error = #expect(throws: DocumentError.self) {
            try Document.jsonFile(Array(text.utf8))
        }
        #expect(error?.line == line)
    }

    @Test func everyValueOfAFileHasItsLine() throws {
        let text = """
            {
              "name": "a",
              "list": [1,
                {"x": [],
                 "y":
                   -2.5e3}, "z"],
              "name": null
            }
            """
        let node = try Document.jsonFile(Array(text.utf8))
        #expect(node.line == 1)
        #expect(node.members?.map(\.value.line) == [2, 3, 7])
        let list = try #require(node["list"]?.array)
        #expect(list.map(\.line) == [3, 4, 6])
        #expect(list[1].members?.map(\.value.line) == [4, 5])
        #expect(node.json() == (try Document.json(Array(text.utf8))).json())
    }

    @Test func aDocumentThatIsNoFileHasNoLines() throws {
        let node = try Document.json(Array("[\n1]".utf8))
        #expect(node.line == nil && node.array?.first?.line == nil)
    }
}
