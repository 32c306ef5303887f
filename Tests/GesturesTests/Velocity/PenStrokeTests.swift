import Foundation
import Geometry
import Gestures
import Testing

/// Public strokes of a pen, in which every tenth pair of samples is a millisecond apart.
private enum PenStrokes {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../shared/data/dollar1-unistroke").standardized

    static var areMissing: Bool {
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        if !isThere { print("skipped: no recorded strokes at \(folder.path)") }
        return !isThere
    }

    static func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".xml") }.sorted()
    }

    struct Sample {
        var place: Vector
        var milliseconds: Double
    }

    static func samples(_ name: String) throws -> [Sample] {
        let url = folder.appendingPathComponent(name)
        let text = try String(contentsOf: url, encoding: .utf8)
        return try text.matches(of: /X="([^"]+)" Y="([^"]+)" T="([^"]+)"/).map { point in
            Sample(
                place: Vector(
                    try #require(Double(point.1)), try #require(Double(point.2))),
                milliseconds: try #require(Double(point.3)))
        }
    }

    static func release(_ samples: [Sample], _ kind: VelocityTracker.Kind) -> Double {
        var tracker = VelocityTracker(kind: kind)
        func time(_ sample: Sample) -> SampleTime {
            SampleTime(claimed: nil, received: sample.milliseconds)
        }
        for sample in samples.dropLast() { tracker.add(sample.place, at: time(sample)) }
        guard let last = samples.last else { return 0 }
        return tracker.velocity(endingAt: last.place, time: time(last)).length
    }
}

@Suite(.disabled(if: PenStrokes.areMissing, "no recorded strokes beside the package"))
struct PenStrokeTests {
    /// No release is faster than the pen was anywhere near its end, over 4 ms or more.
    @Test func noStrokeIsFasterThanThePen() throws {
        let files = try PenStrokes.files()
        #expect(files.count == 144)
        var bursts = 0
        for file in files {
            let samples = try PenStrokes.samples(file)
            let end = samples.suffix(8)
            var fastest = 0.0
            for (index, one) in end.enumerated() {
                for other in end.dropFirst(index + 1) {
                    let time = other.milliseconds - one.milliseconds
                    if time < 4 {
                        bursts += 1
                    } else {
                        fastest = max(fastest, (other.place - one.place).length / time * 1_000)
                    }
                }
            }
            let found = PenStrokes.release(samples, .uikit)
            #expect(found <= fastest * 1.000_001, "\(file): \(found), not \(fastest)")
        }
        #expect(bursts > 20)
    }

    /// Scaled as the `$1` reader scales it, this stroke ends at 600 points a second.
    @Test func aBurstThrowsNothing() throws {
        let samples = try PenStrokes.samples("s02/medium/triangle03.xml")
        #expect(PenStrokes.release(samples, .uikit) * 3.51 < 1_000)
    }
}
