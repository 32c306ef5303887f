import Foundation
import Geometry
import Recordings
import Simulation
import TestSupport
import Testing

@Suite struct ExampleTests {
    /// Every line of an example in one number, with their count: the same in every build, on
    /// every machine.
    @Test(arguments: exampleNames)
    func everyExampleGivesTheSameBytes(name: String) throws {
        let lines = try simulate(Files.example(name))
        #expect(try simulate(Files.example(name)) == lines)
        var hash = StableHash()
        for line in lines {
            for byte in line.utf8 { hash.combine(byte) }
            hash.combine(UInt8(ascii: "\n"))
        }
        let digest = "\(lines.count) lines \(String(hash.value, radix: 16))\n"
        try expectGolden(digest, named: "\(name).txt")
    }

    @Test(arguments: exampleNames)
    func everyTopicOfAnExampleIsNumberedWithoutGaps(name: String) throws {
        var last: [String: Double] = [:]
        // Each session has its own timeline.
        var times: [Substring: Double] = [:]
        for line in try simulate(Files.example(name)) {
            let seq = try #require(line.number("seq"))
            #expect(seq == (last[line.topic] ?? 0) + 1, "\(line.prefix(80))")
            last[line.topic] = seq
            let t = try #require(line.number("t"))
            let session = line.topic.split(separator: "/")[1]
            #expect(t >= times[session] ?? 0, "time runs back at \(line.prefix(80))")
            times[session] = t
            #expect(!line.contains("nan") && !line.contains("inf"))
        }
        #expect(last.keys.contains { $0.hasPrefix("state/alice/") } && last["session/alice"] == 1)
    }

    /// The same states at common instants: every rate shows every other's, subsampled.
    @Test(arguments: exampleNames, [30, 120])
    func theRateChangesNothingButTheFrames(name: String, rate: Int) throws {
        let coarse = try simulate(Files.example(name), frameRate: min(rate, 60))
        let fine = try simulate(Files.example(name), frameRate: max(rate, 60))
        func parts(_ lines: [String], isState: Bool) -> [String] {
            // A scene tells the rate. Variables that a step changes are told with the next frame.
            lines.filter {
                ($0.hasPrefix("state/") || $0.hasPrefix("variables/")) == isState
                    && !$0.hasPrefix("scene/")
            }
        }
        #expect(parts(coarse, isState: false) == parts(fine, isState: false))
        // The last update of the finer one on a topic, at each instant of the coarser one.
        var shown: [String: String] = [:]
        var rest = parts(fine, isState: true)[...]
        var compared = 0
        for line in parts(coarse, isState: true) {
            let t = try #require(line.number("t"))
            while let next = rest.first, try #require(next.number("t")) <= t {
                shown[next.topic] = next.shown
                rest = rest.dropFirst()
            }
            #expect(shown[line.topic] == line.shown, "\(name) at \(t)")
            compared += 1
        }
        #expect(compared >= 5 && parts(fine, isState: true).count >= compared)
    }
}
