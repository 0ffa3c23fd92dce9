internal import TrackEngine

/// When each fix of a replayed track is due: the fixes' own time, divided by the speed.
///
/// | fix time | speed | due after the start |
/// |---|---|---|
/// | 0 s | 10 | 0 |
/// | 1 s | 10 | 100 ms |
/// | 61 s | 10 | 6.1 s |
/// | 60 s (one back) | 10 | 6.1 s: at once |
/// | 62 s | 10 | 6.3 s |
///
/// A step back is due at once and does not delay the fixes after it: time continues from there. A step that would
/// take longer than a year is due after a year: a wrong date in a file may be centuries away, and no clock waits for
/// so long.
struct ReplaySchedule {
    private static let longestStep = Duration.seconds(365 * 86_400)

    private let speed: Double
    private var latest: Timestamp?
    private var elapsed = Duration.zero

    /// - Parameter speed: one of ``ReplayPace/speeds``.
    init(speed: Double) {
        self.speed = speed
    }

    /// How long after the first fix this one is due.
    mutating func due(_ time: Timestamp) -> Duration {
        if let latest, time > latest { elapsed += min(Self.longestStep, time.duration(since: latest) / speed) }
        latest = time
        return elapsed
    }
}

/// Moves the times of a track that is replayed again and again, so that they go on forward.
///
/// Each round follows the one before it by the track's last step forward: a track of 0, 1, 2 s goes on with 3, 4, 5 s.
struct ReplayLoop {
    private var shift = Duration.zero
    private var earliest: Timestamp?
    private var latest: Timestamp?
    private var step = Duration.seconds(1)

    /// The time of a fix in this round.
    mutating func time(_ time: Timestamp) -> Timestamp {
        if let latest, time > latest { step = time.duration(since: latest) }
        earliest = min(earliest ?? time, time)
        latest = max(latest ?? time, time)
        return time.advanced(by: shift)
    }

    /// Begins the next round; false where the one before had no fix, and another would have none either.
    mutating func beginRound() -> Bool {
        guard let earliest, let latest else { return false }
        shift += latest.duration(since: earliest) + step
        (self.earliest, self.latest) = (nil, nil)
        return true
    }
}
