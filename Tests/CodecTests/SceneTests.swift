import Codec
import Foundation
import Geometry
import Gestures
import Interactions
import Motion
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

private func scene(toml: String) throws -> Scene {
    try SceneReader.scene(toml: Array(toml.utf8), file: "my.toml", fallbackName: nil)
}

@Test("The default scene is the seven kinds and what stands in them, by their defaults")
func phoneLoads() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../config/scenes/phone.toml")
    let bytes = [UInt8](try Data(contentsOf: url))
    let scene = try SceneReader.scene(toml: bytes, file: "phone.toml", fallbackName: "phone")
    let viewport = Size(320, 568)
    #expect(scene.name == "phone" && scene.viewport == viewport)
    #expect(scene.frameRate == nil && scene.seed == nil && scene.velocity == .uikit)
    let kinds = ["tabs", "navigation", "list", "toss", "reader", "profile", "tips"]
    let main = scene.components.filter { kinds.contains($0.id) }
    #expect(main.map(\.id) == kinds && main.map(\.parameters.kind) == kinds)
    let pages = ["home", "popular", "share", "news", "profile"]
    #expect(
        main.map { $0.placement.holder?.slot.name }
            == [nil] + pages.map { "page-\($0)" } + [nil])
    let (whole, page) = (Rect(0, 0, 320, 568), Rect(0, 0, 320, 524))
    #expect(main.map(\.placement.frame) == [whole] + pages.map { _ in page } + [whole])
    #expect(scene.components.allSatisfy { $0.content != nil })
    let parts = scene.components.filter { !kinds.contains($0.id) }
    #expect(parts.allSatisfy { ["button", "label", "list"].contains($0.parameters.kind) })
    var tips = try #require(main[6].parameters.value as? TipsParameters)
    #expect(tips.tips.map(\.title) == ["Don't Blink", "Explore", "Take in the Moment"])
    #expect(tips.tips.allSatisfy { $0.summary != "No Summary" && $0.image != nil })
    tips.tips = []
    #expect(tips == TipsParameters(viewport: .phone))
    #expect(main[3].parameters == .init(TossParameters(viewport: page.size)))
    var navigation = try #require(main[1].parameters.value as? NavigationParameters)
    #expect(navigation.screens.allSatisfy { $0.title != nil })
    let held = Set(parts.compactMap { $0.placement.holder?.slot.name })
    #expect(held.isSuperset(of: navigation.screenNames))
    navigation.screens = []
    #expect(navigation == NavigationParameters(root: "dashboard"))
    #expect(main[5].parameters == .init(ProfileParameters(viewport: page.size)))
    var list = try #require(main[2].parameters.value as? ListParameters)
    #expect(list.menu.map(\.id) == ["thread", "compose"])
    #expect(list.rows == 20 && list.listed != nil)
    list.menu = []
    func others(_ list: ListParameters) -> [ParameterTable.Entry] {
        list.list.filter { $0.key != "rows" }
    }
    #expect(others(list) == others(ListParameters(rows: 20)))
    var reader = try #require(main[4].parameters.value as? ReaderParameters)
    #expect(reader.pages.count == 10)
    reader.pages = .count(10)
    #expect(reader == ReaderParameters(pages: .count(10), viewport: page.size))
    var tabs = TabsParameters(viewport: viewport)
    tabs.barCovers = false
    tabs.items = pages.map { .init(id: $0) }
    tabs.items[3].bubble = ["comments", "likes", "followers"]
    tabs.items[4].glow = ["mentions"]
    var shown = try #require(main[0].parameters.value as? TabsParameters)
    for index in shown.items.indices {
        #expect(shown.items[index].content?["text"]?.string != nil)
        shown.items[index].content = nil
    }
    #expect(shown == tabs)
}

@Test("The defaults that the scene file shows in comments are the defaults")
func commentedDefaultsHold() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../config/scenes/phone.toml")
    let text = try String(contentsOf: url, encoding: .utf8)
    let plain = try SceneReader.scene(
        toml: Array(text.utf8), file: "phone.toml", fallbackName: "phone")
    // "# key = value" is a default that is left out; what depends on more is not.
    let exceptions = ["seed", "image", "navigation_height", "name_label_top", "glow", "bubble"]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        guard line.hasPrefix("# "), let sign = line.firstRange(of: " = ") else { return line }
        let key = line[line.index(line.startIndex, offsetBy: 2)..<sign.lowerBound]
        return key.contains(" ") || exceptions.contains(String(key)) ? line : line.dropFirst(2)
    }
    #expect(lines.count { !$0.hasPrefix("#") && $0.contains(" = ") } >= 45)
    var full = try SceneReader.scene(
        toml: Array(lines.joined(separator: "\n").utf8), file: "phone.toml", fallbackName: nil)
    #expect(full.frameRate == 60)
    full.frameRate = nil
    #expect(full.withoutText == plain.withoutText)
}

