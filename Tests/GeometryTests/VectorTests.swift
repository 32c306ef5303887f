import Geometry
import Testing

@Suite struct VectorTests {
    @Test func aQuarterTurnIsClockwiseOnScreen() {
        // With y down, right rotates to down.
        #expect(Vector(1, 0).rotated(sine: 1, cosine: 0) == Vector(0, 1))
        #expect(Vector(0, 500).rotated(sine: 1, cosine: 0) == Vector(-500, 0))
    }

    @Test func productsFollowTheirDefinitions() {
        let (a, b) = (Vector(3, 4), Vector(-2, 5))
        #expect(a.dot(b) == 14)
        #expect(a.cross(b) == 23)
        #expect(a.length == 5)
        #expect(a + b == Vector(1, 9))
        #expect(a - b == Vector(5, -1))
        #expect(-a * 2 == Vector(-6, -8))
        #expect(a / 2 == Vector(1.5, 2))
    }

    @Test func finiteMeansBothAxes() {
        #expect(Vector(1, 2).isFinite)
        #expect(!Vector(.nan, 0).isFinite)
        #expect(!Vector(0, .infinity).isFinite)
    }

    @Test func aFrameKnowsItsMiddle() {
        #expect(Rect(33, 137, 254, 172).center == Vector(160, 223))
    }
}
