import Codec
import Geometry
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

/// States and records of apps that somebody has spoiled: each is refused, or what comes of it is a
/// session like others.
@Suite struct HostileAppTests {
    #if DEBUG
        private static let seeds = 0..<6 as Range<UInt64>
    #else
        private static let seeds = Storms.seeds(of: 200)
    #endif

    private func goOn(_ run: inout AppRun, _ storm: inout AppStorm) throws {
        try run.receive(storm.isOnceIn(20) ? storm.update() : storm.sent())
        run.step(storm.random.whole(in: 0...9))
    }

    @Test(arguments: seeds)
    func noStateMakesAnAppFall(seed: UInt64) throws {
        var storm = AppStorm(seed: seed)
        var run = try AppRun(AppStorm.scene(storm.reactions()))
        var spoiler = Spoiler(seed: seed)
        var accepted = 0
        for _ in 0..<12 {
            try goOn(&run, &storm)
            let node = Node(encoding: run.session.state)
            for _ in 0..<20 {
                var other = run
                guard (try? other.become(spoiler.spoiled(node))) != nil else { continue }
                accepted += 1
                // Whatever it has become, another daemon takes it.
                try other.exportAndImport()
                for _ in 0..<4 { try goOn(&other, &storm) }
                try other.exportAndImport()
                _ = try other.restored()
            }
        }
        #expect(accepted > 0)
    }

    @Test(arguments: seeds)
    func noRecordMakesAnAppFall(seed: UInt64) throws {
        var storm = AppStorm(seed: seed)
        var run = try AppRun(AppStorm.scene(storm.reactions()))
        var spoiler = Spoiler(seed: seed)
        var accepted = 0
        for _ in 0..<12 {
            try goOn(&run, &storm)
            let node = try run.storedTree
            for _ in 0..<20 {
                var other = run
                guard (try? other.comeBack(of: spoiler.spoiled(node))) != nil else { continue }
                accepted += 1
                try other.exportAndImport()
                for _ in 0..<4 { try goOn(&other, &storm) }
                try other.exportAndImport()
                _ = try other.restored()
            }
        }
        #expect(accepted > 0)
    }

    /// Waits and values that no session could have.
    @Test(arguments: [
        #"{"reaction":"x","steps":3}"#, #"{"reaction":"1","steps":0}"#,
        #"{"reaction":"1","timer":0,"steps":99999999}"#,
        #"{"reaction":"1","steps":3,"facts":{"kind":"two words"}}"#,
    ])
    func aWaitThatCannotBeIsRefused(wait: String) throws {
        var storm = AppStorm(seed: 1)
        var run = try AppRun(AppStorm.scene(storm.reactions()))
        var record = Sheet(try run.storedTree)
        record["waits"] = Sheet([Sheet(try Document.json(Array(wait.utf8)))])
        #expect(throws: SessionDocumentError.self) { try run.comeBack(of: record.node) }
    }
}
