import OwnTracksFormat
import Testing
import TrackEngine

@Suite("The two characters of a device on OwnTracks' map")
struct TrackerIDTests {
    @Test(arguments: [
        ("van_7", "n7"), ("7", "07"), ("Zürich", "ch"), ("ab", "ab"), ("日本", "日本"), ("-_-", "00"), ("a b-", "ab"),
    ])
    func `are the last two letters and digits of its name`(_ device: String, _ expected: String) {
        #expect(TrackerID.ofDevice(DeviceID(rawValue: device)) == expected)
    }

    @Test(arguments: [("JD", true), ("é7", true), ("J", false), ("JDX", false), ("a\u{1}", false)])
    func `can be chosen`(_ text: String, _ isSound: Bool) {
        #expect((TrackerID.problem(text) == nil) == isSound)
    }
}
