import Geometry
import Notation
import Sessions
import TestSupport
import Testing

/// Random apps that stand random events: at every rate, and through every other life.
@Suite struct AppStormTests {
    #if DEBUG
        private static let seeds = 0..<8 as Range<UInt64>
        private static let fewSeeds = 0..<4 as Range<UInt64>
    #else
        private static let seeds = Storms.seeds(of: 400)
        private static let fewSeeds = Storms.seeds(of: 120)
    #endif

    /// The next event, sometimes another scene.
    private func next(_ storm: inout AppStorm) -> AppStorm.Sent {
        storm.isOnceIn(25) ? storm.update() : storm.sent()
    }

    /// The rate changes when frames are told, and nothing else.
    @Test(arguments: seeds)
    func theSameBitsAtEveryRate(seed: UInt64) throws {
        var storm = AppStorm(seed: seed)
        let scene = AppStorm.scene(storm.reactions())
        var runs = try [30, 60, 120].map { try AppRun(scene, rate: $0) }
        for event in 0..<40 {
            let (sent, pause) = (next(&storm), storm.pause())
            for place in runs.indices {
                try runs[place].receive(sent)
                runs[place].step(pause)
            }
            let digests = runs.map(\.digest)
            #expect(Set(digests).count == 1, "seed \(seed), event \(event): \(sent), \(digests)")
            #expect(Set(runs.map(\.refused)).count == 1, "seed \(seed), event \(event)")
        }
    }

    /// Encoded and decoded at every step, and exported with its scene after every event, it tells
    /// the same bytes as one that is left alone.
    @Test(arguments: fewSeeds)
    func anExportedAppGoesOnToTheBit(seed: UInt64) throws {
        var storm = AppStorm(seed: seed)
        let scene = AppStorm.scene(storm.reactions())
        var (one, other) = (try AppRun(scene), try AppRun(scene))
        for event in 0..<24 {
            let place = Comment("seed \(seed), event \(event)")
            let sent = next(&storm)
            try one.receive(sent)
            try other.receive(sent)
            try other.exportAndImport()
            for _ in 0..<storm.pause() {
                one.step()
                other.step()
                try other.encodeAndDecode()
            }
            #expect(one.digest == other.digest, place)
            let states = [one, other].map { Node(encoding: $0.session.state).members ?? [] }
            let parts = zip(states[0], states[1]).filter { $0 != $1 }.map(\.0.name)
            #expect(states[0].count == states[1].count && parts == [], place)
            let differs = zip(one.told.lines, other.told.lines).first { $0 != $1 }
            #expect(one.told.lines.count == other.told.lines.count && differs == nil, place)
        }
        #expect(one.refused == other.refused)
    }

    /// From the store it comes back at rest, with its values and with what is left of each wait;
    /// and what is stored of it then is what was stored before.
    @Test(arguments: seeds)
    func aRestoredAppIsTheSame(seed: UInt64) throws {
        var storm = AppStorm(seed: seed)
        var run = try AppRun(AppStorm.scene(storm.reactions()))
        for event in 0..<30 {
            try run.receive(next(&storm))
            for _ in 0..<storm.pause() {
                run.step()
                if storm.isOnceIn(7) { try expectTheSame(run, "seed \(seed), event \(event)") }
            }
            try expectTheSame(run, "seed \(seed), event \(event)")
        }
    }

    private func expectTheSame(_ run: AppRun, _ place: Comment) throws {
        let restored = try run.restored()
        #expect(!restored.isMoving, place)
        #expect(try #require(restored.record(generation: 3)) == (try run.record), place)
        #expect(restored.variables == run.session.variables, place)
    }

    /// In an app in which nothing but time goes on, parking changes nothing: its waits, and the
    /// causes that time brings, go on from where they were.
    @Test(arguments: seeds)
    func parkingStopsTheTimeAndNothingElse(seed: UInt64) throws {
        var storm = AppStorm(seed: seed)
        let scene = AppStorm.sceneOfTime(storm.reactionsOfTime())
        var (one, other) = (try AppRun(scene), try AppRun(scene))
        for event in 0..<30 {
            let sent = storm.sentInTime()
            try one.receive(sent)
            try other.receive(sent)
            for _ in 0..<storm.pause() {
                one.step()
                other.step()
                if storm.isOnceIn(9) { try other.parkAndRestore() }
            }
            let place = Comment("seed \(seed), event \(event)")
            let waits = (try one.record.waits, try other.record.waits)
            #expect(one.session.variables == other.session.variables, place)
            #expect(one.session.badges.counts == other.session.badges.counts, place)
            #expect(waits.0 == waits.1, place)
        }
    }

    /// Equal reactions of one scene have waits of their own, and each goes on with its own.
    @Test func equalReactionsGoOnSeparately() throws {
        let twice = #"{"when":{"every":0.75},"do":{"variable":"score","add":1}}"#
        let later = #"{"when":{"notification":"n"},"after":0.5,"do":{"variable":"score","add":9}}"#
        let scene = AppStorm.sceneOfTime([twice, later, twice, later])
        var (one, other) = (try AppRun(scene), try AppRun(scene))
        for place in 0..<8 {
            if place.isMultiple(of: 3) {
                let sent = AppStorm.Sent(topic: "notification/s", body: #"{"kind":"n"}"#)
                try one.receive(sent)
                try other.receive(sent)
            }
            one.step(31)
            other.step(31)
            try other.parkAndRestore()
            #expect(one.session.variables == other.session.variables, "\(place)")
            let waits = (try one.record.waits, try other.record.waits)
            #expect(waits.0 == waits.1 && waits.0.count >= 2, "\(place)")
        }
    }

    /// The same seed gives the same bits in every build.
    @Test func everyStormKeepsItsBits() throws {
        var digests = ""
        for seed in 0..<16 as Range<UInt64> {
            var storm = AppStorm(seed: seed)
            var run = try AppRun(AppStorm.scene(storm.reactions()))
            var hash = StableHash()
            for _ in 0..<30 {
                try run.receive(next(&storm))
                run.step(storm.pause())
                for byte in run.digest.utf8 { hash.combine(byte) }
            }
            for line in run.told.lines { for byte in line.utf8 { hash.combine(byte) } }
            digests += "\(seed) \(run.told.lines.count) \(String(hash.value, radix: 16))\n"
        }
        try expectGolden(digests, named: "apps.txt")
    }

    /// A storm reaches what it is for: every cause, and refusals of every sort.
    @Test func theStormsReachEveryCause() throws {
        var (performed, codes) = (Set<String>(), Set<String>())
        for seed in 0..<40 as Range<UInt64> {
            var storm = AppStorm(seed: seed)
            var run = try AppRun(AppStorm.scene(storm.reactions()))
            for _ in 0..<30 {
                try run.receive(next(&storm))
                run.step(storm.pause())
            }
            for line in run.told.lines {
                if line.topic == "rejected/s" { codes.formUnion([line].codes()) }
                guard line.topic.hasPrefix("transition/") else { continue }
                let name = line.split(separator: "\"name\":\"", maxSplits: 1).last ?? ""
                performed.insert("\(line.topic.dropFirst(13)) \(name.prefix { $0 != "\"" })")
            }
        }
        let wanted: Set = [
            "one tap", "one long-press", "two tap", "hold tap", "tabs select", "list select",
            "sheet settle", "world contact", "tips tap", "toss tap", "points change", "hello hide",
        ]
        #expect(wanted.subtracting(performed).sorted() == [])
        #expect(codes.isSuperset(of: ["reaction-limit", "bad-value", "busy"]), "\(codes)")
    }
}
