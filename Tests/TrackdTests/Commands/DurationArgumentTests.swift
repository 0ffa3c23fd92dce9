import Testing
import TrackEngineAgent
import TrackEngineSettings

@Suite struct DurationArgumentTests {
    @Test(arguments: [
        ("90", 90_000), ("90s", 90_000), ("15m", 900_000), ("2h", 7_200_000), ("1d", 86_400_000), ("1.5h", 5_400_000),
        ("0.25", 250), (".5s", 500),
    ])
    func `a number with a unit is a duration`(text: String, milliseconds: Int) {
        #expect(DurationArgument(argument: text)?.duration == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "s", "0", "-5", "5x", "5 m", "1h30m", "nan", "inf", "1e3", "0x10", "1..5", ".", "٣s", "1000000d",
        "99999999999999999999999999",
    ])
    func `anything else is none`(text: String) {
        #expect(DurationArgument(argument: text) == nil)
    }
}
