import ClientSupport
import GesturedClient
import Testing

@Suite struct SessionPictureTests {
    private func update(_ topic: String, _ more: String) throws -> ReceivedUpdate {
        let body = #"{"epoch":"d.1","seq":1,"t":1\#(more)}"#
        return try #require(ReceivedUpdate(topic: Array(topic.utf8), body: Array(body.utf8)))
    }

    private let scene =
        #","viewport":[320,568],"components":["#
        + #"{"id":"a","kind":"toss","parent":null,"slot":null,"frame":[10,20,300,300]},"#
        + #"{"id":"b","kind":"toss","parent":"a","slot":"item","frame":[1,2,50,50]}]"#

    private func state(_ id: String, x: Double, rotation: Double = 0) -> String {
        #"{"component":"\#(id)","phase":"resting","model":{},"views":{"item":{"x":\#(x),"y":50,"#
            + #""w":100,"h":100,"rotation":\#(rotation),"scale":2,"alpha":0.5,"z":0}}}"#
    }

    @Test func framesAreMergedAndNestedViewsMultiplied() throws {
        var picture = SessionPicture()
        #expect(picture.layers.isEmpty && picture.viewport == nil && picture.hit(x: 1, y: 1) == nil)
        picture.take(try update("scene/s", scene))
        picture.take(
            try update("frame/s", #","states":[\#(state("a", x: 0)),\#(state("b", x: 50))]"#))
        picture.take(try update("frame/s", #","states":[\#(state("a", x: 50))]"#))
        let layers = picture.layers
        #expect(layers.map(\.component) == ["a", "b"] && layers.map(\.alpha) == [0.5, 0.25])
        #expect(layers[0].matrix.apply(0, 0) == (-40, -30))
        #expect(layers[1].matrix.a == 4 && layers[1].matrix.apply(50, 50).x == 62)
        #expect(picture.hit(x: 62, y: 74)?.component == "b")
        #expect(picture.hit(x: -39, y: -29)?.view == "item")
        #expect(picture.viewport?.width == 320)
        picture.take(try update("session/s", #","event":"closed""#))
        #expect(picture.layers.isEmpty)
    }

    @Test(arguments: [
        "[]", "null", "{}", #"{"components":7}"#, #"{"components":[7,null,{"id":7}]}"#,
        #"{"components":[{"id":"a","frame":[1,2]},{"id":"a","parent":"a","slot":"v"}]}"#,
        #"{"components":[{"id":"a","parent":"a","slot":"v","frame":"x"}]}"#,
    ])
    func nonsenseDrawsLittle(scene: String) throws {
        let view = #"{"x":1e308,"y":-1e308,"w":1e308,"scale":0,"rotation":1e300,"z":1e99}"#
        let states = ["a": #"{"views":{"v":\#(view),"v":\#(view),"u":7}}"#, "b": "7"]
        let picture = try SessionPicture(scene: scene, states: states)
        #expect(picture.layers.count <= 6)
        _ = picture.hit(x: 5, y: 5)
    }

    @Test func namesThatAreRepeatedMakeNoEndlessWork() throws {
        // Each level holds the next one in 300 slots of one name: 300⁸ views.
        let components = (0..<9).map {
            #"{"id":"c\#($0)","kind":"x","frame":[0,0,9,9]"#
                + ($0 == 0 ? "}" : #","parent":"c\#($0 - 1)","slot":"v"}"#)
        }
        let view = #""v":{"x":4,"y":4,"w":9,"h":9}"#
        let views = Array(repeating: view, count: 300).joined(separator: ",")
        let states = (0..<9).map { ("c\($0)", #"{"views":{\#(views)}}"#) }
        let picture = try SessionPicture(
            scene: #"{"components":[\#(components.joined(separator: ","))]}"#,
            states: Dictionary(uniqueKeysWithValues: states))
        #expect(picture.layers.count <= 32 * 320)
        #expect(picture.hit(x: 100, y: 100) == nil)
    }

    @Test func textThatIsNoJSONIsRefused() {
        #expect(throws: ClientError.self) { try SessionPicture(scene: "{", states: [:]) }
    }
}

@Suite struct CurveTests {
    @Test(arguments: Curve.allCases)
    func aCurveRisesFromNothingToAll(curve: Curve) {
        #expect(curve.value(at: -1) == 0 && curve.value(at: 0) == 0)
        #expect(curve.value(at: 1) == 1 && curve.value(at: 7) == 1 && curve.value(at: .nan) == 0)
        var last = 0.0
        for step in 1...100 {
            let value = curve.value(at: Double(step) / 100)
            #expect(value > last && value <= 1)
            last = value
        }
    }
}
