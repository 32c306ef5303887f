import Geometry
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// The rows of a session's list, looked at again and again, whatever happens to the session.
private struct RowsRun {
    private(set) var session: Session
    private(set) var faults: [String] = []
    private var log = UpdateLog()
    private var random: SplitMix64
    private var last: ToldRows?
    private var lastVariables = 0
    /// Whether nobody can tell if the rows are the same ones.
    private var mayBeOther = false
    /// The last thing that happened to it.
    private var deed = "open"

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let first = Self.scene(rows: ["a", "b"], names: seed % 2 == 0 ? .variable : .count)
        session = Session(
            id: "alice", epoch: "e.1", scene: first, opened: Theater.opened, frameRate: 60,
            beginning: .new(version: seed % 3 == 0 ? 1 << 50 : 0))
    }

    /// The values that texts of rows name.
    private enum Names: CaseIterable { case nothing, variable, count }

    /// A list with these rows; nil: a scene without a list.
    private static func scene(rows: [String]?, names: Names) -> Scene {
        var components = [
            Scene.Component(
                id: "toss", parameters: .init(TossParameters(viewport: .phone)),
                filling: .phone)
        ]
        let text =
            switch names {
            case .nothing: "plain"
            case .variable: "{score}"
            case .count: "{count.likes}"
            }
        if let rows {
            let listed = rows.enumerated().map { place, id in
                ListRow(
                    id: id, content: Node(.object([.init("text", Node(.string(text)))])),
                    origin: place)
            }
            components.append(
                Scene.Component(
                    id: "list", parameters: .init(ListParameters(listed: listed)),
                    filling: .phone))
        }
        var scene = Scene(name: "rows", viewport: .phone, seed: 1, components: components)
        if names == .variable { scene.variables = [Variable("score", .number(0))] }
        scene.texts.areInRows = names != .nothing && rows != nil
        return scene
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    private mutating func receive(_ payload: Event.Payload) {
        let received = Double(session.instant.nanoseconds) / 1e6
        _ = session.receive(Event(payload), received: received)
    }

    private mutating func command(_ name: String, _ members: [Node.Member]) {
        receive(.command(component: "list", ComponentCommand(name, members)))
    }

    mutating func play(deeds: Int) throws {
        for _ in 0..<deeds {
            try act()
            session.advance(to: session.clock + 2)
            session.flush(to: .all, inFrame: true, into: &log)
            look()
        }
    }

    private mutating func act() throws {
        deed = pick(["update", "insert", "remove", "assign", "notify", "restore", "import"])
        switch deed {
        case "update":
            let next = Self.scene(
                rows: pick([nil, ["a", "b"], ["a", "b"], ["b", "c", "a"], []]),
                names: pick(Names.allCases))
            receive(.change(.update(.inline(InlineScene(next)))))
        case "insert":
            let item = Node(.object([.init("id", Node(.string(pick(["x", "y", "z"]))))]))
            command("insert", [.init("item", item)])
        case "remove":
            command("remove", [.init("item", Node(.string(pick(["a", "x", "y"]))))])
        case "assign": receive(.assign([.init("score", Node(.integer(pick([1, 2, 3]))))]))
        case "notify": receive(.notification(kind: "likes", .add(1)))
        case "restore":
            let record = try #require(session.record())
            var scene = session.scene
            if random.whole(in: 0...2) == 0 {
                // Its file was changed meanwhile, of which a record knows nothing.
                scene = Self.scene(
                    rows: pick([["a", "b"], ["c"]]), names: pick(Names.allCases))
                mayBeOther = true
            }
            session = Session(
                id: "alice", epoch: "e.2", scene: scene, opened: Theater.opened, frameRate: 60,
                beginning: .restored(record, marks: []))
        default:
            session = try Session(
                try Node(encoding: session.state).decode(SessionSnapshot.self), id: "alice",
                scene: session.scene, frameRate: 60, key: 0,
                continuing: .moved(epoch: "e.3", opened: Theater.opened, version: 0))
        }
    }

    private mutating func look() {
        if let variables = session.variablePicture {
            if variables.version < lastVariables {
                faults.append("\(deed): variables fall from \(lastVariables)")
            }
            lastVariables = variables.version
        }
        guard let told = session.currentRows().first?.rows else { return }
        if let last {
            if told.version < last.version {
                faults.append("\(deed): \(told.version) after \(last.version)")
            }
            if told.version == last.version, told.rows != last.rows, !mayBeOther {
                faults.append("\(deed): other rows of version \(told.version)")
            }
        }
        (last, mayBeOther) = (told, false)
    }
}

@Suite struct RowsVersionTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func noVersionFallsOrHasTwoContents(seed: UInt64) throws {
        var run = RowsRun(seed: seed)
        try run.play(deeds: 40)
        #expect(run.faults == [], "seed \(seed)")
    }

    /// No more than they need: a session whose scene has not changed stores no floor.
    @Test func rowsThatCommandsChangedComeBackWithTheirVersion() throws {
        let rows = ["a", "b"].enumerated().map { ListRow(id: $1, origin: $0) }
        let scene = Scene.single("list", .init(ListParameters(listed: rows)))
        var named = scene
        named.name = "rows"
        var theater = Theater(named)
        let remove = ComponentCommand("remove", [.init("item", Node(.string("a")))])
        theater.receive(.command(component: "list", remove))
        let record = try #require(theater.session.record())
        #expect(record.rowsFloor == 0)
        let restored = Session(
            id: "alice", epoch: "e.2", scene: named, opened: Theater.opened, frameRate: 60,
            beginning: .restored(record, marks: []))
        #expect(restored.currentRows().first?.rows == theater.session.currentRows().first?.rows)
        #expect(restored.record()?.rowsFloor == 0)
    }
}
