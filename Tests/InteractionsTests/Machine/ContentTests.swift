import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// Content is handed through: any table is taken and written out again, and nothing else is.
@Suite struct ContentTests {
    private static let content: Sheet = [
        "text": "Résumé \"1\"", "colors": [[1, 0.5], ["deep": ["er": true]]], "empty": [:],
    ]

    /// A component's table whose one entry has that content.
    private static let places: [@Sendable (Sheet) -> (any Machine.Type, Sheet)] = [
        { (Tips.self, ["tips": [["title": "A", "content": $0], ["title": "B"]]]) },
        { (Tabs.self, ["items": [["id": "home", "content": $0], ["id": "news"]]]) },
        {
            let item: Sheet = ["id": "a", "center": [1, 2], "size": [3, 4], "content": $0]
            return (World.self, ["items": [item]])
        },
    ]

    private func read(_ place: Int, _ content: Sheet) throws -> ComponentParameters {
        let (kind, table) = Self.places[place](content)
        var reader = try TableReader(table.node, path: "component x")
        let parameters = try ComponentParameters(kind, &reader, viewport: .phone)
        try reader.finish()
        return parameters
    }

    private func entry(_ parameters: ComponentParameters) -> Node? {
        let node = parameters.value.node
        return (node["tips"] ?? node["items"])?.array?.first
    }

    @Test(arguments: 0..<3) func aTableIsWrittenOutAsItIs(place: Int) throws {
        for content in [Self.content, [:]] {
            let parameters = try read(place, content)
            #expect(entry(parameters)?["content"] == content.node)
            let again = try read(place, Sheet(try #require(entry(parameters)?["content"])))
            #expect(again == parameters)
            #expect(parameters.contentBytes == content.node.jsonBytes)
        }
        #expect(try read(place, Self.content) != read(place, [:]))
    }

    @Test(arguments: 0..<3, [[1, 2], "text", 3, true, Sheet(Node(.null))] as [Sheet])
    func everythingElseIsRefused(place: Int, content: Sheet) throws {
        let error = #expect(throws: TableError.self) { try read(place, content) }
        #expect(error?.key == "content" && error?.message == "must be a table")
    }

    /// Two that say the same are equal, wherever they stand in a file.
    @Test(arguments: 0..<3) func linesAreForgotten(place: Int) throws {
        let here = Node(.object([.init("a", Node(.array([Node(.bool(true), line: 3)]), line: 2))]))
        let there = Node(
            .object([.init("a", Node(.array([Node(.bool(true), line: 9)]), line: 8))]), line: 7)
        #expect(here != there)
        #expect(try read(place, Sheet(here)) == read(place, Sheet(there)))
    }

    @Test func whatHasNoneWritesNone() throws {
        #expect(entry(ComponentParameters(TabsParameters.five))?["content"] == nil)
        #expect(ComponentParameters(TabsParameters.five).contentBytes == 0)
        #expect(ComponentParameters(ListParameters(rows: 3)).contentBytes == 0)
    }

    // MARK: Worlds

    private func item(_ id: Sheet, _ content: Sheet) -> Sheet {
        ["item": ["id": id, "center": [1, 2], "size": [3, 4], "content": content]]
    }

    @Test func anAddedItemMayHaveAKibibyte() throws {
        var stage = try worldStage([:])
        // {"text":"…"} is eleven bytes without the text.
        let most = String(repeating: "x", count: World.itemContentBytesMax - 11)
        try stage.command("add-item", item("a", ["text": Sheet(most)]))
        let refused = objection { () throws(Rejection) in
            try stage.command("add-item", item("b", ["text": Sheet(most + "x")]))
        }
        #expect(refused == "bad-value: item b, key content: must be at most 1024 bytes long")
        #expect(
            refusal { () throws(Rejection) in try stage.command("add-item", item("b", "x")) }
                == .badValue)
        #expect(stage.picture.names == ["a"])
        let described = stage.machine.description.node["items"]?.array?.first
        #expect(described?["content"]?["text"]?.string == most)
    }

    @Test func contentStaysWithAWorldThatComesBack() throws {
        var stage = try worldStage([:])
        try stage.command("add-item", item("a", Self.content))
        try stage.command("set", ["item": "a", "values": ["center": [9, 9]]])
        let saved = Node(encoding: stage.machine.savedState)
        var world = World(
            try WorldParameters(([:] as Sheet).node), viewport: .phone, tracker: .uikit)
        var effects = Effects(random: SplitMix64(seed: 1))
        let state = try SavedState(saved)
        #expect(world.restore(state, counts: .init(), into: &effects))
        #expect(effects.worldsUnread == 0)
        let items = world.description.node["items"]?.array
        #expect(items?.first?["content"] == Self.content.node)
    }

    @Test func contentCannotBeSet() throws {
        var stage = try worldStage([:])
        try stage.command("add-item", item("a", Self.content))
        let refused = objection { () throws(Rejection) in
            try stage.command("set", ["item": "a", "values": ["content": [:]]])
        }
        #expect(refused == "bad-value: item a, key content: cannot be set")
    }
}
