/// The agreement of detected stops and trips with the labels, over any number of tracks.
public struct StopScore: Sendable, Hashable {
    /// The number of rests that were found.
    public private(set) var found = 0
    /// The number of rests that were not found.
    public private(set) var missed = 0
    /// The number of stops without a rest.
    public private(set) var wrong = 0
    /// The errors of the arrivals of found rests, in seconds.
    public private(set) var arrivalErrors: [Double] = []
    /// The errors of the departures of found rests, in seconds.
    public private(set) var departureErrors: [Double] = []
    /// The number of actual trips.
    public private(set) var trips = 0
    /// The number of actual trips that contain two detected trips or more.
    public private(set) var splitTrips = 0
    /// The number of detected trips that contain two actual trips or more.
    public private(set) var joinedTrips = 0

    /// An empty score.
    public init() {}

    /// The share of found stops that are rests; 1 if none was found.
    public var precision: Double { found + wrong > 0 ? Double(found) / Double(found + wrong) : 1 }
    /// The share of the rests that were found; 1 if there were none.
    public var recall: Double { found + missed > 0 ? Double(found) / Double(found + missed) : 1 }
    /// The harmonic mean of precision and recall.
    public var f1: Double { precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0 }
    /// The number of mistakes of any kind.
    public var mistakes: Int { missed + wrong + splitTrips + joinedTrips }

    /// The median error of arrivals, in seconds; not a number if none was found.
    public var arrivalError: Double { arrivalErrors.median }
    /// The median error of departures, in seconds; not a number if none was found.
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

    /// Scores the trips of a track against the time spans between its long rests.
    ///
    /// - Parameters:
    ///   - detected: the detected trips.
    ///   - rests: all actual rests, in order.
    ///   - duration: the shortest stop, in seconds.
    public mutating func addTrips(_ detected: [TimeSpan], rests: [TimeSpan], duration: Double) {
        let truth = Self.trips(between: rests, of: 1.25 * duration)
        trips += truth.count
        splitTrips += truth.count { trip in detected.count { $0.overlap(trip) > 0.5 * $0.length } > 1 }
        joinedTrips += detected.count { one in truth.count { $0.overlap(one) > 0.5 * $0.length } > 1 }
    }

    /// Adds another score.
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

    /// The time spans between rests of at least a length. Spans are left out if they contain a rest that may or may
    /// not count, of at least 0.64 times that length, or if they are below a minute.
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
    /// The median; not a number for an empty array.
    fileprivate var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
