import Geometry
import Testing

@Suite struct SimilarityTests {
    /// A view's rotation in radians; seen from within, the world around it turns the other way.
    @Test(arguments: [0.0, 0.5, -0.5, 1.5, 3, -3])
    func itsRotationIsThatOfTheView(rotation: Double) throws {
        for scale in [1.0, 0.25, 4] {
            let view = ViewState(
                center: Vector(100, 50), size: Size(20, 10), rotation: rotation, scale: scale,
                z: 0)
            let change = try #require(Similarity(into: view))
            #expect(abs(Angle.wrapped(change.rotation + rotation)) < 1e-12)
            #expect(abs(Angle.wrapped(change.then(change).rotation + 2 * rotation)) < 1e-12)
        }
    }

    @Test func aDisplacementTurnsNothing() {
        #expect(Similarity(displacement: Vector(3, 4)).rotation == 0)
        #expect(Similarity.identity.rotation == 0)
    }
}
