import Testing
import TrackEngine

/// The rule over a whole track, in one piece, in batches and one by one.
@Suite struct DistanceSamplerTests {
    /// Metres up the road at which the fixes stand, all at 3 m/s: by the rule 49.6 m must lie between two that are kept.
    static let fixes = [0, 10, 49, 50, 60, 99.5, 100, 149, 150, 30].enumerated().map {
        Road.fix(Double($0.offset), metres: $0.element, speed: 3)
    }
    static let keptPlaces = [0, 3, 6, 8, 9]

    @Test
    func `the first fix and those beyond the threshold from the last kept one are kept`() {
        var sampler = DistanceSampler(DistanceFilter())
        var kept: [Int] = []
        sampler.sample(Self.fixes.span, into: &kept)
        #expect(kept == Self.keptPlaces)
        #expect(sampler.anchor?.coordinate == Self.fixes[9].coordinate)
    }

    @Test
    func `one by one the same fixes are kept`() {
        var sampler = DistanceSampler(DistanceFilter())
        #expect(Self.fixes.indices.filter { sampler.keeps(Self.fixes[$0]) } == Self.keptPlaces)
    }

    @Test(arguments: [1, 2, 3, 7])
    func `however the track is cut into batches, the same fixes are kept`(_ length: Int) {
        var sampler = DistanceSampler(DistanceFilter())
        var kept: [Int] = []
        for start in stride(from: 0, to: Self.fixes.count, by: length) {
            var places: [Int] = []
            sampler.sample(Self.fixes[start..<min(start + length, Self.fixes.count)].span, into: &places)
            kept += places.map { $0 + start }
        }
        #expect(kept == Self.keptPlaces)
    }

    @Test
    func `an empty batch changes nothing`() {
        var sampler = DistanceSampler(DistanceFilter())
        var kept: [Int] = []
        sampler.sample([Fix]().span, into: &kept)
        #expect(kept.isEmpty)
        #expect(sampler == DistanceSampler(DistanceFilter()))
    }

    @Test
    func `behind an anchor the first fix is measured too`() {
        var sampler = DistanceSampler(DistanceFilter())
        sampler.anchor = DistanceAnchor(Self.fixes[0].coordinate)
        var kept: [Int] = []
        sampler.sample(Self.fixes.span, into: &kept)
        #expect(kept == Array(Self.keptPlaces.dropFirst()))
    }

    @Test
    func `over a long winding track the kept fixes are those of the rule and the exact distance`() {
        var numbers = SampleNumbers(state: 3)
        var (latitude, longitude) = (-33.9, 18.4)
        let fixes = (0..<20_000).map { second in
            latitude += numbers.signed() * 2e-4 + 1e-4
            longitude += numbers.signed() * 2e-4
            return Fix(
                time: Timestamp(secondsSince1970: Int64(second)),
                coordinate: Coordinate(latitude: latitude, longitude: longitude), speed: numbers.unit() * 40 - 1)
        }
        let filter = DistanceFilter()
        var last: Coordinate?
        let expected = fixes.indices.filter { index in
            let here = fixes[index].coordinate
            let isKept = last.map { filter.keeps(distance: $0.distance(to: here), speed: fixes[index].speed) } ?? true
            if isKept { last = here }
            return isKept
        }
        var sampler = DistanceSampler(filter)
        var kept: [Int] = []
        sampler.sample(fixes.span, into: &kept)
        #expect(kept == expected)
        #expect(expected.count > 500)
    }
}
