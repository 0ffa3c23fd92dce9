/// How well detected stops fit the labels.
///
/// At a duration D every rest of at least 1.25 D is to be found, and none below 0.8 D is; what lies between is neither
/// right nor wrong. A stop is found if it shares half of its time with the rest (intersection over union), each with
/// one only. What fits no rest is false, unless it lies mostly in one of those between, or is itself shorter than 0.8 D.
struct StopScore: Sendable {
    var found = 0
    var missed = 0
    var wrong = 0
    /// Seconds, of each one found.
    var arrivalErrors: [Double] = []
    var departureErrors: [Double] = []
    var trips = 0
    var splitTrips = 0
    var joinedTrips = 0

    var precision: Double { found + wrong > 0 ? Double(found) / Double(found + wrong) : 1 }
    var recall: Double { found + missed > 0 ? Double(found) / Double(found + missed) : 1 }
    var f1: Double { precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0 }

    /// Scores the stops of a track.
    ///
    /// - Parameter unsure: stretches where a stop is neither right nor wrong.
    mutating func add(_ stops: [TimeSpan], rests: [TimeSpan], unsure: [TimeSpan] = [], duration: Double) {
        let wanted = rests.filter { $0.length >= 1.25 * duration }
        let either = unsure + rests.filter { $0.length >= 0.8 * duration && $0.length < 1.25 * duration }
        var open = stops.filter { $0.length >= 0.8 * duration }
        for rest in wanted {
            let fits = open.indices.filter { Self.share(open[$0], rest) >= 0.5 }
            guard let best = fits.max(by: { Self.share(open[$0], rest) < Self.share(open[$1], rest) }) else {
                missed += 1
                continue
            }
            let stop = open.remove(at: best)
            found += 1
            arrivalErrors.append(abs(stop.begin - rest.begin))
            departureErrors.append(abs(stop.end - rest.end))
        }
        wrong += open.count { stop in !either.contains { $0.overlap(stop) >= 0.5 * stop.length } }
    }

    /// Scores the trips between the rests that are to be found: split is one of which two trips or more are parts, joined
    /// a trip that holds two of them.
    mutating func addTrips(_ detected: [TimeSpan], of track: LabelledTrack, duration: Double) {
        let truth = track.trips(between: 1.25 * duration)
        trips += truth.count
        splitTrips += truth.count { trip in detected.count { $0.overlap(trip) > 0.5 * $0.length } > 1 }
        joinedTrips += detected.count { one in truth.count { $0.overlap(one) > 0.5 * $0.length } > 1 }
    }

    mutating func add(_ other: StopScore) {
        found += other.found
        missed += other.missed
        wrong += other.wrong
        arrivalErrors += other.arrivalErrors
        departureErrors += other.departureErrors
        trips += other.trips
        splitTrips += other.splitTrips
        joinedTrips += other.joinedTrips
    }

    private static func share(_ one: TimeSpan, _ other: TimeSpan) -> Double {
        let common = one.overlap(other)
        return common / (one.length + other.length - common)
    }
}

extension [Double] {
    /// The middle one; not a number for none.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

extension LabelledTrack {
    /// The ways between long rests. One with a rest in it that may count or not is left out.
    func trips(between length: Double) -> [TimeSpan] {
        let long = rests.filter { $0.length >= length }
        return zip(long, long.dropFirst()).compactMap { first, second in
            let unsure = rests.contains {
                $0.begin >= first.end && $0.end <= second.begin && $0.length >= 0.64 * length
            }
            return unsure || second.begin - first.end < 60 ? nil : TimeSpan(begin: first.end, end: second.begin)
        }
    }
}
