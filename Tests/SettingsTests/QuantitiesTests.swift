import Testing
import TrackEngine
import TrackEngineSettings

/// Quantities in texts for people.
@Suite struct QuantitiesTests {
    @Test(arguments: [
        (-5.0, "0 s"), (0, "0 s"), (0.9, "0 s"), (59.9, "59 s"), (60, "1 min"), (61, "1 min 1 s"),
        (3599, "59 min 59 s"), (3600, "1 h"), (3659, "1 h"), (3660, "1 h 1 min"), (86_399, "23 h 59 min"),
        (86_400, "1 d"), (89_999, "1 d"), (90_000, "1 d 1 h"), (8_640_000, "100 d"),
    ])
    func `a duration is told in its two largest units, cut and not rounded`(_ seconds: Double, _ text: String) {
        #expect(Duration.seconds(seconds).spoken == text)
    }

    @Test(arguments: [
        (0.0, 0, "0"), (0, 2, "0.00"), (1.5, 2, "1.50"), (2.5, 0, "3"), (-2.5, 0, "-3"), (1, 3, "1.000"),
        (0.125, 2, "0.13"), (-0.125, 2, "-0.13"), (1.999, 2, "2.00"), (123.456, 1, "123.5"),
        (.infinity, 1, "null"), (.nan, 0, "null"),
    ])
    func `a number has exactly so many decimals, halves go away from zero`(
        _ number: Double, _ decimals: Int, _ text: String
    ) {
        #expect(number.fixed(decimals) == text)
    }

    @Test(arguments: [
        (1, "record", "1 record"), (0, "record", "0 records"), (2, "fix", "2 fixes"), (1, "fix", "1 fix"),
        (-1, "day", "-1 days"),
    ])
    func `a count has its noun in the plural, but for one`(_ count: Int, _ noun: String, _ text: String) {
        #expect(count.counted(noun) == text)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_549, "1.5 kB"), (1_550, "1.6 kB"), (1_000_000, "1.0 MB"),
        (512_000_000_000, "512.0 GB"), (1_000_000_000_000, "1.0 TB"), (5_000_000_000_000_000, "5000.0 TB"),
    ])
    func `a size is in powers of 1000, bytes without decimals`(_ bytes: Int64, _ text: String) {
        #expect(bytes.asBytes == text)
    }

    @Test(arguments: [
        (50.0875, 14.4213, "50.087500 N 14.421300 E"), (-33.9, 151.25, "33.900000 S 151.250000 E"),
        (0, -0.5, "0.000000 N 0.500000 W"), (-90, -180, "90.000000 S 180.000000 W"),
    ])
    func `a position is told with its halves of the earth and without a sign`(
        _ latitude: Double, _ longitude: Double, _ text: String
    ) {
        #expect(Coordinate(latitude: latitude, longitude: longitude).spoken == text)
    }
}
