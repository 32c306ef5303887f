import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

@testable import Codec

/// Changes that reactions make of a scene, left for later and made one at a time.
@Suite struct LeftChangesTests {
    /// Tabs that select one another for ever; each selection sets keys of four lists.
    private static func scene(padding: Int) throws -> Scene {
        let lists = (0..<4).map { #"{"id":"l\#($0)","kind":"list","rows":10}"# }
        let selected = #""component":"tabs","transition":"select","event":"began""#
        let sets = (0..<4).map {
            """
            {"when":{\(selected)},
            "do":{"component":"l\($0)","command":"set","values":{"rows":"$to"}}}
            """
        }
        let others = [(0, 1), (1, 0)].map { here, there in
            """
            {"when":{\(selected),"to":\(here)},"after":0.05,
            "do":{"component":"tabs","command":"select","index":\(there)}}
            """
        }
        let text = """
            {"viewport":[320,568],"components":[
            {"id":"tabs","kind":"tabs","items":[{"id":"home"},{"id":"share"}],
            "content":{"note":"\(String(repeating: "x", count: padding))"}},
            \(lists.joined(separator: ","))],
            "reactions":[\((sets + others).joined(separator: ","))]}
            """
        return try SceneReader.scene(
            from: try Document.json(Array(text.utf8)), fallbackName: nil)
    }

    /// The changes that were left, in all.
    private func play(_ theater: inout Theater, steps: Int) -> Int {
        var count = 0
        func makeChanges(of session: inout Session) {
            while session.hasChangeLeft {
                session.makeChange()
                count += 1
            }
        }
        theater.command("tabs", "select", index: 1)
        makeChanges(of: &theater.session)
        theater.flush()
        for _ in 0..<steps {
            let target = theater.session.clock + 1
            while theater.session.clock < target || theater.session.hasChangeLeft {
                makeChanges(of: &theater.session)
                theater.session.advance(to: target)
            }
            theater.flush()
        }
        return count
    }

    @Test func aSessionThatLeavesChangesBecomesAndTellsTheSame() throws {
        var once = Theater(try Self.scene(padding: 10_000))
        var leaving = Theater(try Self.scene(padding: 10_000))
        leaving.session.leavesChanges = true
        #expect(play(&once, steps: 120) == 0)
        #expect(play(&leaving, steps: 120) > 60)
        #expect(leaving.session.revision > 60 && leaving.session.revision == once.session.revision)
        #expect(leaving.log.told == once.log.told)
        #expect(leaving.pictures == once.pictures)
    }

    @Test func aChangeOfAShortSceneIsNotWorthLeaving() throws {
        var theater = Theater(try Self.scene(padding: 10))
        theater.session.leavesChanges = true
        #expect(theater.session.changesItself && !theater.session.areChangesLong)
        #expect(play(&theater, steps: 10) == 0)
    }

    @Test func nothingIsShownBeforeAChangeIsMade() throws {
        var theater = Theater(try Self.scene(padding: 10_000))
        theater.session.leavesChanges = true
        theater.command("tabs", "select", index: 1)
        while theater.session.hasChangeLeft { theater.session.makeChange() }
        theater.flush()
        let told = theater.log.told.count
        for _ in 0..<20 where !theater.session.hasChangeLeft {
            let before = theater.log.told.count
            let frame = theater.session.renderFrame(
                at: theater.session.clock + 2, interest: .all, into: &theater.log)
            guard theater.session.hasChangeLeft else { continue }
            #expect(theater.log.told.count == before && frame.step == nil)
        }
        #expect(theater.session.hasChangeLeft)
        while theater.session.hasChangeLeft { theater.session.makeChange() }
        theater.flush()
        #expect(theater.log.told.count > told)
    }

    /// A session that opens cannot leave a change yet. A long scene with eight reactions to that
    /// kept its lane for a third of a second.
    @Test(arguments: [(1, 8), (120, 4)])
    func aLongSceneIsChangedSeldomAtItsBeginning(kilobytes: Int, count: Int) throws {
        let title = String(repeating: "x", count: 987)
        let tips = Array(repeating: #"{"title":"\#(title)"}"#, count: kilobytes)
        let lists = (0..<8).map { #"{"id":"l\#($0)","kind":"list","rows":10}"# }
        let sets = (0..<8).map {
            """
            {"when":{"session":"opened"},
            "do":{"component":"l\($0)","command":"set","values":{"rows":20}}}
            """
        }
        let text = """
            {"viewport":[320,568],"components":[\(lists.joined(separator: ",")),
            {"id":"tips","kind":"tips","presented":false,"tips":[\(tips.joined(separator: ","))]}],
            "reactions":[\(sets.joined(separator: ","))]}
            """
        let scene = try SceneReader.scene(
            from: try Document.json(Array(text.utf8)), fallbackName: nil)
        #expect(Theater(scene).session.revision == 1 + count)
    }
}
