/// How well detected stops and trips fit the labels, over any number of tracks.
public struct StopScore: Sendable, Hashable {
    /// Rests that were found.
    public private(set) var found = 0
    /// Rests that were not.
    public private(set) var missed = 0
    /// Stops that were none.
    public private(set) var wrong = 0
    /// How far each one found is off at its beginning, in seconds.
    public private(set) var arrivalErrors: [Double] = []
    /// How far each one found is off at its end, in seconds.
    public private(set) var departureErrors: [Double] = []
    /// Trips that there were.
    public private(set) var trips = 0
    /// Those of which two detected trips or more are parts.
    public private(set) var splitTrips = 0
    /// Detected trips that hold two or more.
    public private(set) var joinedTrips = 0

    /// Nothing scored yet.
    public init() {}

    /// The share of the stops found that were rests; 1 where none was found.
    public var precision: Double { found + wrong > 0 ? Double(found) / Double(found + wrong) : 1 }
    /// The share of the rests that were found; 1 where there were none.
    public var recall: Double { found + missed > 0 ? Double(found) / Double(found + missed) : 1 }
    /// The harmonic mean of both.
    public var f1: Double { precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0 }
    /// How many mistakes there are of any kind.
    public var mistakes: Int { missed + wrong + splitTrips + joinedTrips }

    /// How far arrivals are off in the median, in seconds; not a number where none was found.
    public var arrivalError: Double { arrivalErrors.median }
    /// How far departures are off in the median, in seconds; not a number where none was found.
    public var departureError: Double { departureErrors.median }

    /// Scores the stops of a track as ``StopMatching`` does.
    public mutating func add(
        _ stops: [TimeSpan], rests: [TimeSpan], unsure: [TimeSpan] = [], duration: Double
    ) {
        add(stops, StopMatching(stops, rests: rests, unsure: unsure, duration: duration))
    }

    /// Counts the stops of a track.
    public mutating func add(_ stops: [TimeSpan], _ matching: StopMatching) {
        missed += matching.missed.count
        for (stop, verdict) in zip(stops, matching.verdicts) {
            switch verdict {
            case .found(let rest):
                found += 1
                arrivalErrors.append(abs(stop.begin - rest.begin))
                departureErrors.append(abs(stop.end - rest.end))
            case .wrong: wrong += 1
            case .undecided: break
            }
        }
    }

    /// Scores the trips of a track against the ways between its long rests.
    ///
    /// - Parameters:
    ///   - detected: the trips that were detected.
    ///   - rests: all there were, in order.
    ///   - duration: how long a stop is at least, in seconds.
    public mutating func addTrips(_ detected: [TimeSpan], rests: [TimeSpan], duration: Double) {
        let truth = Self.trips(between: rests, of: 1.25 * duration)
        trips += truth.count
        splitTrips += truth.count { trip in detected.count { $0.overlap(trip) > 0.5 * $0.length } > 1 }
        joinedTrips += detected.count { one in truth.count { $0.overlap(one) > 0.5 * $0.length } > 1 }
    }

    /// Adds what was counted elsewhere.
    public mutating func add(_ other: StopScore) {
        found += other.found
        missed += other.missed
        wrong += other.wrong
        arrivalErrors += other.arrivalErrors
        departureErrors += other.departureErrors
        trips += other.trips
        splitTrips += other.splitTrips
        joinedTrips += other.joinedTrips
    }

    /// The ways between rests of a length or more. One with a rest in it that may count or not is left out, and so is one
    /// below a minute.
    private static func trips(between rests: [TimeSpan], of length: Double) -> [TimeSpan] {
        let long = rests.filter { $0.length >= length }
        return zip(long, long.dropFirst()).compactMap { first, second in
            let unsure = rests.contains {
                $0.begin >= first.end && $0.end <= second.begin && $0.length >= 0.64 * length
            }
            return unsure || second.begin - first.end < 60 ? nil : TimeSpan(begin: first.end, end: second.begin)
        }
    }
}

extension [Double] {
    /// The middle one; not a number for none.
    fileprivate var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
