import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions

extension Target {
    /// A scene's file, which a person wrote.
    static let sceneTOML = Target(name: "scene-toml") { bytes in
        do throws(SceneError) {
            judge(try SceneReader.scene(toml: bytes, file: "f", fallbackName: "n"))
        } catch {
            expectWords(error.description)
            expect(error.description.hasPrefix("f:"), "an error without a place: \(error)")
        }
    }

    /// A scene's object, which came in a message or in a file that a person wrote.
    static let sceneJSON = Target(name: "scene-json") { bytes in
        let tree = try? Document.json(bytes)
        judgeFile(bytes, tree)
        guard let tree else { return }
        do throws(SceneError) {
            judge(try SceneReader.scene(from: tree, fallbackName: nil))
        } catch {
            expectWords(error.description)
        }
    }

    /// A scene that is taken says the same when it is written and read again, and can be played.
    private static func judge(_ scene: Scene) {
        guard let text = scene.text, let tree = try? Document.json(Array(text.utf8)) else {
            fatalError("no text: \(scene.text ?? "")")
        }
        do throws(SceneError) {
            let again = try SceneReader.scene(from: tree, fallbackName: nil)
            expect(again.text == text, "\(text) became \(again.text ?? "")")
            let (one, other) = (described(scene), described(again))
            expect(one == other, "\(one.text) became \(other.text)")
        } catch {
            fatalError("\(text): \(error)")
        }
        do throws(Rejection) { try play(gestures(of: scene), scene: tree) } catch {
            fatalError("\(text): \(error.message)")
        }
    }

    /// All that clients are told of it.
    private static func described(_ scene: Scene) -> [UInt8] {
        var buffer = ByteBuffer(capacity: 4_096)
        let head = UpdateHead(epoch: "e", seq: 1, time: Instant(nanoseconds: 0))
        let told = SceneDescription(scene: scene, revision: 1, frameRate: 60)
        UpdateBody.scene(head, told, into: &buffer)
        return buffer.array()
    }

    /// A touch and a release on the session, and one event for each of its first components.
    private static func gestures(of scene: Scene) -> [(topic: [UInt8], body: [UInt8])] {
        let (x, y) = (scene.viewport.width / 2, scene.viewport.height / 2)
        func pan(_ phase: String, _ more: String) -> String {
            #"{"gesture":"pan","phase":"\#(phase)","x":\#(x),"y":\#(y)\#(more)}"#
        }
        var events = [("notification/s", #"{"kind":"likes"}"#)]
        for component in scene.components.prefix(componentsPlayedMax) {
            events.append(("gesture/s/\(component.id)", pan("began", "")))
            events.append(("gesture/s/\(component.id)", pan("ended", #","vx":900,"vy":-1500"#)))
        }
        events.append(("gesture/s", #"{"gesture":"tap","x":\#(x),"y":\#(y)}"#))
        return events.map { (Array($0.0.utf8), Array($0.1.utf8)) }
    }

    private static let componentsPlayedMax = 4

    /// The reader of files takes what the reader of messages takes, and tells the file's lines.
    private static func judgeFile(_ bytes: [UInt8], _ tree: Node?) {
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        do throws(DocumentError) {
            let file = try Document.jsonFile(bytes)
            expect(file.json() == tree?.json(), "\(bytes.text) has two readings")
            var last = 1
            expect(file.linesGrow(from: &last) && last <= lines, "lines of \(bytes.text)")
        } catch {
            expect(tree == nil, "\(bytes.text) is no JSON for files alone: \(error.message)")
            expectWords(error.message)
            expect((1...lines).contains(error.line ?? 1), "line \(error.line ?? 0) of \(lines)")
        }
    }
}

extension Node {
    /// Whether every value has a line that is not above the one before.
    fileprivate func linesGrow(from last: inout Int) -> Bool {
        guard let line, line >= last else { return false }
        last = line
        switch value {
        case .null, .bool, .integer, .unsigned, .number, .string: return true
        case .array(let elements): return elements.allSatisfy { $0.linesGrow(from: &last) }
        case .object(let members): return members.allSatisfy { $0.value.linesGrow(from: &last) }
        }
    }
}
