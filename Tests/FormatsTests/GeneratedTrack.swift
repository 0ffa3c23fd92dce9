import TestSupport
import TrackEngine
import TrackEngineFiles

/// Records with odd and extreme values that a format must bear: the antimeridian, the poles, heights below the sea and beside
/// satellites, times between milliseconds, gaps, steps back, and anything unknown.
struct GeneratedTrack {
    private var random: SeededGenerator
    private var time: Timestamp
    private var number: UInt128 = 0

    /// - Parameters:
    ///   - seed: what all chance comes from.
    ///   - years: when the track may begin.
    init(seed: UInt64, years: ClosedRange<Int64>) {
        random = SeededGenerator(seed: seed)
        let year: Int64 = 31_556_952
        let begin = ((years.lowerBound - 1970) * year)...((years.upperBound - 1970) * year)
        time = Timestamp(
            secondsSince1970: Int64.random(in: begin, using: &random),
            nanoseconds: Int64.random(in: 0..<1_000_000_000, using: &random))
    }

    /// The next records, of one source.
    mutating func records(_ count: Int, source: SourceID) -> [RecordDraft] {
        (0..<count).map { _ in record(source) }
    }

    private mutating func record(_ source: SourceID) -> RecordDraft {
        number += 1
        // No two in the same millisecond: for NMEA that is one fix.
        time = time.advanced(
            by: pick([
                .seconds(1), .seconds(1), .milliseconds(100), .microseconds(1_001), .nanoseconds(1_000_001),
                .seconds(299), .seconds(301), .seconds(86_400), .seconds(-7),
            ]))
        return RecordDraft(
            id: RecordID(rawValue: number), fix: fix(), isMoving: chance(0.8),
            event: chance(0.1) ? .motionChange : nil, cause: .distance,
            activity: maybe(ActivityEstimate(pick(Activity.allCases), confidence: 80)), source: source,
            odometer: maybe(uniform(0...1e9)))
    }

    private mutating func fix() -> Fix {
        let altitude = maybe(pick([0, -0.000_4, -430.5, -11_034.25, 8_848.86, 35_786_000.125, uniform(-500...9_000)]))
        return Fix(
            time: time, coordinate: coordinate(), altitude: altitude,
            ellipsoidalAltitude: maybe((altitude ?? 100) + uniform(-107...86)),
            horizontalAccuracy: maybe(length(1e6)), verticalAccuracy: maybe(length(1e6)), speed: maybe(length(7_800)),
            speedAccuracy: maybe(length(100)), course: maybe(pick([0, 359.999_9, 180, uniform(0...359)])),
            courseAccuracy: maybe(length(180)), horizontalDilution: maybe(dilution()),
            positionDilution: maybe(dilution()),
            satellitesUsed: maybe(satellites()),
            satellitesVisible: maybe(satellites()), mode: maybe(pick(Fix.Mode.allCases)),
            status: maybe(pick(Fix.Status.allCases)), flags: chance(0.1) ? .simulated : [])
    }

    private mutating func coordinate() -> Coordinate {
        let latitude = pick([
            90, -90, 89.999_999_999_9, 0, -1e-12, 59.999_999_999_9, uniform(-90...90), uniform(-90...90),
        ])
        let longitude = pick([
            180, -180, 179.999_999_999_9, -179.999_999_999_9, 0, -1e-9, uniform(-180...180), uniform(-180...180),
        ])
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private mutating func length(_ most: Double) -> Double {
        pick([0, 0.000_4, 3.2, most, uniform(0...most)])
    }

    private mutating func uniform(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

    private mutating func dilution() -> Float { Float(uniform(0.5...50)) }

    private mutating func satellites() -> UInt8 { .random(in: 0...255, using: &random) }

    private mutating func chance(_ share: Double) -> Bool { uniform(0...1) < share }

    private mutating func maybe<Value>(_ value: Value) -> Value? { chance(0.7) ? value : nil }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}
