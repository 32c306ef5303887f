import Geometry
import Gestures
import Testing

/// Which clock gives a sample's time. Each source moves by 10 pt per sample.
@Suite struct SampleTimeTests {
    private func speed(claims: [Double?], received: [Double]) -> Double {
        var tracker = VelocityTracker(kind: .uikit)
        let last = claims.count - 1
        for index in 0..<last {
            tracker.add(
                Vector(Double(index) * 10, 0),
                at: SampleTime(claimed: claims[index], received: received[index]))
        }
        let velocity = tracker.velocity(
            endingAt: Vector(Double(last) * 10, 0),
            time: SampleTime(claimed: claims[last], received: received[last]))
        return (velocity.x * 1e6).rounded() / 1e6
    }

    @Test(arguments: [0, 90, 2_079.5, -1_900] as [Double])
    func theSourcesTimeCountsWhereItIsNear(start: Double) {
        let claims = [start, start + 10, start + 20]
        #expect(speed(claims: claims, received: [100, 100, 100]) == 1_000)
    }

    @Test(arguments: [-1_900.5, -5_000, 2_140.5, 1e18])
    func moreThanTwoSecondsOffTheTimeOfReceiptCounts(claim: Double) {
        let claims = [claim, claim, claim]
        #expect(speed(claims: claims, received: [100, 120, 140]) == 500)
    }

    @Test func aMissingTimeIsThatOfReceipt() {
        #expect(speed(claims: [nil, nil, nil], received: [100, 105, 110]) == 2_000)
    }

    @Test func aTimeThatRunsBackwardsIsNotBelieved() {
        let last = speed(claims: [100, 110, 105], received: [100, 110, 130])
        #expect(last == 0.2 * 500 + 0.8 * 1_000)
        #expect(speed(claims: [100, 90, 80], received: [100, 110, 120]) == 1_000)
    }

    /// The source is 1 s ahead, then sends no time: the end has the time of the last sample.
    @Test func timeNeverRunsBackwardsBetweenTheClocks() {
        #expect(speed(claims: [1_100, 1_110, nil], received: [100, 110, 120]) == 2_000)
    }
}
