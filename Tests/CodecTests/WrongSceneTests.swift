import Foundation
import Geometry
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

@testable import Codec

/// Whatever is wrong in a scene, a check says so and ends: a daemon checks the files of a reload.
@Suite struct WrongSceneTests {
    /// A panel needs its anchors in order, and nothing of another kind is in their place.
    @Test(arguments: [
        #"{ name = "a", at = 0 }, { name = "b", at = 50 }, { name = "c", at = 20 }"#,
        #"{ name = "a", at = 0 }, { name = "b" }, { name = "c", at = 20 }"#,
        #"{ name = "a", at = 0 }, { at = 50 }, { name = "a", at = 20 }"#,
        #"{ name = "a", at = "x" }, { name = 1, at = 50 }, { name = "c", at = true }"#,
        #"{ name = "a", at = 0 }, 7, "c""#,
        "",
    ])
    func anchorsThatAreWrongAreTold(anchors: String) {
        let text = """
            viewport = [320, 568]
            [[components]]
            id = "sheet"
            kind = "panel"
            size = [320, 468]
            anchors = [\(anchors)]
            """
        let faults = SceneFaults.found(in: Array(text.utf8), file: "s.toml").map(\.description)
        #expect(!faults.isEmpty)
        #expect(faults.allSatisfy { $0.contains("component sheet") }, "\(faults)")
    }

    /// Only one thing of these can be tapped.
    @Test(arguments: [("toss", "", "item"), ("tips", "tips = [{}]", "tip")])
    func aTapNamesWhatThereIs(kind: String, parameters: String, item: String) {
        func faults(_ named: String) -> [String] {
            let text = """
                viewport = [320, 568]
                [[components]]
                id = "one"
                kind = "\(kind)"
                \(parameters)
                [[reactions]]
                when = { component = "one", transition = "tap", item = "\(named)" }
                do = { component = "badges", command = "clear" }
                """
            return SceneFaults.found(in: Array(text.utf8), file: "s.toml").map(\.description)
        }
        #expect(faults(item).isEmpty)
        let told = faults("card")
        #expect(told.count == 1 && told[0].contains("key item") && told[0].contains(item))
    }

    /// Our own scenes, with some tables, lists and values lost, doubled, moved or replaced.
    @Test(arguments: ["house", "kiosk", "pinball"], 0..<12 as Range<UInt64>)
    func aSceneThatWasMistypedIsReadToItsEnd(name: String, seed: UInt64) throws {
        let file = try Data(contentsOf: repositoryURL("config/scenes/\(name).toml"))
        let scene = try Document.toml(Array(file))
        var random = SplitMix64(seed: seed)
        for _ in 0...random.whole(in: 0...3) {
            let wrong = scene.mistyped(&random)
            let faults = SceneFaults.found(in: wrong.json(), file: "s.json")
            let isGood = (try? SceneReader.scene(from: wrong, fallbackName: nil)) != nil
            #expect(faults.isEmpty == isGood, "seed \(seed): \(faults.map(\.description))")
        }
    }
}

extension Node {
    /// The same with something wrong at a place that chance chooses.
    fileprivate func mistyped(_ random: inout SplitMix64) -> Node {
        let goesOn = random.whole(in: 0...3) > 0
        switch value {
        case .object(var members) where !members.isEmpty:
            let place = random.whole(in: 0...members.count - 1)
            if goesOn {
                members[place].value = members[place].value.mistyped(&random)
            } else if random.whole(in: 0...1) == 0 {
                members.remove(at: place)
            } else {
                members[place].value = Self.stranger(&random)
            }
            return Node(.object(members))
        case .array(var elements) where !elements.isEmpty:
            let place = random.whole(in: 0...elements.count - 1)
            if goesOn {
                elements[place] = elements[place].mistyped(&random)
                return Node(.array(elements))
            }
            switch random.whole(in: 0...3) {
            case 0: elements.remove(at: place)
            case 1: elements.append(elements[place])
            case 2: elements.swapAt(place, random.whole(in: 0...elements.count - 1))
            default: elements[place] = Self.stranger(&random)
            }
            return Node(.array(elements))
        default: return Self.stranger(&random)
        }
    }

    private static func stranger(_ random: inout SplitMix64) -> Node {
        let all: [Value] = [
            .null, .bool(true), .integer(-1), .integer(7), .number(1e300), .string(""),
            .string("x"), .array([]), .object([]), .array([Node(.integer(1))]),
            .object([Member("id", Node(.string("x")))]),
        ]
        return Node(all[random.whole(in: 0...all.count - 1)])
    }
}
