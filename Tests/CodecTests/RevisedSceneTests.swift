import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

@testable import Codec

/// Scenes with something written into their text.
@Suite struct RevisedSceneTests {
    private static let text = """
        {"viewport":[320,568],"insets":[1,2,3,4],"components":[
        {"id":"tabs","kind":"tabs","items":[{"id":"home"}]},
        {"id":"list","kind":"list","rows":3,"in":"tabs/page-home"},
        {"id":"given","kind":"reader","pages":2,"frame":[5,6,70,80],"size":[9,9]},
        {"id":"w","kind":"dynamics","items":[{"id":"ball","center":[5,5],"size":[2,2]}],
        "behaviors":[{"id":"fall","kind":"gravity","items":["ball"],"magnitude":2,"angle":0}]}]}
        """

    private func scene(_ text: String = text, name: String? = nil) throws -> Scene {
        try SceneReader.scene(from: try Document.json(Array(text.utf8)), fallbackName: name)
    }

    private func set(
        _ component: String, _ part: ComponentValues.Part, _ values: Sheet
    ) -> SceneRevision {
        .set(ComponentValues(component: component, part: part, values: values.members))
    }

    private func set(_ component: String, _ values: Sheet) -> SceneRevision {
        .set(ComponentValues(component: component, values: values.members))
    }

    private func refusal(_ scene: Scene, _ revision: SceneRevision) -> Rejection? {
        do throws(Rejection) {
            _ = try SceneReader.revised(scene, by: revision)
            return nil
        } catch {
            return error
        }
    }

    /// Frames and parameters that the scene gives stay, the others follow the viewport.
    @Test func aResizeComputesWhatTheSceneDoesNotGive() throws {
        let revised = try SceneReader.revised(
            try scene(), by: .resize(viewport: Size(400, 200), insets: nil))
        #expect(revised.viewport == Size(400, 200))
        #expect(revised.insets == (try scene()).insets)
        let frames = revised.components.map(\.placement.frame)
        #expect(frames[0] == Rect(0, 0, 400, 200) && frames[1] == frames[0])
        #expect(frames[2] == Rect(5, 6, 70, 80))
        let tabs = try #require(revised.components[0].parameters.value as? TabsParameters)
        #expect(tabs == (try expected(tabs.items)))
        let reader = try #require(revised.components[2].parameters.value as? ReaderParameters)
        #expect(reader.size == Size(9, 9))
    }

    private func expected(_ items: [TabsParameters.Item]) throws -> TabsParameters {
        var tabs = TabsParameters(viewport: Size(400, 200))
        tabs.items = items
        return tabs
    }

    /// The text of a revised scene is that scene.
    @Test func theTextIsReadAsTheSameScene() throws {
        var insets = Scene.Insets()
        insets.top = 44
        var revised = try scene(name: "mine")
        revised = try SceneReader.revised(
            revised, by: .resize(viewport: Size(99.5, 1), insets: insets))
        revised = try SceneReader.revised(revised, by: set("list", ["rows": 8]))
        revised = try SceneReader.revised(revised, by: .velocity(.leastSquares))
        let document = try #require(revised.document)
        #expect(try scene(document) == revised)
        #expect(revised.name == "mine" && revised.velocity == .leastSquares)
        #expect(revised.insets.top == 44 && revised.insets.left == 0)
    }