@Test("Every parameter is read")
func everyParameterIsRead() throws {
    let text = """
        name = "mine"
        viewport = [100, 200]
        frame_rate = 120
        seed = 42
        velocity = "least-squares"
        components = [
        {id="a", kind="tips", tips=[{title="T", summary="S", image="I"}], size=[1, 2],
         pivot_offset=3, threshold=4, exit_duration=5, snap_damping=6, backdrop_alpha=0.7,
         fade=8, presented=false},
        {id="b", kind="toss", frame=[1, 2, 3, 4], throwing_threshold=5, velocity_padding=6,
         spin=[-7, 8], friction=9, return_delay=10, return_duration=11},
        {id="c", kind="profile", header=[1, 2, 3, 4], avatar=[5, 6, 7, 8],
         label=[9, 10, 11, 12], header_stop=13, label_offset=14, label_distance=15,
         avatar_slowdown=16, content_height=17},
        {id="d", kind="tabs", items=[{id="i", glow=["g"], bubble=["b"]}], width=1, height=2,
         window_height=3, arrow=[4, 5], glow_size=[6, 7], bubble_size=[8, 9],
         arrow_duration=10, arrow_curve="linear", bubble_fade=11, bubble_timeout=12},
        {id="e", kind="profile", navigation_height=60, name_label_top=100},
        ]
        """
    // TOML 1.0 ends an inline table at its line; the line breaks above are for the reader.
    let joined = text.replacing(",\n ", with: ", ")
    let scene = try scene(toml: joined)
    var tip = TipsParameters.Tip()
    (tip.title, tip.summary, tip.image) = ("T", "S", "I")
    var tips = TipsParameters(viewport: Size(100, 200))
    (tips.tips, tips.size, tips.pivotOffset, tips.threshold) = ([tip], Size(1, 2), 3, 4)
    (tips.exitDuration, tips.snapDamping, tips.backdropAlpha) = (5, 6, 0.7)
    (tips.fade, tips.presented) = (8, false)
    var toss = TossParameters(viewport: .phone)
    (toss.frame, toss.throwingThreshold, toss.velocityPadding) = (Rect(1, 2, 3, 4), 5, 6)
    (toss.spin, toss.friction, toss.returnDelay, toss.returnDuration) = (-7...8, 9, 10, 11)
    let viewport = Size(100, 200)
    var profile = ProfileParameters(viewport: viewport)
    (profile.header, profile.avatar) = (Rect(1, 2, 3, 4), Rect(5, 6, 7, 8))
    (profile.label, profile.headerStop, profile.labelOffset) = (Rect(9, 10, 11, 12), 13, 14)
    (profile.labelDistance, profile.avatarSlowdown, profile.contentHeight) = (15, 16, 17)
    var item = TabsParameters.Item(id: "i")
    (item.glow, item.bubble) = (["g"], ["b"])
    var tabs = TabsParameters(viewport: viewport)
    (tabs.items, tabs.width, tabs.height, tabs.windowHeight) = ([item], 1, 2, 3)
    (tabs.arrow, tabs.glowSize, tabs.bubbleSize) = (Size(4, 5), Size(6, 7), Size(8, 9))
    (tabs.arrowDuration, tabs.bubbleFade, tabs.bubbleTimeout) = (10, 11, 12)
    tabs.arrowCurve = .linear
    var bar = ProfileParameters(viewport: viewport)
    (bar.headerStop, bar.labelOffset) = (47, 40)
    let components: [ComponentParameters] = [
        .init(tips), .init(toss), .init(profile), .init(tabs), .init(bar),
    ]
    for (read, parameters) in zip(scene.components, components) {
        #expect(read.parameters == parameters, "\(read.id)")
    }
    #expect(
        scene.withoutText
            == Scene(
                name: "mine", viewport: viewport, frameRate: 120, seed: 42,
                velocity: .leastSquares,
                components: zip(["a", "b", "c", "d", "e"], components).map {
                    Scene.Component(id: $0, parameters: $1, filling: viewport)
                }))
}

@Test("Every parameter of a navigation and of a list is read")
func navigationAndListAreRead() throws {
    let scene = try scene(
        toml: """
            viewport = [100, 200]
            components = [
            {id="a", kind="navigation", root="home.page~1", duration=1, start_delay=2, \
            removal_lead=0.5, scale_in_from=3, scale_out_to=4, queue=5},
            {id="b", kind="list", rows=6, row_height=7, style="push", duration=8, bounce=9, \
            side="left", others="at-once", menu=[{id="m"}]},
            {id="c", kind="navigation", root="r", duration=0.01},
            {id="d", kind="navigation", root="r", duration=0, queue=0},
            {id="e", kind="list", rows=0, style="reveal", duration=0, bounce=0},
            ]
            """)
    var navigation = NavigationParameters(root: "home.page~1")
    (navigation.duration, navigation.startDelay, navigation.removalLead) = (1, 2, 0.5)
    (navigation.scaleInFrom, navigation.scaleOutTo, navigation.queue) = (3, 4, 5)
    var list = ListParameters(rows: 6)
    (list.rowHeight, list.style, list.duration, list.bounce) = (7, .push, 8, 9)
    (list.side, list.others, list.menu) = (.left, .atOnce, [ListParameters.Action(id: "m")])
    // The default lead yields to a shorter duration.
    var short = NavigationParameters(root: "r")
    (short.duration, short.removalLead) = (0.01, 0.01)
    var none = NavigationParameters(root: "r")
    (none.duration, none.removalLead, none.queue) = (0, 0, 0)
    var empty = ListParameters(rows: 0)
    (empty.duration, empty.bounce) = (0, 0)
    let components: [ComponentParameters] = [
        .init(navigation), .init(list), .init(short), .init(none), .init(empty),
    ]
    #expect(scene.components.map(\.parameters) == components)
}

