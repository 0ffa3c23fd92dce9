import TrackEngineTune

/// What a detector made of all tracks of a kind, at a duration.
struct Cell: Hashable {
    let detector: String
    let kind: String
    let duration: Double
}

/// The scores of all detectors, and what one of them got wrong.
struct ScoreBook {
    /// Whose mistakes are written down.
    let detector: String
    private(set) var scores: [Cell: StopScore] = [:]
    private(set) var worst: [String] = []

    init(detector: String) { self.detector = detector }

    mutating func add(
        _ detection: Detection, _ detector: String, _ kind: String, _ track: LabelledTrack, _ duration: Double
    ) {
        var score = StopScore()
        score.add(detection.stops, rests: track.rests, unsure: track.unsure, duration: duration)
        score.addTrips(detection.trips, of: track, duration: duration)
        scores[Cell(detector: detector, kind: kind, duration: duration), default: StopScore()].add(score)
        guard detector == self.detector, score.missed + score.wrong + score.splitTrips + score.joinedTrips > 0 else {
            return
        }
        let start = track.fixes.first?.time.seconds ?? 0
        func text(_ spans: [TimeSpan]) -> String {
            spans.map { "\(Int($0.begin - start))-\(Int($0.end - start))" }.joined(separator: " ")
        }
        let rests = track.rests.filter { $0.length >= 0.64 * duration }
        worst.append(
            "\(Int(duration)) s, \(track.name): \(score.missed) missed, \(score.wrong) wrong, \(score.splitTrips) split, "
                + "\(score.joinedTrips) joined; rests \(text(rests)); stops \(text(detection.stops))")
    }

    /// Trips of those who have only stops: the ways between them.
    static func ways(between stops: [TimeSpan]) -> [TimeSpan] {
        zip(stops, stops.dropFirst()).map { TimeSpan(begin: $0.end, end: $1.begin) }
    }
}
