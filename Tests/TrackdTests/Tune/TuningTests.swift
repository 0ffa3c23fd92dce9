import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTune

/// Tuning as an embedder does it, beside what the command makes of the same track.
@Suite struct TuningTests {
    @Test func `fixes give the outcomes and recommendations that the command gives`() throws {
        let wishes: [Recommendation.Target] = [.error(10)]
        let tuning = try Tuning(of: SampleTrack.fixes, wishes: wishes)
        let command = try SampleTrack.tuning(wishes)
        #expect(tuning.outcomes.map(\.rule) == command.outcomes.map(\.rule))
        #expect(tuning.outcomes.map(\.error) == command.outcomes.map(\.error))
        #expect(tuning.recommendations.map(\.best?.rule) == command.recommendations.map(\.best?.rule))
    }

    /// Both fixes of the second track are six minutes apart, which is no recording.
    @Test func `fewer than two fixes within five minutes are refused, and it is said how many there were`() {
        for (fixes, usable) in [([], 0), ([SampleTrack.fix(0, north: 0, east: 0), .late], 2)] {
            let error = #expect(throws: TuningError.self) { try Tuning(of: fixes, wishes: []) }
            expectMessage(error?.description, as: "\(usable) fixes of use")
        }
    }

    @Test func `the summary has the recommendation, the reason and the lines for a configuration file`() throws {
        let summary = try Tuning(of: SampleTrack.fixes, wishes: [.error(10)]).summary
        let best = try #require(try SampleTrack.tuning([.error(10)]).recommendations[0].best)
        #expect(summary.hasPrefix("For at most 10 m of error: \(best.rule.label)\n"))
        #expect(summary.contains("    tracking:\n      record: \(best.rule.kind.rawValue)\n"))
        #expect(try Tuning(of: SampleTrack.fixes, wishes: []).summary.isEmpty)
    }

    /// Full fixes, as those that the averages were taken of.
    @Test(arguments: [1, 10, 250])
    func `the estimated bytes are within a fifth of what the sinks' encoders make`(batchSize: Int) throws {
        var estimate: any TransferMeter = EstimateMeter(batchSize: batchSize)
        var real: any TransferMeter = try WireMeter(device: "track", batchSize: batchSize)
        for second in 0..<500 {
            let fix = Fix(
                time: SampleTrack.start.advanced(by: .seconds(second)),
                coordinate: Coordinate(latitude: 52.520_012_835, longitude: 13.405_007_091), altitude: 38.743,
                ellipsoidalAltitude: 78.743, horizontalAccuracy: 3.338, verticalAccuracy: 5.345, speed: 2.366,
                speedAccuracy: 0.196, course: 300.464, courseAccuracy: 4.746)
            for case .record(let plan) in [fix].track(RecordingConfiguration()).decisions.map(\.decision) {
                estimate.add(fix, plan)
                real.add(fix, plan)
            }
        }
        let (guess, exact) = (estimate.finish(), real.finish())
        for wire in Wire.allCases {
            #expect(exact[wire] > 0)
            #expect(abs(Double(guess[wire]) / Double(exact[wire]) - 1) < 0.2, "\(wire): \(guess[wire]), \(exact[wire])")
        }
    }
}

extension Fix {
    fileprivate static let late = SampleTrack.fix(360, north: 100, east: 0)
}