@Test("Every parameter of a reader is read")
func readerIsRead() throws {
    let scene = try scene(
        toml: """
            viewport = [100, 200]
            components = [
            {id="a", kind="reader", pages=["One", "Two", "Three"], start=2, size=[3, 4], \
            header_height=5, footer_height=6, arrow=[7, 8, 9, 10], duration=11},
            {id="b", kind="reader", pages=1},
            {id="c", kind="reader", pages=7, start=6, duration=0},
            ]
            """)
    let viewport = Size(100, 200)
    var full = ReaderParameters(pages: .titles(["One", "Two", "Three"]), viewport: viewport)
    (full.start, full.size, full.duration) = (2, Size(3, 4), 11)
    (full.headerHeight, full.footerHeight, full.arrow) = (5, 6, Rect(7, 8, 9, 10))
    var plain = ReaderParameters(pages: .count(1), viewport: viewport)
    #expect(plain.start == 0 && plain.size == viewport && plain.duration == 0.2)
    #expect(plain.headerHeight == 55 && plain.footerHeight == 55)
    #expect(plain.arrow == Rect(13, 4, 21, 39))
    let only = plain
    plain.pages = .count(7)
    (plain.start, plain.duration) = (6, 0)
    let components: [ComponentParameters] = [.init(full), .init(only), .init(plain)]
    #expect(scene.components.map(\.parameters) == components)
}

@Test("A world is read as a command's tables are")
func worldIsRead() throws {
    let scene = try scene(
        toml: """
            viewport = [320, 568]
            [[components]]
            id = "w"
            kind = "dynamics"
            drag = false
            drag_frequency = 2
            drag_damping = 0.5
            items = [{id="ball", center=[1, 2], size=[3, 4], shape="circle", rotation=5}]
            [[components.behaviors]]
            id = "home"
            kind = "snap"
            item = "ball"
            point = [6, 7]
            """)
    let json = Array(
        #"""
        {"drag":false,"drag_frequency":2,"drag_damping":0.5,"items":[{"id":"ball","shape":"circle",
        "center":[1,2],"size":[3,4],"rotation":5}],
        "behaviors":[{"id":"home","kind":"snap","item":"ball","point":[6,7]}]}
        """#.utf8)
    let world = World(try WorldParameters(Document.json(json)), viewport: .phone, tracker: .uikit)
    let parameters = try #require(scene.components[0].parameters.value as? WorldParameters)
    var (a, b) = (Stage(World(parameters, viewport: .phone, tracker: .uikit)), Stage(world))
    #expect(a.machine.recognizers == [.tap, .pinch, .rotation])
    for _ in 0..<30 {
        #expect(a.picture == b.picture)
        a.step()
        b.step()
    }
    #expect(a.view("ball")?.center != Vector(1, 2))
}

private let tabs = "viewport = [320, 568]\n[[components]]\nid = \"t\"\nkind = \"tabs\"\n"

@Test(
    "A bad scene says in one line where it is bad and why",
    arguments: BadScenes.all)
func badSceneSaysWhy(bad: BadScene) throws {
    let error = #expect(throws: SceneError.self) { try scene(toml: bad.toml) }
    let description = error?.description ?? ""
    #expect(description.contains(bad.error), "\(description)")
    #expect(!description.contains("\n"))
    #expect(error?.rejection.code == .badScene)
}

@Test("A scene of 32 components is the largest")
func componentsAreBounded() throws {
    func toml(_ count: Int) -> String {
        "viewport = [1, 1]\n"
            + (0..<count).map { "[[components]]\nid = \"t\($0)\"\nkind = \"toss\"\n" }.joined()
    }
    #expect(try scene(toml: toml(32)).components.count == 32)
    #expect(throws: SceneError.self) { try scene(toml: toml(33)) }
}

@Test("A scene on the wire is the same as in a file")
func wireAndFileAgree() throws {
    let toml = tabs + "items = [{id=\"a\", glow=[\"g\"]}]\nheight = 50.5\n"
    let json = try Document.toml(Array(toml.utf8)).json()
    let wire = try SceneReader.scene(from: Document.json(json), fallbackName: nil)
    #expect(try wire.withoutText == scene(toml: toml).withoutText)
    #expect(wire.document != nil && wire.document == wire.text)
}

extension Scene {
    /// Its content, however it was written.
    var withoutText: Scene {
        var scene = self
        (scene.document, scene.text, scene.reviser) = (nil, nil, nil)
        return scene
    }
}
