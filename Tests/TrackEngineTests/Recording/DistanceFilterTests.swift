import Testing
import TrackEngine

/// Thresholds worked by hand from `max(round(v / 5) · m · F, F)`.
@Suite struct DistanceFilterTests {
    @Test(
        arguments: [
            (0, 16), (2.4999, 16), (2.5, 49.6), (7.4999, 49.6), (7.5, 99.2), (12.4999, 99.2), (12.5, 148.8),
            (13.9, 148.8), (17.4999, 148.8), (17.5, 198.4), (27, 248), (30, 297.6), (100, 992),
        ] as [(Double, Double)])
    func `CalmGeo's defaults give its thresholds`(_ speed: Double, _ metres: Double) {
        #expect(abs(DistanceFilter().threshold(speed: speed) - metres) < 1e-9)
    }

    @Test(
        arguments: [nil, -1, -2.5, -100, .nan, .infinity, -.infinity] as [Double?])
    func `an unknown, negative or non-finite speed gives the base distance`(_ speed: Double?) {
        #expect(DistanceFilter().threshold(speed: speed) == 16)
    }

    @Test
    func `steps are rounded as the C library rounds, halves away from zero, at any speed`() {
        let filter = DistanceFilter(base: 1, speedMultiplier: 1)
        var numbers = SampleNumbers(state: 1)
        for _ in 0..<10_000 {
            let half = (Double(Int(numbers.magnitude(1, 1e9))) + 0.5) * 5
            for speed in [half, half.nextDown, half.nextUp, numbers.magnitude(1e-300, 1e300)] {
                #expect(filter.threshold(speed: speed) == max(1, (speed / 5).rounded(.toNearestOrAwayFromZero)))
            }
        }
    }

    @Test
    func `a small multiplier never goes below the base distance`() {
        let filter = DistanceFilter(base: 10, speedMultiplier: 0.5)
        #expect(filter.threshold(speed: 12.4) == 10)
        #expect(filter.threshold(speed: 12.5) == 15)
        #expect(DistanceFilter(base: 10, speedMultiplier: 0).threshold(speed: 50) == 10)
    }

    @Test
    func `without the multiplier speed plays no part`() {
        #expect(DistanceFilter(base: 16, speedMultiplier: nil).threshold(speed: 30) == 16)
    }

    @Test
    func `a fix exactly at the threshold is not kept`() {
        let filter = DistanceFilter()
        #expect(!filter.keeps(distance: 16, speed: 0))
        #expect(filter.keeps(distance: 16.nextUp, speed: 0))
        #expect(!DistanceFilter(base: 0).keeps(distance: 0, speed: 30))
        #expect(DistanceFilter(base: 0).keeps(distance: 0.001, speed: 30))
    }

    @Test
    func `a cap limits the scaled distance, not the base`() {
        #expect(DistanceFilter(maximum: 100).threshold(speed: 30) == 100)
        #expect(DistanceFilter(maximum: 5).threshold(speed: 30) == 16)
        #expect(DistanceFilter(maximum: 100).threshold(speed: 0) == 16)
    }
}
