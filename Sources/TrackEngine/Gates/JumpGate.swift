/// Holds a fix back that lies far away after a silence, until a second one beside it confirms it: what a receiver says first
/// after a tunnel, or a network's guess, is often a place where nobody was.
struct JumpGate: Sendable, Hashable, BitwiseCopyable {
    /// How near the second fix must be to an object at rest, in metres; Miataru's figure.
    private static let confirmationRadius = 150.0
    /// How much farther it may be for each metre that the object makes meanwhile at the speed at which it came: a train is out
    /// of the radius before its next fix, and a slow source of everything that moves.
    private static let reach = 1.5

    /// In metres.
    private let distance: Double
    /// In nanoseconds.
    private let silence: Int64
    /// The fix that waits for its confirmation, or the last one of those that have got it while the silence goes on.
    private var candidate: Candidate?

    private struct Candidate: Hashable, BitwiseCopyable {
        let passage: Passage
        /// How fast the object came there from the last place that is sure, in m/s.
        let speed: Double

        func confirms(_ fix: Fix) -> Bool {
            let seconds = max(Double(fix.time.nanoseconds(since: passage.time)) / 1e9, 0)
            return passage.coordinate.distance(to: fix.coordinate) <= confirmationRadius + reach * speed * seconds
        }
    }

    /// The gate of a configuration; `nil` where it sets no distance.
    init?(_ configuration: RecordingConfiguration) {
        guard let distance = configuration.maximumJump else { return nil }
        self.distance = distance
        silence = configuration.maximumJumpAfter.saturatedNanoseconds
    }

    /// Whether a fix has to wait for its confirmation; if it does, it is what a later one may confirm.
    mutating func holds(_ fix: Fix, after last: Passage) -> Bool {
        let nanoseconds = fix.time.nanoseconds(since: last.time)
        let jump = last.coordinate.distance(to: fix.coordinate)
        guard nanoseconds >= silence, jump >= distance, !last.isAnywhere else {
            candidate = nil
            return false
        }
        let isConfirmed = candidate?.confirms(fix) ?? false
        candidate = Candidate(passage: Passage(fix), speed: jump / max(Double(nanoseconds) / 1e9, 1))
        return !isConfirmed
    }

    /// The fix that waits under another configuration goes on waiting.
    mutating func goOn(from other: JumpGate) { candidate = other.candidate }
}