    @Test func aFileKeepsItsNameAndBecomesADocument() throws {
        let toml = """
            viewport = [320, 568]
            [[components]]
            id = "t"
            kind = "toss"
            """
        let scene = try SceneReader.scene(
            toml: Array(toml.utf8), file: "mine.toml", fallbackName: "mine")
        #expect(scene.document == nil)
        let revised = try SceneReader.revised(scene, by: set("t", ["friction": 0.5]))
        #expect(revised.name == "mine")
        let again = try self.scene(try #require(revised.document))
        #expect(again.name == "mine" && again == revised)
    }

    /// Swift's strings are equal that look the same.
    @Test func aTextInAnotherUnicodeFormIsAChange() throws {
        let (short, long) = ("\u{E9}", "e\u{301}")
        func pages(_ text: String) -> SceneRevision {
            let pages = Node(.array([Node(.string(text))]))
            return .set(
                ComponentValues(component: "given", values: [Node.Member("pages", pages)]))
        }
        let scene = try SceneReader.revised(try scene(), by: pages(short))
        let revised = try SceneReader.revised(scene, by: pages(long))
        let document = try #require(revised.document)
        #expect(document.utf8.count == (scene.document?.utf8.count ?? 0) + 1)
        #expect(Node(.string(long)).json() == Array("\"\(long)\"".utf8))
        #expect(Array(document.utf8).contains(0xCC))
    }

    @Test func aChangeThatChangesNothingIsTheSameScene() throws {
        let scene = try scene()
        for revision in [
            .resize(viewport: Size(320, 568), insets: scene.insets), set("list", ["rows": 3]),
            set("list", [:]), set("w", .item("late"), ["center": [1, 2]]),
        ] as [SceneRevision] {
            #expect(try SceneReader.revised(scene, by: revision) == scene)
        }
    }

    @Test func partsOfAWorldAreWrittenIntoIt() throws {
        var revised = try scene()
        revised = try SceneReader.revised(revised, by: set("w", .item("ball"), ["center": [7, 8]]))
        revised = try SceneReader.revised(revised, by: set("w", .behavior("fall"), ["dx": 3]))
        let node = revised.components[3].parameters.value.node
        let item = try #require(node["items"]?.array?.first)
        #expect(item["center"]?.array?.compactMap(\.double) == [7, 8])
        // A vector stands by its sides or by its angle, never by both.
        let gravity = try #require(node["behaviors"]?.array?.first)
        #expect(gravity["dx"]?.double == 3 && gravity["magnitude"] == nil)
    }

    @Test func refusalsNameWhatCannotBe() throws {
        let scene = try scene()
        let table: [(SceneRevision, RejectionCode, [String])] = [
            (set("list", ["rows": -1]), .badScene, ["list", "rows"]),
            (set("list", ["rowss": 1]), .badScene, ["list", "rowss", "rows"]),
            (set("list", ["in": "tabs/nowhere"]), .badScene, ["list", "nowhere"]),
            (set("list", ["kind": "toss"]), .badValue, ["list", "kind"]),
            (set("nobody", [:]), .unknownComponent, ["nobody"]),
            (set("list", .item("x"), [:]), .badValue, ["list", "dynamics"]),
            (set("w", .item("ball"), ["size": [0, 1]]), .badScene, ["ball", "size"]),
            (set("w", .item("ball"), ["id": "x"]), .badValue, ["ball", "id"]),
            (set("w", .behavior("fall"), ["kind": "push"]), .badValue, ["fall", "kind"]),
            (set("w", .behavior("fall"), ["items": ["no"]]), .badScene, ["fall", "no"]),
            (
                set("tabs", ["items": [["id": "other"]]]), .badScene,
                ["list", "tabs", "page-home"]
            ),
        ]
        for (revision, code, words) in table {
            let refusal = refusal(scene, revision)
            #expect(refusal?.code == code, "\(revision): \(String(describing: refusal))")
            #expect(words.allSatisfy { refusal?.message.contains($0) == true }, "\(revision)")
        }
    }

    @Test func aSceneDoesNotGrowWithoutEnd() throws {
        let long = String(repeating: "x", count: 1_000)
        let titles = Sheet((0..<60).map { _ in Sheet(long) })
        var members: [Sheet] = []
        for number in 0..<9 {
            members.append(["id": Sheet("r\(number)"), "kind": "reader", "pages": 1])
        }
        let table: Sheet = ["viewport": [320, 568], "components": Sheet(members)]
        var revised = try SceneReader.scene(from: table.node, fallbackName: nil)
        for number in 0..<8 {
            revised = try SceneReader.revised(revised, by: set("r\(number)", ["pages": titles]))
        }
        let refusal = refusal(revised, set("r8", ["pages": titles]))
        #expect(refusal?.code == .badScene)
        #expect(refusal?.message.contains("\(Limits.changedSceneBytesMax) bytes") == true)
    }

    /// A record has nothing of the scene before.
    @Test func theRecordFollowsTheScene() throws {
        var session = Session(
            id: "alice", epoch: "e.1", scene: try scene(), opened: Theater.opened, frameRate: 60)
        var cache = RecordCache(componentCount: 4)
        var buffer = ByteBuffer()
        cache.write(&session, generation: 1, into: &buffer)
        let revision = SceneRevision.resize(viewport: Size(50, 60), insets: nil)
        let toss = #"{"viewport":[9,9],"components":[{"id":"t","kind":"toss"}]}"#
        let other = InlineScene(try scene(toss))
        for change in [.revise(revision), .update(.inline(other))] as [SceneChange] {
            #expect(session.receive(Event(.change(change)), received: 0) == .applied)
            #expect(cache.isStale(in: session.takeDirtyParts(), of: &session, by: &buffer))
            var cached = ByteBuffer()
            var fresh = ByteBuffer()
            cache.write(&session, generation: 1, into: &cached)
            let record = try #require(session.record(generation: 1))
            record.write(into: &fresh)
            #expect(cached.text() == fresh.text())
            #expect(try SavedSession(document: fresh.array()) == record)
        }
        #expect(session.revision == 3)
    }
}

/// All that is wrong with a scene at once.
@Suite struct SceneFaultTests {
    private func faults(_ toml: String) -> [String] {
        SceneFaults.found(in: Array(toml.utf8), file: "s.toml").map(\.description)
    }

