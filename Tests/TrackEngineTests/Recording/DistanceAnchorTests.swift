import Testing
import TrackEngine

/// The anchor's answers are those of `Coordinate.distance(to:)`, whatever way they are found.
@Suite struct DistanceAnchorTests {
    /// Ten million pairs with optimisation; without it the same kinds of pairs, fewer of each.
    #if DEBUG
        static let pairs = 100_000
    #else
        static let pairs = 10_000_000
    #endif

    /// Pairs of positions and a number of metres about which to ask.
    struct Question {
        let from: Coordinate
        let to: Coordinate
        let metres: Double
    }

    private static func differs(_ question: Question) -> Bool {
        let distance = question.from.distance(to: question.to)
        let anchor = DistanceAnchor(question.from)
        return anchor.isFarther(question.to, than: question.metres) != (distance > question.metres)
            || anchor.isAtLeast(question.to, question.metres) != (distance >= question.metres)
    }

    private static func differences(in count: Int, _ make: (inout SampleNumbers) -> Question) -> [Question] {
        var numbers = SampleNumbers(state: 7)
        var found: [Question] = []
        for _ in 0..<count where found.count < 5 {
            let question = make(&numbers)
            if differs(question) { found.append(question) }
        }
        return found
    }

    @Test
    func `anywhere on Earth, at any distance, the decision is that of the exact distance`() {
        let found = Self.differences(in: Self.pairs / 4) { numbers in
            let from = numbers.coordinate()
            // Degrees from a millionth to hundreds, as likely small as large.
            let reach = numbers.magnitude(1e-7, 400)
            let to = Coordinate(
                latitude: min(90, max(-90, from.latitude + numbers.signed() * reach)),
                longitude: min(180, max(-180, from.longitude + numbers.signed() * reach)))
            return Question(from: from, to: to, metres: numbers.magnitude(1e-4, 1e6))
        }
        #expect(found.isEmpty, "\(found)")
    }

    @Test
    func `within a hair of the threshold, the decision is that of the exact distance`() {
        let found = Self.differences(in: Self.pairs / 2) { numbers in
            let (from, to) = numbers.nearPair()
            // The threshold is the distance itself, or off it by a part in 10^16 up to one in ten.
            let offset = numbers.signed() * numbers.magnitude(1e-16, 0.1)
            let distance = from.distance(to: to)
            return Question(from: from, to: to, metres: numbers.unit() < 0.1 ? distance : distance * (1 + offset))
        }
        #expect(found.isEmpty, "\(found)")
    }

    @Test
    func `near the poles, across the antimeridian and at the edge of the plane's reach nothing is different`() {
        let found = Self.differences(in: Self.pairs / 4) { numbers in
            let polar = Coordinate(
                latitude: (90 - numbers.magnitude(1e-9, 3)) * (numbers.unit() < 0.5 ? 1 : -1),
                longitude: numbers.signed() * 180)
            let seam = Coordinate(latitude: numbers.signed() * 80, longitude: 180 - numbers.magnitude(1e-9, 0.01))
            let from = numbers.unit() < 0.5 ? polar : seam
            let reach = numbers.magnitude(1e-7, 1)
            var longitude = from.longitude + numbers.signed() * reach
            if longitude > 180 { longitude -= 360 }
            let latitude = min(90, max(-90, from.latitude + numbers.signed() * reach))
            let to = Coordinate(latitude: latitude, longitude: longitude)
            let near = from.distance(to: to) * (1 + numbers.signed() * numbers.magnitude(1e-12, 0.1))
            return Question(from: from, to: to, metres: numbers.unit() < 0.5 ? near : numbers.magnitude(18_000, 21_000))
        }
        #expect(found.isEmpty, "\(found)")
    }

    static let strangeNumbers: [Double] = [
        -.infinity, -16, -0.0, 0, .leastNonzeroMagnitude, 1e-9, 16, 1e9, .greatestFiniteMagnitude, .infinity, .nan,
    ]

    @Test(arguments: strangeNumbers)
    func `a threshold that makes no sense gets the answer of the comparison`(_ metres: Double) {
        let from = Coordinate(latitude: 52, longitude: 13)
        for east in [0, 1e-12, 1e-6, 0.001, 0.2, 90, 180, -200, .nan, .infinity] {
            let to = Coordinate(latitude: 52, longitude: 13 + east)
            #expect(!Self.differs(Question(from: from, to: to, metres: metres)))
        }
    }

    @Test
    func `an anchor that is no position measures what the exact distance measures`() {
        for latitude in [90, -90, 90.000001, 135, 270, .nan, .infinity] {
            let from = Coordinate(latitude: latitude, longitude: 0)
            let to = Coordinate(latitude: latitude - 0.0001, longitude: 0.0001)
            #expect(!Self.differs(Question(from: from, to: to, metres: 11)))
            #expect(!Self.differs(Question(from: from, to: from, metres: 11)))
        }
    }
}

/// Numbers that look random and are the same in each run.
struct SampleNumbers {
    var state: UInt64

    /// From 0 up to 1.
    mutating func unit() -> Double {
        // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return Double((value ^ value >> 31) >> 11) / 0x1p53
    }

    /// From -1 up to 1.
    mutating func signed() -> Double { unit() * 2 - 1 }

    /// From one positive number to another, each order of magnitude equally likely; roughly, and without a logarithm.
    mutating func magnitude(_ low: Double, _ high: Double) -> Double {
        var value = low
        var steps = 0
        while value * 2 < high { (value, steps) = (value * 2, steps + 1) }
        let step = Int(unit() * Double(steps + 1))
        value = low
        for _ in 0..<step { value *= 2 }
        return min(high, value * (1 + unit()))
    }

    /// Anywhere on Earth.
    mutating func coordinate() -> Coordinate { Coordinate(latitude: signed() * 90, longitude: signed() * 180) }

    /// Two positions from a millimetre to about 20 km apart.
    mutating func nearPair() -> (Coordinate, Coordinate) {
        let from = Coordinate(latitude: signed() * 89.9, longitude: signed() * 179)
        let reach = magnitude(1e-8, 0.2)
        let to = Coordinate(
            latitude: min(90, max(-90, from.latitude + signed() * reach)), longitude: from.longitude + signed() * reach)
        return (from, to)
    }
}
