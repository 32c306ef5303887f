import Foundation
import Testing

/// Hands as people reported them: small recordings, played to their end.
@Suite struct HandTests {
    /// A contact at places 16 ms apart, from `t` on, with its end.
    private func contact(
        _ topic: String, at t: Double, pointer: Int = 1, _ places: [(Double, Double)],
        rests: [Double] = [], lift: Double
    ) -> [String] {
        func body(_ phase: String, _ place: (Double, Double)) -> String {
            #"{"gesture":"pointer","phase":"\#(phase)","pointer":\#(pointer),"#
                + #""x":\#(place.0),"y":\#(place.1)}"#
        }
        var lines: [String] = []
        for (number, place) in places.enumerated() {
            let phase = number == 0 ? "began" : "changed"
            lines.append(event(t + Double(number) * 16, topic, body(phase, place)))
        }
        guard let last = places.last else { return [] }
        for rest in rests { lines.append(event(rest, topic, body("changed", last))) }
        return lines + [event(lift, topic, body("ended", last))]
    }

    private func open(_ scene: String) -> String {
        event(1_000, "command/alice", #"{"command":"open","scene":\#(scene)}"#)
    }

    private func states(_ lines: [String], of component: String) -> [String] {
        lines.filter { $0.topic == "state/alice/\(component)" }
    }

    @Test(arguments: ["uikit", "least-squares"])
    func aRestBeforeTheLiftThrowsNothing(velocity: String) throws {
        let scene =
            #"{"viewport":[320,568],"velocity":"\#(velocity)","#
            + #""components":[{"id":"toss","kind":"toss"}]}"#
        let stroke = (0...5).map { (160 + Double($0) * 32, 223.0) }
        func names(rests: [Double], lift: Double) throws -> Set<String> {
            let lines = try simulate(
                scene: scene,
                [open(scene)]
                    + contact("gesture/alice/toss", at: 1_200, stroke, rests: rests, lift: lift))
            return Set(
                lines.filter { $0.topic == "transition/alice/toss" }
                    .map { $0.contains(#""name":"toss""#) ? "toss" : "return" })
        }
        #expect(try names(rests: [2_180], lift: 2_200) == ["return"])
        #expect(try names(rests: [], lift: 1_288) == ["toss", "return"])
    }

    @Test func aTapThatStopsAFlingSelectsNothing() throws {
        let scene = #"{"viewport":[320,568],"components":[{"id":"list","kind":"list","rows":200}]}"#
        let stroke = (0...5).map { (160.0, 500 - Double($0) * 32) }
        let lines = try simulate(
            scene: scene,
            [open(scene)]
                + contact("gesture/alice/list", at: 1_200, stroke, lift: 1_288)
                + contact("gesture/alice/list", at: 1_438, pointer: 2, [(160, 200)], lift: 1_498))
        let states = states(lines, of: "list")
        #expect(states.allSatisfy { $0.contains(#""selected":null"#) })
        let offset = try #require(states.last?.number("offset"))
        #expect(offset > 200 && offset < 500, "it stands where the contact stopped it")
    }

    @Test func aListThatFitsLeavesADragToItsHolder() throws {
        let scene =
            #"{"viewport":[320,568],"components":["#
            + #"{"id":"profile","kind":"profile","content_height":3000},"#
            + #"{"id":"list","kind":"list","in":"profile/content","rows":10,"#
            + #""frame":[0,200,320,700]}]}"#
        let stroke = (0...12).map { (160.0, 500 - Double($0) * 25) }
        let lines = try simulate(
            scene: scene,
            [open(scene)]
                + contact("gesture/alice", at: 1_200, stroke, rests: [1_542], lift: 1_652))
        #expect(states(lines, of: "profile").last?.number("offset") == 290)
        #expect(states(lines, of: "list").last?.number("offset") == 0)
    }

    @Test(arguments: [(0.0, 1.5), (0, 0.4), (0.6, 1), (-0.6, 2)])
    func aListInACardThatIsEnlargedOrTurnedScrolls(rotation: Double, scale: Double) throws {
        let scene =
            #"{"viewport":[800,800],"components":[{"id":"w","kind":"dynamics","items":["#
            + #"{"id":"card","center":[400,400],"size":[300,300],"#
            + #""rotation":\#(rotation),"scale":\#(scale)}]},"#
            + #"{"id":"list","kind":"list","in":"w/card","rows":30}]}"#
        let stroke = (0...20).map { (400.0, 400 - Double($0) * 3) }
        let lines = try simulate(
            scene: scene,
            [open(scene)] + contact("gesture/alice", at: 1_200, stroke, lift: 1_600))
        let offset = try #require(states(lines, of: "list").last?.number("offset"))
        #expect(offset > 30 / scale * 0.8)
        #expect(!lines.contains { $0.topic == "transition/alice/w" && $0.contains("wake") })
    }
}
