import Foundation
import TrackEngine
import TrackEnginePlaces
import TrackEngineSimulated
import TrackEngineTune

/// Scores stops and trips and writes the table: `stops FILE SCRIPT [CORPUS]`; `stops tune` for the tuning
/// tracks, `stops alone` for many tracks without others, `stops alone held` for those that nobody has looked at.
let durations = [60.0, 180, 300]
let isTuning = CommandLine.arguments.contains("tune")
/// The researchers' tools take half a minute a track: with them there are two tracks of a kind, else twenty.
let isAlone = CommandLine.arguments.contains("alone")
let isHeldOut = CommandLine.arguments.contains("held")
let seeds: ClosedRange<UInt64> = isTuning ? 101...106 : isHeldOut ? 401...440 : isAlone ? 1...20 : 1...2

var kinds: [(kind: String, tracks: [LabelledTrack])] = Scenario.allCases.map { scenario in
    (scenario.rawValue, seeds.map { scenario.track(seed: $0) })
}
kinds.append(
    ("simulator, open sky", try seeds.map { try SimulatorTracks.track(seed: $0, noise: .openSky, name: "open sky") }))
kinds.append(("simulator, town", try seeds.map { try SimulatorTracks.track(seed: $0, noise: .urban, name: "urban") }))
/// From the folder of the repository, where `make` starts this.
let labels = "Benchmarks/StopLabels.json"
let corpus = CommandLine.arguments.dropFirst(3).first ?? ""
let recorded = isTuning ? [] : try RecordedTracks.tracks(in: corpus, labels: labels)
if !recorded.isEmpty { kinds.append(("recorded", recorded)) }

let observed = kinds.map { kind in kind.tracks.map { (track: $0, fixes: ObservedTrack($0)) } }
let ours = "TrackEngine"
var book = ScoreBook(detector: ours)

if CommandLine.arguments.contains("cost") {
    let fixes = observed[0].flatMap { $0.fixes.fixes }
    var best = Double.infinity
    for _ in 0..<50 {
        var detector = try VisitAndTripDetector(device: "van-7")
        let took = ContinuousClock().measure { for fix in fixes { detector.observe(fix) { _ in } } }
        best = min(best, took / .nanoseconds(1) / Double(fixes.count))
    }
    print("a fix costs", best, "ns; the detector has", MemoryLayout<VisitAndTripDetector>.size, "bytes")
    exit(0)
}

for (kind, tracks) in zip(kinds.map(\.kind), observed) {
    for (track, fixes) in tracks {
        for duration in durations {
            let settings = VisitAndTripDetector.settings(stopAfter: duration)
            book.add(try VisitAndTripDetector.detection(of: fixes, settings), ours, kind, track, duration)
            guard !isTuning, !isAlone else { continue }
            for rival in Rival.allCases {
                let stops = rival.stops(fixes.fixes, duration: duration)
                book.add(
                    Detection(stops: stops, trips: ScoreBook.ways(between: stops)), rival.rawValue, kind, track,
                    duration)
            }
        }
    }
}

if isTuning {
    for (kind, _) in kinds {
        for duration in durations {
            let score = book.scores[Cell(detector: ours, kind: kind, duration: duration)] ?? StopScore()
            print(
                Int(duration), kind, "F1", score.f1, "arrival", score.arrivalError, "departure",
                score.departureError)
        }
    }
    print(book.worst.joined(separator: "\n"))
    exit(0)
}

let everything = zip(kinds.map(\.kind), observed).flatMap { kind, tracks in
    tracks.map { (kind: kind, track: $0.track, fixes: $0.fixes.fixes) }
}
if isAlone {
    for duration in durations {
        let score = kinds.reduce(into: StopScore()) { sum, kind in
            sum.add(book.scores[Cell(detector: ours, kind: kind.kind, duration: duration)] ?? StopScore())
        }
        print(
            Int(duration), "s: precision", score.precision, "recall", score.recall, "F1", score.f1, "trips",
            score.trips,
            "split", score.splitTrips, "joined", score.joinedTrips)
    }
    for (kind, _) in kinds {
        for duration in durations {
            let score = book.scores[Cell(detector: ours, kind: kind, duration: duration)] ?? StopScore()
            print(
                "=\(Int(duration));\(kind);\(score.found);\(score.missed);\(score.wrong);"
                    + "\(score.splitTrips);\(score.joinedTrips);\(score.arrivalError);"
                    + "\(score.departureError)")
        }
    }
    print(book.worst.joined(separator: "\n"))
    exit(0)
}

let tools = ResearchTools(
    everything.map { ($0.track.name, $0.fixes) }, durations: durations,
    script: CommandLine.arguments.dropFirst(2).first ?? "Benchmarks/StopTools/run")
if tools.problem == nil {
    for (kind, track, _) in everything {
        for duration in durations {
            for tool in ResearchTools.names {
                let stops = tools.stops(tool, track.name, duration)
                book.add(Detection(stops: stops, trips: ScoreBook.ways(between: stops)), tool, kind, track, duration)
            }
        }
    }
}

var heldOut = durations.map { _ in StopScore() }
let heldOutSeeds: ClosedRange<UInt64> = 401...440
for scenario in Scenario.allCases {
    for seed in heldOutSeeds {
        let track = scenario.track(seed: seed)
        let fixes = ObservedTrack(track)
        for (index, duration) in durations.enumerated() {
            let settings = VisitAndTripDetector.settings(stopAfter: duration)
            let detection = try VisitAndTripDetector.detection(of: fixes, settings)
            heldOut[index].add(detection.stops, rests: track.rests, duration: duration)
            heldOut[index].addTrips(detection.trips, of: track, duration: duration)
        }
    }
}

let detectors = [ours] + Rival.allCases.map(\.rawValue) + (tools.problem == nil ? ResearchTools.names : [])
let report = StopsTable(
    kinds: kinds.map(\.kind), detectors: detectors, durations: durations, scores: book.scores, worst: book.worst,
    toolProblem: tools.problem, hasRecorded: !recorded.isEmpty, tracks: everything.count,
    fixes: everything.reduce(0) { $0 + $1.fixes.count }, heldOut: heldOut,
    heldOutTracks: Scenario.allCases.count * heldOutSeeds.count)
print(report.text)
if let path = CommandLine.arguments.dropFirst().first {
    try report.text.write(toFile: path, atomically: true, encoding: .utf8)
}
