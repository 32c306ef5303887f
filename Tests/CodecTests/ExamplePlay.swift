import Codec
import Foundation
import Geometry
import Interactions
import Protocol
import Sessions
import TestSupport
import Testing

/// A scene of one world, played.
struct Play {
    private var theater: Theater
    private let component: String

    init(toml: String, file: String) throws {
        let scene = try SceneReader.scene(
            toml: Array(toml.utf8), file: file, fallbackName: "played")
        theater = Theater(scene)
        component = try #require(scene.components.first).id
        #expect(scene.components.map(\.parameters.kind) == ["dynamics"], "\(file)")
    }

    var picture: Picture { theater.picture(component) }
    var phase: String { picture.phase }
    /// The transitions of contacts, of rest, of waking.
    var lines: [String] { theater.told("transition/\(component)").compactMap(\.line) }

    func center(_ item: String) throws -> Vector { try view(item).center }
    func rotation(_ item: String) throws -> Double { try view(item).rotation }

    private func view(_ item: String) throws -> ViewState {
        try #require(picture.views[item], "no view of \(item)")
    }

    mutating func step(_ count: Int = 1) { theater.step(count) }

    /// Looks at it after each of so many steps.
    mutating func watch(_ count: Int, _ look: (Play) throws -> Void) rethrows {
        for _ in 0..<count {
            theater.step()
            try look(self)
        }
    }

    /// Steps until everything rests, at most 30 s.
    mutating func rest() {
        #expect(theater.stepsToRest(limit: 3_600) != nil, "\(component) does not rest")
        #expect(phase == "resting")
    }

    /// A command, as it comes over the wire.
    mutating func command(_ body: String) throws {
        let topic = try Topic("command/alice/\(component)")
        let event = try unsafe Array(body.utf8).withUnsafeBytes { bytes in
            try unsafe EventDecoder().decode(topic: topic, body: bytes)
        }
        let before = theater.told("rejected").count
        theater.receive(event.payload)
        theater.flush()
        #expect(theater.told("rejected").count == before, "\(body) was refused")
    }
}

/// The package's own files, from the place of this one.
enum Repository {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..")

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The names of a folder's files.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path
        ).sorted()
    }
}
