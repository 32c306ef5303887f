import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// How much stays of a world when its scene changes.
@Suite struct WorldChangeTests {
    private func world(_ table: Sheet, width: Double = 320) throws -> (WorldParameters, Size) {
        let viewport = Size(width, 568)
        return (try WorldParameters(table.node, viewport: viewport), viewport)
    }

    private func adapt(_ stage: inout WorldStage, _ table: Sheet, width: Double = 320) throws {
        let (parameters, viewport) = try world(table, width: width)
        stage.adapt(to: parameters, viewport: viewport)
        #expect(stage.machine.isSound(viewport: viewport, tracker: .uikit))
    }

    private func ball(_ id: String = "ball", at x: Double, _ y: Double) -> Sheet {
        ["id": Sheet(id), "center": [Sheet(x), Sheet(y)], "size": [40, 40], "shape": "circle"]
    }

    private func way(_ stage: inout WorldStage, _ id: String = "ball") throws -> Vector {
        let former = try #require(stage.view(id)).center
        stage.step()
        return try #require(stage.view(id)).center - former
    }

    private func room(_ balls: [Sheet], bounds: Sheet = true, gravity: Bool = false) -> Sheet {
        let names = Sheet(balls.map { $0["id"] ?? "" })
        var behaviors: [Sheet] = [
            ["id": "walls", "kind": "collision", "items": names, "bounds": bounds]
        ]
        if gravity { behaviors.append(["id": "down", "kind": "gravity", "items": names]) }
        return ["items": Sheet(balls), "behaviors": Sheet(behaviors)]
    }

    // MARK: By ids

    @Test func itemsStayWithTheirVelocities() throws {
        var stage = try worldStage(room([ball(at: 100, 100), ball("other", at: 200, 300)]))
        try stage.command("add-velocity", ["item": "ball", "dx": 120, "dy": 60])
        let before = try way(&stage)
        try adapt(&stage, room([ball("new", at: 250, 500), ball(at: 100, 100)]), width: 400)
        #expect(stage.needsPublish && stage.view("other") == nil)
        #expect(stage.view("new")?.center == Vector(250, 500) && stage.view("ball")?.cut == 0)
        #expect(stage.picture.names == ["new", "ball"])
        // Resistance takes a little in each step.
        let after = try way(&stage)
        #expect((after - before).length < 0.01 && before.length > 1)
        // The other one was gone: it is back anew.
        try adapt(&stage, room([ball("other", at: 60, 60), ball(at: 100, 100)]), width: 400)
        #expect(stage.view("other")?.cut == 1 && stage.view("other")?.center == Vector(60, 60))
    }

    /// Changes by commands stay where the scene says what it said before.
    @Test func whatCommandsChangedStays() throws {
        let scene = room([ball(at: 100, 100), ball("gone", at: 200, 100)], gravity: true)
        var stage = try worldStage(scene)
        try stage.command("remove-item", ["item": "gone"])
        try stage.command("add-item", ["item": ball("added", at: 250, 300)])
        try stage.command(
            "set", ["behavior": "walls", "values": ["items": ["ball", "added"]]])
        try stage.command(
            "set", ["item": "ball", "values": ["scale": 2, "center": [120, 130]]])
        try stage.command("remove-behavior", ["behavior": "down"])
        try stage.command(
            "add-behavior",
            ["behavior": ["id": "home", "kind": "snap", "item": "added", "point": [250, 300]]])
        #expect(stage.settle() != nil)
        let picture = stage.picture
        try adapt(&stage, scene, width: 400)
        #expect(stage.picture.views == picture.views && stage.settle() != nil)
        #expect(stage.picture.views == picture.views && stage.view("ball")?.scale == 2)
        try stage.command("remove-behavior", ["behavior": "home"])
        // The scene names what a command added: it is the scene's now, and goes with it.
        try adapt(&stage, room([ball(at: 100, 100), ball("added", at: 1, 1)]), width: 400)
        #expect(stage.view("added")?.center == Vector(250, 300))
        try adapt(&stage, room([ball(at: 100, 100)]), width: 400)
        #expect(stage.picture.names == ["ball"])
    }

    /// A place that the scene says otherwise is a new place; the velocity stays.
    @Test func aNewCenterPlacesAnItemAnew() throws {
        var stage = try worldStage(room([ball(at: 100, 100)]))
        try stage.command("add-velocity", ["item": "ball", "dx": 120, "dy": 60])
        let before = try way(&stage)
        try adapt(&stage, room([ball(at: 150, 200)]))
        #expect(stage.view("ball")?.center == Vector(150, 200) && stage.view("ball")?.cut == 1)
        let after = try way(&stage)
        #expect((after - before).length < 0.01 && before.length > 1)
    }

    @Test func aPushThatHasFiredFiresNoMore() throws {
        func scene(_ size: Double) -> Sheet {
            [
                "items": [
                    ["id": "card", "center": [100, 100], "size": [Sheet(size), 50]],
                    ["id": "lid", "center": [200, 100], "size": [50, 50]],
                ],
                "behaviors": [
                    ["id": "both", "kind": "group", "items": ["card", "lid"]],
                    [
                        "id": "kick", "kind": "push", "mode": "instantaneous", "items": ["both"],
                        "dx": 1,
                    ],
                ],
            ]
        }
        var stage = try worldStage(scene(50))
        let before = try way(&stage, "card")
        #expect(before.x > 0)
        // The group is made anew, of members of other sizes.
        try adapt(&stage, scene(60))
        let after = try way(&stage, "card")
        #expect(abs(after.x / before.x - 1) < 0.2)
        #expect(stage.view("card")?.size == Size(60, 50))
    }

