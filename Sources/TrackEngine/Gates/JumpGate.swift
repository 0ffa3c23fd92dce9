/// Holds back a fix that lies far away after a silence, until a second one near it confirms it. A receiver's first fix
/// after a tunnel, or a network's estimate, is often at a position where the object never was.
struct JumpGate: Sendable, Hashable, BitwiseCopyable {
    /// The largest distance of the second fix from an object at rest, in metres; Miataru's figure.
    private static let confirmationRadius = 150.0
    /// The additional distance allowed for each metre that the object travels meanwhile at the speed of the jump. A
    /// train leaves the radius before its next fix; with a slow source every moving object does.
    private static let reach = 1.5

    /// In metres.
    private let distance: Double
    /// In nanoseconds.
    private let silence: Int64
    /// The fix that waits for its confirmation, or the last of the confirmed ones while the silence goes on.
    private var candidate: Candidate?

    private struct Candidate: Hashable, BitwiseCopyable {
        let passage: ReferenceFix
        /// The speed at which the object came there from the last certain position, in m/s.
        let speed: Double

        func confirms(_ fix: Fix) -> Bool {
            let seconds = max(Double(fix.time.nanoseconds(since: passage.time)) / 1e9, 0)
            return passage.coordinate.distance(to: fix.coordinate) <= confirmationRadius + reach * speed * seconds
        }
    }

    /// Creates the gate of a configuration; `nil` if it sets no distance.
    init?(_ configuration: RecordingConfiguration) {
        guard let distance = configuration.maximumJump else { return nil }
        self.distance = distance
        silence = configuration.maximumJumpAfter.saturatedNanoseconds
    }

    /// Returns whether a fix must wait for its confirmation. If so, a later fix may confirm it.
    mutating func holds(_ fix: Fix, after last: ReferenceFix) -> Bool {
        let nanoseconds = fix.time.nanoseconds(since: last.time)
        let jump = last.coordinate.distance(to: fix.coordinate)
        guard nanoseconds >= silence, jump >= distance, !last.isAnywhere else {
            candidate = nil
            return false
        }
        let isConfirmed = candidate?.confirms(fix) ?? false
        candidate = Candidate(passage: ReferenceFix(fix), speed: jump / max(Double(nanoseconds) / 1e9, 1))
        return !isConfirmed
    }

    /// Takes over the waiting fix of a gate under another configuration.
    mutating func goOn(from other: JumpGate) { candidate = other.candidate }
}
