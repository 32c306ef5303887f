import Geometry
import Gestures
import Testing

/// A pan begins after 10 pt on one axis; they are subtracted on that axis.
@Suite struct PanRecognizerTests {
    private let landed = Vector(100, 200)

    private func began(_ axes: PanRecognizer.Axes, _ x: Double, _ y: Double) -> Recognition<Vector>
    {
        var pan = PanRecognizer(axes, landed: landed)
        return pan.moved(to: landed + Vector(x, y))
    }

    private static let ways: [(x: Double, y: Double, begins: Vector?)] = [
        (9.999, 0, nil), (10, 0, Vector(0, 0)), (-9.999, 0, nil), (-10, 0, Vector(0, 0)),
        (0, 9.999, nil), (0, 10, Vector(0, 0)), (0, -10, Vector(0, 0)),
        // 14 pt away, and still within the slop on both axes.
        (9.9, 9.9, nil),
        // Subtracted on one axis only: the one that reached the slop, or the longer one of both.
        (12, 9, Vector(2, 9)), (-12, 9, Vector(-2, 9)), (3, -25, Vector(3, -15)),
        (30, 20, Vector(20, 20)), (20, -30, Vector(20, -20)), (20, 20, Vector(20, 10)),
    ]

    @Test(arguments: ways)
    func itBeginsAtTenPointsOnOneAxisAndTakesThemOff(x: Double, y: Double, begins: Vector?) {
        #expect(began(.both, x, y) == begins.map { .began($0) } ?? .nothing)
    }

    @Test func theTenPointsStayOffWhereverItGoes() {
        var pan = PanRecognizer(.both, landed: landed)
        #expect(pan.moved(to: landed + Vector(10, 4)) == .began(Vector(0, 4)))
        #expect(pan.moved(to: landed + Vector(10, 4)) == .changed(Vector(0, 4)))
        #expect(pan.moved(to: landed + Vector(30, 40)) == .changed(Vector(20, 40)))
        #expect(pan.moved(to: landed) == .changed(Vector(-10, 0)))
        #expect(pan.lifted(at: landed) == .ended(Vector(-10, 0)))
        #expect(pan.moved(to: landed + Vector(30, 40)) == .nothing)
        #expect(pan.cancel(at: landed) == nil)
    }

    @Test(arguments: [(30.0, 9.999, false), (0, 10, true), (30, -10, true), (300, 0, false)])
    func theVerticalOneHeedsItsAxisAlone(x: Double, y: Double, begins: Bool) {
        #expect(began(.vertical, x, y) == (begins ? .began(Vector(x, 0)) : .nothing))
    }

    private static let rivals: [(x: Double, y: Double, expected: Recognition<Vector>)] = [
        (9.999, 9.999, .nothing), (10, 0, .nothing), (-10, 9.999, .nothing),
        (9.9375, 10, .began(Vector(9.9375, 0))), (12, 11.999, .nothing),
        (11.9375, 12, .began(Vector(11.9375, 2))), (12, 12, .began(Vector(12, 2))),
    ]

    /// If swipes are possible, a more horizontal movement is left to the swipe.
    @Test(arguments: rivals)
    func besideASwipeTheLongerWayDecides(x: Double, y: Double, expected: Recognition<Vector>) {
        #expect(began(.mostlyVertical, x, y) == expected)
    }

    /// A finger that starts sideways and then moves up still scrolls.
    @Test func aMovementMayTurnOutToBeVertical() {
        var pan = PanRecognizer(.mostlyVertical, landed: landed)
        #expect(pan.moved(to: landed + Vector(12, 11)) == .nothing)
        #expect(pan.moved(to: landed + Vector(12, 60)) == .began(Vector(12, 50)))
    }

    /// The same across as `rivals` along: at a tie both begin.
    @Test(arguments: rivals)
    func acrossItBeginsWhereItIsAtLeastAsFarAcross(
        x: Double, y: Double, expected: Recognition<Vector>
    ) {
        let turned: Recognition<Vector> =
            if case .began(let way) = expected { .began(Vector(way.y, way.x)) } else { .nothing }
        #expect(began(.mostlyHorizontal, y, x) == turned)
    }

    @Test func aContactThatLiftsWithinTheSlopWasNoPan() {
        var pan = PanRecognizer(.both, landed: landed)
        #expect(pan.moved(to: landed + Vector(9, 9)) == .nothing)
        #expect(pan.lifted(at: landed) == .failed)
    }

    @Test func aLostContactReportsItsTranslation() {
        var pan = PanRecognizer(.both, landed: landed)
        #expect(pan.cancel(at: landed) == nil)
        pan = PanRecognizer(.both, landed: landed)
        _ = pan.moved(to: landed + Vector(0, 15))
        #expect(pan.cancel(at: landed + Vector(0, 15)) == Vector(0, 5))
        #expect(pan.moved(to: landed + Vector(0, 25)) == .nothing)
    }
}
