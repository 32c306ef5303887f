import Foundation
import Gestures
import TestSupport
import Testing

/// Arenas in the middle of every gesture, as exports contain them.
@Suite struct ArenaDocumentTests {
    private static let all: Recognizers = [
        .pan, .scroll, .swipe, .tap, .longpress, .pinch, .rotation,
    ]

    private func stage(_ recognizers: Recognizers, _ second: Bool = false) -> ArenaStage {
        var stage = ArenaStage(recognizers)
        _ = stage.began(1, 100, 100)
        _ = stage.step(2)
        if second { _ = stage.began(2, 200, 100) }
        _ = stage.step(2)
        return stage
    }

    private var stages: [(String, ArenaStage)] {
        var stages: [(String, ArenaStage)] = []
        func add(
            _ name: String, _ recognizers: Recognizers, second: Bool = false,
            _ play: (inout ArenaStage) -> Void
        ) {
            var stage = stage(recognizers, second)
            play(&stage)
            stages.append((name, stage))
        }
        add("open", Self.all) { _ = $0.changed(1, 103, 101) }
        add("two", Self.all, second: true) { _ = $0.changed(2, 202, 101) }
        add("pan", [.pan, .tap]) { _ = $0.changed(1, 120, 101) }
        add("scroll", [.scroll, .swipe]) { _ = $0.changed(1, 101, 130) }
        add("swipe", [.swipe]) {
            for x in [110.0, 130, 150, 170] { _ = $0.changed(1, x, 100) }
        }
        add("press", [.longpress]) { _ = $0.step(80) }
        add("tap", [.tapOnTouchDown]) { _ in }
        add("pinch", [.pinch, .rotation], second: true) {
            _ = $0.changed(2, 220, 100)
            _ = $0.step(2)
            _ = $0.changed(2, 230, 100)
        }
        add("turn", [.pinch, .rotation], second: true) {
            _ = $0.changed(2, 200, 110.51)
            _ = $0.step(2)
            _ = $0.changed(2, 199, 114)
        }
        add("both", [.pinch, .rotation], second: true) {
            _ = $0.changed(2, 200, 200)
            _ = $0.step(2)
            _ = $0.changed(2, 180, 220)
        }
        add("grasp", [.pan, .pinch, .rotation, .grasp], second: true) {
            _ = $0.changed(2, 220, 100)
            _ = $0.began(3, 150, 200)
            _ = $0.changed(3, 160, 220)
        }
        add("lost", [.pinch, .pan], second: true) {
            _ = $0.changed(2, 230, 100)
            _ = $0.cancelled(2)
        }
        return stages
    }

    /// The golden is older than the present names of types and properties.
    @Test func anExportedArenaKeepsItsKeys() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var lines = ""
        for (name, stage) in stages {
            let bytes = try encoder.encode(stage.arena)
            lines += "\(name) \(String(decoding: bytes, as: UTF8.self))\n"
            let read = try JSONDecoder().decode(PointerArena.self, from: bytes)
            #expect(read == stage.arena, "\(name)")
        }
        try expectGolden(lines, named: "arena-documents.txt")
    }
}