    @Test func aGoodSceneHasNone() {
        #expect(
            faults("viewport = [1, 2]\n[[components]]\nid = \"t\"\nkind = \"toss\"\n").isEmpty)
    }

    @Test func eachErrorIsToldByItsLine() {
        let told = faults(
            """
            viewport = [0, 2]
            frame_rate = 50
            extra = 1
            [[components]]
            id = "t"
            kind = "toss"
            thresold = 5
            return_duration = -1
            [[components]]
            kind = "toss"
            [[components]]
            id = "l"
            kind = "list"
            rows = -1
            row_height = 0
            [[components]]
            id = "x"
            kind = "tosss"
            [[components]]
            id = "inside"
            kind = "toss"
            in = "x/item"
            """)
        let lines = [
            "s.toml:1: key viewport", "s.toml:2: key frame_rate", "s.toml:3: unknown key",
            "s.toml:7: component t: unknown key", "s.toml:8: component t, key return_duration",
            "s.toml:9: component 2, key id", "s.toml:14: component l, key rows",
            "s.toml:15: component l, key row_height", "s.toml:18: component x, key kind",
        ]
        #expect(told.count == lines.count, "\(told)")
        for (line, found) in zip(lines, told) {
            #expect(found.hasPrefix(line), "\(found)")
        }
    }

    /// Reactions are looked at once every component is one.
    @Test func reactionsAreToldByTheirNumbers() {
        func scene(_ kind: String) -> String {
            let reaction = "[[reactions]]\nwhen = { component = \"none\", transition = \"x\" }\n"
            let action = "do = { component = \"t\", command = \"reset\" }\n"
            let other = "[[components]]\nid = \"u\"\nkind = \"toss\"\n"
            return "viewport = [1, 2]\n\(other)[[components]]\nid = \"t\"\nkind = \"\(kind)\"\n"
                + reaction + action + reaction + action
        }
        let told = faults(scene("toss"))
        #expect(told.count == 2, "\(told)")
        for (number, error) in told.enumerated() {
            #expect(error.contains("reaction \(number + 1)"), "\(error)")
        }
        // The component that is wrong itself is no error of the reactions that name it.
        #expect(faults(scene("tosss")).count == 3)
    }

