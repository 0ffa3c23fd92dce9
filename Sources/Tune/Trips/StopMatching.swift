/// Which of the stops that were found are those that there were.
///
/// At a duration D every rest of at least 1.25 D is to be found, and none below 0.8 D is; what lies between is neither
/// right nor wrong. A stop is found if it shares half of its time with the rest (intersection over union), each with
/// one only. What fits no rest is wrong, unless it lies mostly in one of those between or in a stretch of which nobody is
/// sure, or is itself shorter than 0.8 D.
public struct StopMatching: Sendable, Hashable {
    /// What a stop is.
    public enum Verdict: Sendable, Hashable {
        /// It is the rest.
        case found(TimeSpan)
        /// There was none.
        case wrong
        /// Neither right nor wrong.
        case undecided
    }

    /// What each stop is, in the order in which they were given.
    public private(set) var verdicts: [Verdict]
    /// The rests that no stop is.
    public private(set) var missed: [TimeSpan] = []

    /// Compares stops with rests.
    ///
    /// - Parameters:
    ///   - stops: what was detected, in the order of time.
    ///   - rests: all there were, however short.
    ///   - unsure: stretches where a stop is neither right nor wrong.
    ///   - duration: how long a stop is at least, in seconds.
    public init(_ stops: [TimeSpan], rests: [TimeSpan], unsure: [TimeSpan] = [], duration: Double) {
        verdicts = [Verdict](repeating: .undecided, count: stops.count)
        let either = unsure + rests.filter { $0.length >= 0.8 * duration && $0.length < 1.25 * duration }
        var open = stops.indices.filter { stops[$0].length >= 0.8 * duration }
        for rest in rests where rest.length >= 1.25 * duration {
            let fits = open.filter { stops[$0].share(with: rest) >= 0.5 }
            guard let best = fits.max(by: { stops[$0].share(with: rest) < stops[$1].share(with: rest) }) else {
                missed.append(rest)
                continue
            }
            open.removeAll { $0 == best }
            verdicts[best] = .found(rest)
        }
        for index in open {
            let stop = stops[index]
            if !either.contains(where: { $0.overlap(stop) >= 0.5 * stop.length }) { verdicts[index] = .wrong }
        }
    }
}
