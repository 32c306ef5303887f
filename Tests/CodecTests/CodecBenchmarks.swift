import Codec
import Foundation
import Geometry
import Gestures
import Interactions
import Protocol
import Sessions
import Testing

private let rounds = isBenchmark ? 20_000 : 100

/// The best of many short runs, in nanoseconds for each round.
private func measure(_ name: String, _ run: (Int) throws -> Int) rethrows {
    var best = BestTime()
    var checksum = 0
    for _ in 0..<(isBenchmark ? 100 : 1) {
        let start = ContinuousClock.now
        checksum = try run(rounds)
        best.take(ContinuousClock.now - start)
    }
    let nanoseconds = Double(best.nanoseconds) / Double(rounds)
    let text = nanoseconds.formatted(.number.precision(.fractionLength(1)))
    print("\(name): \(text) ns each, checksum \(checksum)")
}

/// A profile in mid-scroll: four views, one of them scaled, one half transparent.
private struct ScrolledProfile: Presentable {
    var offset: Double
    var phase: String { "collapsed" }

    func model(into sink: inout some StateSink) { sink.field("offset", points: offset) }

    func views(into sink: inout some StateSink) {
        let header = Vector(160, 53.5 - offset)
        sink.view("header", ViewState(center: header, size: Size(320, 107), z: 4))
        sink.view(
            "avatar",
            ViewState(
                center: Vector(42.5, 107.5 - offset), size: Size(69, 69), scale: 0.585_921,
                z: 3))
        sink.view(
            "label", ViewState(center: Vector(160, 113.25 - offset), size: Size(320, 21), z: 6))
        sink.view(
            "blur", ViewState(center: header, size: Size(320, 107), alpha: 0.428_571, z: 5))
    }
}

@Suite(.serialized)
struct WireBenchmarks {
    @Test("Benchmark: topics")
    func topics() throws {
        let bytes = Array("gesture/alice/profile".utf8)
        try unsafe bytes.withUnsafeBytes { bytes in
            try measure("topic, decoded") { count in
                var sum = 0
                for _ in 0..<count {
                    guard case .gesture(let session, let component) = try unsafe Topic(bytes)
                    else { continue }
                    sum &+= session.utf8.count + (component ?? "").utf8.count
                }
                return sum
            }
            measure("topic, session and lane") { count in
                var sum: UInt64 = 0
                for round in 0..<count {
                    // The length changes, or the loop would be done once.
                    let topic = unsafe UnsafeRawBufferPointer(
                        rebasing: bytes[..<(bytes.count - round & 7)])
                    guard let found = unsafe Topic.session(in: topic) else { continue }
                    sum &+= found.hash.value &+ UInt64(found.range.count)
                }
                return Int(truncatingIfNeeded: sum)
            }
        }
    }

    @Test(
        "Benchmark: bodies",
        arguments: [
            (
                "gesture/alice/toss",
                #"{"gesture":"pan","phase":"changed","x":160.5,"y":284.25,"vx":12.5,"vy":-310}"#
            ),
            ("gesture/alice/profile", #"{"gesture":"scroll","phase":"changed","offset":103.5}"#),
            ("notification/alice", #"{"kind":"likes","add":3,"id":"0123456789abcdef"}"#),
            (
                "gesture/alice/toss",
                #"{"gesture":"pan","phase":"changed","x":160.5,"y":284.25,"own":1e999}"#
            ),
        ])
    func bodies(topic: String, body: String) throws {
        let decoder = EventDecoder()
        let topic = try Topic(topic)
        try unsafe Array(body.utf8).withUnsafeBytes { bytes in
            try measure("body of \(bytes.count) bytes, \(body.prefix(18))…") { count in
                var sum = 0
                for _ in 0..<count {
                    let event = try unsafe decoder.decode(topic: topic, body: bytes)
                    if case .gesture(_, let gesture) = event.payload, gesture.phase == .changed {
                        sum &+= 1
                    }
                }
                return sum
            }
        }
    }

    @Test("Benchmark: states")
    func states() {
        var buffer = ByteBuffer(capacity: 1 << 16)
        let head = UpdateHead(
            epoch: "18c2f5b9a1d4.17", seq: 12_345,
            time: Instant(nanoseconds: 1_700_000_000_123_456_789))
        let topic = UpdateTopic.state(session: "alice", component: "profile")
        measure("state of four views, body") { count in
            var sum = 0
            for round in 0..<count {
                buffer.removeAll()
                let shown = ScrolledProfile(offset: Double(round & 1023) / 8 + 0.125)
                UpdateBody.state(head, shown, StateNotes(opened: head.time), into: &buffer)
                sum &+= buffer.count
            }
            return sum
        }
        let shown: any Presentable = ScrolledProfile(offset: 103.375)
        measure("state of four views of some kind, topic and body") { count in
            var sum = 0
            for _ in 0..<count {
                buffer.removeAll()
                topic.append(to: &buffer)
                UpdateBody.state(head, shown, StateNotes(opened: head.time), into: &buffer)
                sum &+= buffer.count
            }
            return sum
        }
    }
}