    @Test func allThatIsWrongWithAReactionIsTold() {
        let told = faults(
            """
            viewport = [1, 2]
            [[components]]
            id = "t"
            kind = "tabs"
            items = [{ id = "home" }, { id = "news" }]
            [[components]]
            id = "l"
            kind = "list"
            rows = -1
            [[reactions]]
            when = { component = "t", transition = "select", item = "newss" }
            do = { component = "t", command = "glow", index = 7, extra = 1 }
            after = -1
            [[reactions]]
            when = { component = "t", transition = "selekt" }
            do = { component = "t", command = "glow", index = "$index", indx = 1 }
            """)
        let errors = [
            "s.toml:9: component l, key rows",
            "s.toml:11: reaction 1, when, key item: \"newss\" must be one of \"news\", \"home\"",
            "s.toml:12: reaction 1, do, key index: 7 must be",
            "s.toml:12: reaction 1, do: unknown key \"extra\"",
            "s.toml:13: reaction 1, key after: -1 must be",
            "s.toml:15: reaction 2, when, key transition: unknown transition of tabs \"selekt\", "
                + "known ones are select",
            "s.toml:16: reaction 2, do: unknown key \"indx\", did you mean \"index\"?",
        ]
        #expect(told.count == errors.count, "\(told)")
        for error in errors {
            #expect(told.contains { $0.hasPrefix(error) }, "\(error) in \(told)")
        }
    }

    @Test func entriesOfListsAreToldOneByOneByTheirNumbersInTheFile() {
        let told = faults(
            """
            viewport = [320, 568]
            [[components]]
            id = "c"
            kind = "tips"
            [[components.tips]]
            titl = "x"
            [[components.tips]]
            title = 3
            sumary = "y"
            [[components.tips]]
            title = 4
            [[components]]
            id = "w"
            kind = "dynamics"
            [[components.items]]
            id = "a"
            [[components.items]]
            id = "b"
            center = [1, 2]
            size = 3
            colour = 4
            [[components.behaviors]]
            id = "g"
            kind = "gravity"
            items = ["c"]
            motor_speed = 3
            """)
        let errors = [
            "s.toml:6: component c, tip 1: unknown key \"titl\", did you mean \"title\"?",
            "s.toml:8: component c, tip 2, key title", "s.toml:9: component c, tip 2: unknown key",
            "s.toml:11: component c, tip 3, key title",
            "s.toml:15: component w, item a, key center: is required",
            "s.toml:15: component w, item a, key size: is required",
            "s.toml:20: component w, item b, key size",
            "s.toml:21: component w, item b: unknown key \"colour\", known ones are",
            "component w, behavior g, key items: entry 1: there is no item \"c\", known ones are",
            "component w, behavior g: unknown key \"motor_speed\", known ones are",
        ]
        for error in errors {
            #expect(told.contains { $0.contains(error) }, "\(error) in \(told)")
        }
        #expect(told.count == errors.count, "\(told)")
    }

    @Test func contentThatIsTooLargeIsNamedWithItsSize() {
        let text = String(repeating: "x", count: 18_000)
        let told = faults(
            """
            viewport = [320, 568]
            [[components]]
            id = "w"
            kind = "dynamics"
            content = { text = "\(text.dropLast(4_000))" }
            [[components.items]]
            id = "a"
            center = [1, 2]
            size = [1, 1]
            content = { text = "\(text)" }
            """)
        #expect(
            told.first?.hasPrefix(
                "s.toml:10: component w, item a, key content: has 18011 bytes as JSON") == true,
            "\(told)")
        #expect(told.first?.contains("one thing has at most 16384 bytes") == true, "\(told)")
    }

    @Test func aHundredAreEnough() {
        let keys = (0..<8).map { "key\($0) = 1\n" }.joined()
        let components = (0..<30).map {
            "[[components]]\nid = \"c\($0)\"\nkind = \"toss\"\n\(keys)"
        }
        let told = faults("viewport = [1, 2]\n" + components.joined())
        #expect(told.count == Limits.sceneErrorsMax)
    }

    @Test func aFileThatIsNoTableHasOne() {
        #expect(faults("viewport = = 2\n").count == 1)
        #expect(SceneFaults.found(in: Array("{".utf8), file: "s.json").count == 1)
        #expect(SceneFaults.found(in: Array("[]".utf8), file: "s.json").count == 1)
    }
}
