import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// Damage in the state of one of our sessions, one value at a time.
@Suite struct DamagedStateTests {
    struct Spoiled: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (Node) -> Node

        init(_ name: String, _ change: @escaping @Sendable (Node) -> Node) {
            testDescription = name
            self.change = change
        }
    }

    private func isTaken(_ state: Node, _ scene: Scene) -> Bool {
        guard let state = try? state.decode(SessionSnapshot.self) else { return false }
        let session = try? Session(
            state, id: "alice", scene: scene, frameRate: 60, key: 0, continuing: .same)
        return session != nil
    }

    private func check(_ theater: Theater, _ spoiled: Spoiled) {
        let (node, scene) = (Node(encoding: theater.session.state), theater.session.scene)
        #expect(isTaken(node, scene))
        let other = spoiled.change(node)
        #expect(other != node, "nothing was spoiled")
        #expect(!isTaken(other, scene))
    }

    // MARK: Worlds

    private static let bodies = "machines.0.bodies.animator"
    private static let contacts = "\(bodies).collisionStore.0.contacts.list"

    /// The world of the storms with a finger on it, when some have met.
    private func world() throws -> Theater {
        let world = try WorldParameters(WorldStorm.scene.node)
        var theater = Theater(.single("world", .init(world)))
        theater.step(60)
        theater.pan("world", .began, 160, 300)
        theater.step(30)
        return theater
    }

    // A body is a list: its number at 0, the first of its joints at 13, their count at 14, that of
    // its behaviors at 15.
    static let spoiledWorlds: [Spoiled] = [
        Spoiled("a link of nobody") {
            $0.with("\(bodies).behaviorsGiven", 90)
                .changed("\(bodies).links") { $0.repeating { $0.with("behavior", 80) } }
        },
        Spoiled("a push of nobody") {
            $0.with("\(bodies).behaviorsGiven", 90)
                .changed("\(bodies).pushes") { $0.repeating { $0.with("behavior", 80) } }
        },
        Spoiled("a push twice") { $0.changed("\(bodies).pushes") { $0.repeating() } },
        Spoiled("a field twice") {
            $0.changed("\(bodies).forceStore.0.fields") { $0.repeating() }
        },
        Spoiled("a gravity of nobody") {
            $0.with("\(bodies).behaviorsGiven", 90).changed("\(bodies).forceStore.0.gravities") {
                $0.repeating { $0.with("behavior", 80) }
            }
        },
        Spoiled("a collision of nobody") {
            $0.with("\(bodies).behaviorsGiven", 90)
                .changed("\(bodies).collisionStore.0.records") {
                    $0.repeating {
                        $0.with("id", 80).with("bit", 2)
                            .changed("collision.items") { _ in Node(.array([])) }
                            .changed("collision.boundaries") { _ in Node(.array([])) }
                    }
                }
        },
        Spoiled("properties of nobody") {
            $0.with("\(bodies).behaviorsGiven", 90).changed("\(bodies).makeupStore.0.records") {
                $0.repeating { $0.with("id", 80) }
            }
        },
        Spoiled("many settings of one behavior") {
            $0.changed("\(bodies).makeupStore.0.writes") { writes in
                (0..<9).reduce(writes) { writes, _ in writes.repeating() }
            }
        },
        Spoiled("a body of nobody") {
            $0.changed("\(bodies).itemsGiven") { $0.adding(1) }
                .changed("\(bodies).awakeCount") { $0.adding(1) }
                .changed("\(bodies).bodies") { list in
                    guard let first = list.array?.first, let last = list.array?.last,
                        let joints = last.array?[13].int
                    else { return list }
                    // The last one is the group, which has no joints.
                    return list.repeating { _ in
                        first.with("0", 9).with("15", 0).with("14", 0).with("13", joints)
                    }
                }
        },
        Spoiled("a contact twice") { $0.changed(contacts) { $0.repeating() } },
        Spoiled("two that touch twice") {
            $0.changed("machines.0.touching") { $0.repeating() }
        },
        Spoiled("two that touch and cannot meet") {
            $0.changed("machines.0.touching") {
                $0.repeating { touch in
                    touch.changed("meeting.items") { _ in Node(.array([Node(.string("zz"))])) }
                }
            }
        },
        Spoiled("behaviors that are not there are counted") {
            $0.changed("\(bodies).bodies.0.15") { $0.adding(1) }
        },
        Spoiled("a field older than any session") {
            $0.with("\(bodies).forceStore.0.fields.0.age", Step.decodedMax.count + 1)
        },
        Spoiled("what is awake rests") { $0.changed("machines.0.state") { _ in empty } },
        Spoiled("nobody's grip") {
            $0.changed("machines.0.state") { _ in Node(.object([.init("moving", .init(.null))])) }
        },
        Spoiled("a grip of another item") {
            $0.changed("machines.0.state.dragging.grip.item") { _ in Node(.string("b")) }
        },
        Spoiled("a finger that is silent for days") {
            $0.with("machines.0.state.dragging.grip.drag.lastSample", 1 << 30)
        },
    ]

    private static let empty = Node(.object([]))

    @Test(arguments: spoiledWorlds)
    func aWorldHasNothingThatNobodyPutIn(_ spoiled: Spoiled) throws {
        let theater = try world()
        #expect(theater.pictures[0].phase == "dragging")
        check(theater, spoiled)
    }

    /// A moving world says until when, and a resting one does not move.
    @Test func aWorldMovesOrRestsAsItsBodiesDo() throws {
        let sheet: Sheet = ["items": [["id": "a", "center": [60, 100], "size": [60, 40]]]]
        var theater = Theater(.single("world", .init(try WorldParameters(sheet.node))))
        theater.flush()
        check(
            theater,
            Spoiled("moves at rest") {
                $0.changed("machines.0.state") { _ in
                    Node(.object([.init("moving", Node(.integer(900)))]))
                }
            })
        theater.receive(
            .command(
                component: "world",
                ComponentCommand(
                    "add-velocity", (["item": "a", "dx": 40, "dy": 0] as Sheet).members)))
        #expect(theater.pictures[0].phase == "moving")
        check(
            theater,
            Spoiled("moves for ever") {
                $0.changed("machines.0.state.moving") { _ in
                    Node(.null)
                }
            })
        check(
            theater,
            Spoiled("moves for days") {
                $0.with("machines.0.state.moving", 86_401 * 120)
            })
    }

    // MARK: Views on pins and fingers

    private static let tossed = "machines.1.world.animator"

    static let spoiledThrows: [Spoiled] = [
        Spoiled("a body of nobody") {
            $0.changed("\(tossed).itemsGiven") { $0.adding(1) }
                .changed("\(tossed).awakeCount") { $0.adding(1) }
                .changed("\(tossed).bodies") {
                    $0.repeating { $0.with("0", 1).with("15", 0) }
                }
        },
        Spoiled("a push of nobody") {
            $0.changed("\(tossed).behaviorsGiven") { $0.adding(1) }
                .changed("\(tossed).bodies.0.15") { $0.adding(1) }
                .changed("\(tossed).pushes") { $0.repeating { $0.with("behavior", 2) } }
        },
        Spoiled("a push of the same twice") {
            $0.changed("\(tossed).bodies.0.15") { $0.adding(1) }
                .changed("\(tossed).pushes.0.push.items") { $0.repeating() }
        },
        Spoiled("no push") {
            $0.with("\(tossed).bodies.0.15", 0)
                .changed("\(tossed).pushes") { _ in Node(.array([])) }
        },
    ]

    @Test(arguments: spoiledThrows)
    func aThrownViewFliesAlone(_ spoiled: Spoiled) {
        var theater = Theater(.phone())
        theater.step(200)
        theater.pan("toss", .began, 160, 220)
        theater.pan("toss", .ended, 160, 220, velocity: Vector(3_000, 100))
        #expect(theater.picture("toss").phase == "thrown")
        check(theater, spoiled)
    }

    private static let tip = "machines.0.world.animator"

    static let spoiledTips: [Spoiled] = [
        Spoiled("a push of nobody") {
            $0.changed("\(tip).behaviorsGiven") { $0.adding(1) }
                .changed("\(tip).bodies.0.15") { $0.adding(1) }
                .changed("\(tip).pushes") { _ in
                    Node(.array([DamagedStateTests.push]))
                }
        },
        Spoiled("nothing that draws it in") {
            $0.changed("machines.0.world.snap") { _ in Node(.null) }
        },
        Spoiled("more springs than a snap has") {
            $0.changed("\(tip).joints") { joints in
                guard let first = joints.array?.first else { return joints }
                return Node(.array([first] + (joints.array ?? [])))
            }.changed("\(tip).bodies.0.14") { $0.adding(1) }
        },
    ]

    private static let push: Node =
        ([
            "behavior": 3,
            "push": [
                "items": [0], "mode": "continuous", "offset": [0, 0],
                "isActive": true,
                "force": ["cartesian": [1, 0], "direction": 0, "size": 1],
            ],
        ] as Sheet).node

    @Test(arguments: spoiledTips)
    func aTipHangsOnItsPinAndOnOneOther(_ spoiled: Spoiled) {
        var theater = Theater(.phone())
        theater.step(60)
        #expect(theater.picture("tips").phase == "entering")
        check(theater, spoiled)
    }

    // MARK: Counts and contacts

    static let spoiledBooks: [Spoiled] = [
        Spoiled("a kind that no event could name") {
            $0.changed("badges.counts.0.kind") { _ in Node(.string("a kind")) }
        },
        Spoiled("a kind twice") { $0.changed("badges.counts") { $0.repeating() } },
        Spoiled("a version that leaves no room") {
            $0.with("badges.version", Limits.versionImportedMax + 1)
        },
        Spoiled("more worlds put to rest than a session can have") {
            $0.with("restsForced", Limits.restsForcedImportedMax + 1)
        },
        Spoiled("more kinds than there may be") {
            $0.changed("badges.counts") { _ in
                Node(
                    .array(
                        (0...BadgeCounts.kindsMax).map { kind in
                            (["kind": Sheet("k\(kind)"), "count": 1] as Sheet).node
                        }))
            }
        },
        Spoiled("a refusal with a book of reasons") {
            $0.changed("refused.entries.0.rejection.message") { _ in
                Node(.string(String(repeating: "m", count: TableReader.textBytesMax + 1)))
            }
        },
        Spoiled("a refusal of what no topic could name") {
            $0.changed("refused.entries.0.component") { _ in Node(.string("a/b")) }
        },
    ]

    @Test(arguments: spoiledBooks)
    func damagedCountsAndContactsAreNotTaken(_ spoiled: Spoiled) {
        var theater = Theater(.phone())
        theater.notify("likes")
        theater.pan("nowhere", .began, 1, 1)
        check(theater, spoiled)
    }

    /// Wall-clock seconds shifted by 20 bits, where stores begin, fit for more than a century.
    @Test func versionsOfACenturyFromNowAreTaken() {
        let seconds = 1_700_000_000 + 100 * 366 * 86_400
        #expect(seconds << 20 <= Limits.versionImportedMax)
        #expect(
            Limits.versionImportedMax + 1_000_000 * Limits.versionsUnstoredMax
                < BadgeCounts.countMax)
    }
}
