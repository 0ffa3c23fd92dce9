/// Holds a fix back that lies far away after a silence, until a second one beside it confirms it: what a receiver says first
/// after a tunnel, or a network's guess, is often a place where nobody was.
struct JumpGate: Sendable, Hashable, BitwiseCopyable {
    /// How near the second fix must be, in metres; Miataru's figure.
    private static let confirmationRadius = 150.0

    /// In metres.
    private let distance: Double
    /// In nanoseconds.
    private let silence: Int64
    /// The fix that waits for its confirmation.
    private var held: Passage?

    /// The gate of a configuration; `nil` where it sets no distance.
    init?(_ configuration: RecordingConfiguration) {
        guard let distance = configuration.maximumJump else { return nil }
        self.distance = distance
        silence = configuration.maximumJumpAfter.saturatedNanoseconds
    }

    /// Whether a fix has to wait for its confirmation; if it does, it is what a later one may confirm.
    mutating func holds(_ fix: Fix, after last: Passage) -> Bool {
        let isJump =
            fix.time.nanoseconds(since: last.time) >= silence
            && last.coordinate.distance(to: fix.coordinate) >= distance
        let isConfirmed = held.map { $0.coordinate.distance(to: fix.coordinate) <= Self.confirmationRadius } ?? false
        held = isJump && !isConfirmed ? Passage(fix) : nil
        return held != nil
    }

    /// The fix that waits under another configuration goes on waiting.
    mutating func goOn(from other: JumpGate) { held = other.held }
}
