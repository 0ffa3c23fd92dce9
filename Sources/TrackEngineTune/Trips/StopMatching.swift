/// Matches the stops that were found with the actual rests.
///
/// At a duration D every rest of at least 1.25 D must be found, and none below 0.8 D; those between are neither
/// right nor wrong. A stop is found if it shares half of its time with the rest (intersection over union), each with
/// only one. A stop that matches no rest is wrong, with three exceptions: it is mostly in a rest of a length
/// between, it is mostly in an unsure stretch, or it is itself shorter than 0.8 D.
public struct StopMatching: Sendable, Hashable {
    /// The verdict on a stop.
    public enum Result: Sendable, Hashable {
        /// The stop is this rest.
        case found(TimeSpan)
        /// There was no rest.
        case wrong
        /// Neither right nor wrong.
        case undecided
    }

    /// The verdict on each stop, in the order of the stops.
    public private(set) var verdicts: [Result]
    /// The rests without a matching stop.
    public private(set) var missed: [TimeSpan] = []

    /// Compares stops with rests.
    ///
    /// - Parameters:
    ///   - stops: the detected stops, in order of time.
    ///   - rests: all actual rests of any length.
    ///   - unsure: stretches where a stop is neither right nor wrong.
    ///   - duration: the shortest stop, in seconds.
    public init(_ stops: [TimeSpan], rests: [TimeSpan], unsure: [TimeSpan] = [], duration: Double) {
        verdicts = [Result](repeating: .undecided, count: stops.count)
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
