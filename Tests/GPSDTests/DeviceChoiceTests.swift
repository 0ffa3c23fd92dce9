import GPSDProtocol
import Testing
import TrackEngine

@Suite("Which receiver counts")
struct DeviceChoiceTests {
    private func report(_ device: String?, hasFix: Bool = true, hasTime: Bool = true) -> PositionReport {
        var report = PositionReport()
        report.device = device
        report.time = hasTime ? Timestamp(secondsSince1970: 1) : nil
        report.mode = hasFix ? .twoDimensional : nil
        report.coordinate = hasFix ? Coordinate(latitude: 48, longitude: 11) : nil
        return report
    }

    @Test
    func `a configured receiver is the only one, however silent it is`() {
        var choice = DeviceChoice(device: "a", patience: .seconds(10))
        #expect(choice.configured == "a")
        #expect(choice.takes(report("a"), at: .zero) == true)
        #expect(choice.takes(report("b"), at: .seconds(1000)) == false)
        choice.remove("a")
        #expect(choice.takes(report("b"), at: .seconds(2000)) == false)
        #expect(!choice.isCandidate("b"))
    }

    @Test
    func `the first that delivers is followed until it has been silent for longer than the patience`() {
        var choice = DeviceChoice(device: nil, patience: .seconds(10))
        #expect(choice.isCandidate("a") && choice.isCandidate("b"))
        #expect(choice.takes(report("a"), at: .zero) == true)
        #expect(choice.takes(report("b"), at: .seconds(10)) == false)
        #expect(choice.takes(report("b"), at: .milliseconds(10_001)) == true)
        #expect(!choice.isCandidate("a"))
    }

    @Test(arguments: [true, false])
    func `what is no fix is heard of any candidate, and makes none the followed one`(hasTime: Bool) {
        var choice = DeviceChoice(device: nil, patience: .seconds(10))
        let nothing = report("a", hasFix: !hasTime, hasTime: hasTime)
        #expect(choice.takes(nothing, at: .zero) == true)
        #expect(choice.takes(report("b"), at: .seconds(1)) == true)
        #expect(choice.takes(nothing, at: .seconds(2)) == false)
        #expect(choice.takes(report("b", hasFix: false), at: .seconds(9)) == true)
        #expect(choice.takes(report("a"), at: .seconds(12)) == true)  // b has had no fix for eleven seconds
    }

    @Test func `a report without a name is the followed receiver's`() {
        for names in [["a", nil, "a"], [nil, "a", nil]] {
            var choice = DeviceChoice(device: nil, patience: .seconds(10))
            for (second, name) in names.enumerated() {
                #expect(choice.takes(report(name), at: .seconds(second)) == true)
                #expect(choice.isCandidate(nil))
            }
            #expect(choice.takes(report("b"), at: .seconds(5)) == false)
        }
    }

    @Test(arguments: [
        Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 91, longitude: 181),
        Coordinate(latitude: 48, longitude: 0),
    ])
    func `an impossible position makes no receiver the followed one`(_ place: Coordinate) {
        var choice = DeviceChoice(device: nil, patience: .seconds(10))
        var impossible = report("a")
        impossible.coordinate = place
        _ = choice.takes(impossible, at: .zero)
        #expect(choice.takes(report("b"), at: .seconds(1)) == true)
    }

    @Test
    func `a receiver that goes leaves the choice open; that of another changes nothing`() {
        var choice = DeviceChoice(device: nil, patience: .seconds(10))
        #expect(choice.takes(report("a"), at: .zero) == true)
        choice.remove("b")
        #expect(choice.takes(report("b"), at: .seconds(1)) == false)
        choice.remove("a")
        #expect(choice.takes(report("b"), at: .seconds(2)) == true)
    }
}
