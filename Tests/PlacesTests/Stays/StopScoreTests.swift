import Testing
import TrackEngine
import TrackEnginePlaces
import TrackEngineTune

/// The short form of `Benchmarks/STOPS.md`: other seeds, fewer tracks.
@Suite struct StopScoreTests {
    @Test(arguments: [60.0, 180, 300])
    func `stops of labelled days are found`(duration: Double) throws {
        var score = StopScore()
        for scenario in Scenario.allCases {
            for seed: UInt64 in 201...201 {
                let track = scenario.track(seed: seed)
                let detection = try VisitAndTripDetector.detection(
                    of: ObservedTrack(track), VisitAndTripDetector.settings(stopAfter: duration))
                score.add(detection.stops, rests: track.rests, duration: duration)
                score.addTrips(detection.trips, of: track, duration: duration)
            }
        }
        #expect(score.f1 >= 0.97)
        #expect(score.arrivalError <= 10)
        #expect(score.departureError <= 10)
        #expect(score.splitTrips + score.joinedTrips <= score.trips / 50)
    }

    // MARK: The score itself

    private let rests = [
        TimeSpan(begin: 0, end: 400), TimeSpan(begin: 1000, end: 1200), TimeSpan(begin: 2000, end: 2400),
    ]

    @Test func `a stop that shares half of its time with a rest is found`() {
        var score = StopScore()
        score.add([TimeSpan(begin: 20, end: 380), TimeSpan(begin: 2000, end: 3000)], rests: rests, duration: 180)
        #expect(score.found == 1)  // 360 of 400
        #expect(score.missed == 1)  // 400 of 1000
        #expect(score.wrong == 1)
        #expect(score.arrivalErrors == [20])
        #expect(score.precision == 0.5 && score.recall == 0.5 && score.f1 == 0.5)
    }

    @Test func `a rest about as long as the duration is neither right nor wrong`() {
        var score = StopScore()
        score.add([TimeSpan(begin: 1000, end: 1200)], rests: rests, duration: 180)
        #expect(score.wrong == 0)
        #expect(score.missed == 2)
    }

    @Test func `a stop where labels are unsure is neither right nor wrong`() {
        var score = StopScore()
        let unsure = [TimeSpan(begin: 1300, end: 1900)]
        score.add([TimeSpan(begin: 1400, end: 1900)], rests: rests, unsure: unsure, duration: 180)
        #expect(score.wrong == 0)
    }

    @Test func `trips are split and joined`() {
        let track = LabelledTrack(name: "two trips", fixes: [], rests: rests)
        var score = StopScore()
        // At 120 s all three rests count: trips 400...1000 and 1200...2000.
        score.addTrips(
            [TimeSpan(begin: 400, end: 700), TimeSpan(begin: 700, end: 1000), TimeSpan(begin: 1200, end: 2000)],
            of: track,
            duration: 120)
        #expect((score.trips, score.splitTrips, score.joinedTrips) == (2, 1, 0))
        score.addTrips([TimeSpan(begin: 400, end: 2000)], of: track, duration: 120)
        #expect((score.trips, score.splitTrips, score.joinedTrips) == (4, 1, 1))
    }
}
