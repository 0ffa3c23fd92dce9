import TrackEngine
import TrackEnginePlaces

let seeds: ClosedRange<UInt64> = CommandLine.arguments.contains("tune") ? 101...106 : 1...6
let verbose = CommandLine.arguments.contains("-v")
for duration in [60.0, 180, 300] {
    var total = StopScore()
    for scenario in Scenario.allCases {
        var score = StopScore()
        for seed in seeds {
            let track = scenario.track(seed: seed)
            let observed = ObservedTrack(track)
            let detection = try StayAndTripDetector.detection(of: observed, StayAndTripDetector.settings(stopAfter: duration))
            var one = StopScore()
            one.add(detection.stops, rests: track.rests, duration: duration)
            one.addTrips(detection.trips, of: track, duration: duration)
            score.add(one)
            if verbose, one.missed + one.wrong + one.splitTrips + one.joinedTrips > 0 {
                print("   ", track.name, "missed", one.missed, "wrong", one.wrong)
                let t0 = track.fixes[0].time.seconds
                print("      rests", track.rests.filter { $0.length >= 0.6 * duration }.map { "\(Int($0.begin - t0))-\(Int($0.end - t0))" })
                print("      stops", detection.stops.map { "\(Int($0.begin - t0))-\(Int($0.end - t0))" })
                print("      trips", detection.trips.map { "\(Int($0.begin - t0))-\(Int($0.end - t0))" })
            }
        }
        total.add(score)
        print(duration, scenario.rawValue, "found", score.found, "missed", score.missed, "wrong", score.wrong, "arr", score.arrivalErrors.median, "dep", score.departureErrors.median, "trips", score.trips, "split", score.splitTrips, "joined", score.joinedTrips)
    }
    print(duration, "TOTAL P", total.precision, "R", total.recall, "F1", total.f1, "arr", total.arrivalErrors.median, "dep", total.departureErrors.median, "trips", total.trips, total.splitTrips, total.joinedTrips)
}