    // MARK: Bounds

    /// Moved by the shortest way, cut, and without the velocity that points outward.
    @Test func newBoundsBringItemsInside() throws {
        let balls = [
            ball("beyond", at: 380, 100), ball("across", at: 290, 200),
            ball("inside", at: 100, 300),
        ]
        let table = room(balls)
        let (parameters, viewport) = try world(table, width: 400)
        var stage = Stage(World(parameters, viewport: viewport, tracker: .uikit))
        for id in ["beyond", "across", "inside"] {
            try stage.command("add-velocity", ["item": Sheet(id), "dx": 240, "dy": 120])
        }
        try adapt(&stage, table, width: 300)
        #expect(stage.view("beyond")?.center == Vector(280, 100))
        #expect(stage.view("across")?.center == Vector(280, 200))
        #expect(stage.view("inside")?.center == Vector(100, 300))
        #expect(["beyond", "across", "inside"].map { stage.view($0)?.cut } == [1, 1, 0])
        let ways = try ["beyond", "inside"].map { id in
            var copy = stage
            return try way(&copy, id)
        }
        #expect(ways[0].x <= 0 && ways[0].x > -1 && abs(ways[0].y - 1) < 0.01)
        #expect(abs(ways[1].x - 2) < 0.01 && abs(ways[1].y - 1) < 0.01)
    }

    @Test func whatIsTooLargeStandsInTheMiddle() throws {
        var table = room([["id": "bar", "center": [300, 300], "size": [250, 40]]])
        var stage = try worldStage(table)
        try adapt(&stage, table, width: 200)
        #expect(stage.view("bar")?.center == Vector(100, 300))
        table = room([["id": "bar", "center": [300, 300], "size": [250, 40], "rotation": 1.5708]])
        stage = try worldStage(table)
        try adapt(&stage, table, width: 200)
        #expect(abs((stage.view("bar")?.center.x ?? 0) - 180) < 0.1)
    }

    /// A resize moves nothing that rests at the floor.
    @Test func whatRestsAtTheFloorStaysThere() throws {
        let table = room([["id": "box", "center": [100, 400], "size": [40, 40]]], gravity: true)
        var stage = try worldStage(table)
        _ = stage.steps(until: { !$0.machine.isMoving }, limit: 2_000)
        stage.step(300)
        let before = try #require(stage.view("box"))
        let mark = stage.told.count
        try adapt(&stage, table, width: 400)
        #expect(stage.view("box") == before)
        stage.step(100)
        #expect((stage.view("box")!.center - before.center).length < 1)
        // The wall is another one now.
        let told = stage.lines(since: mark).filter { $0.hasPrefix("contact") }
        #expect(told == ["contact ended box+bounds", "contact began box+bounds"])
    }

    // MARK: Fingers

    @Test func aFingerGoesOnDragging() throws {
        let table = room([ball(at: 100, 100), ball("other", at: 200, 100)])
        var stage = try worldStage(table)
        try stage.pan(.began, 100, 100)
        try stage.pan(.changed, 150, 200)
        stage.step(5)
        try adapt(&stage, room([ball(at: 100, 100)]), width: 400)
        #expect(stage.phase == "dragging" && stage.field("dragged") == .text("ball"))
        try stage.pan(.changed, 160, 300)
        stage.step(60)
        #expect((stage.view("ball")!.center - Vector(160, 300)).length < 2)
        try adapt(&stage, room([ball("other", at: 100, 100)]))
        #expect(stage.phase != "dragging" && stage.field("dragged") == .text(nil))
        #expect(
            refusal { () throws(Rejection) in try stage.pan(.changed, 1, 1) } == .outOfOrder)
    }

    @Test func fingersLetGoWhereNothingMayBeDragged() throws {
        var table = room([ball(at: 100, 100)])
        var stage = try worldStage(table)
        try stage.pan(.began, 100, 100)
        table["drag"] = false
        try adapt(&stage, table)
        #expect(stage.phase != "dragging")
    }

    // MARK: Room

    /// Items that commands added go where the scene's own needs the room.
    @Test func whatCommandsAddedGoesWhereThereIsNoRoom() throws {
        var stage = try worldStage(room([ball(at: 100, 100)]))
        for number in 0..<60 {
            let item = ball("more\(number)", at: 200, 200)
            try stage.command("add-item", ["item": item])
        }
        let few = (0..<3).map { ball("new\($0)", at: 100, 300) }
        try adapt(&stage, room([ball(at: 100, 100)] + few))
        #expect(stage.picture.names.count == 64)
        let many = (0..<10).map { ball("new\($0)", at: 100, 300) }
        try adapt(&stage, room([ball(at: 100, 100)] + many))
        #expect(stage.picture.names == ["ball"] + (0..<10).map { "new\($0)" })
    }

    @Test func theOthersRoomIsLeft() throws {
        var machine = World(
            try world(room([ball(at: 100, 100)])).0, viewport: .phone, tracker: .uikit)
        var effects = Effects(random: SplitMix64(seed: 1))
        for number in 0..<10 {
            try machine.command(
                ComponentCommand(
                    "add-item", [.init("item", ball("more\(number)", at: 1, 1).node)]),
                at: .zero, into: &effects)
        }
        effects.room.items = 8
        let (scene, viewport) = try world(room([ball(at: 100, 100), ball("new", at: 9, 9)]))
        machine.adapt(to: scene, viewport: viewport, at: .zero, into: &effects)
        #expect(machine.bulk.items == 2 && machine.isSound(viewport: viewport, tracker: .uikit))
    }
}
