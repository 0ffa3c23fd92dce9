public import Testing

/// Waits until a condition holds that no event announces, such as what another process does, by asking again and again.
///
/// Records an issue at the caller's place when the condition does not hold within the time, or can no longer come to hold.
/// The time is long, because a machine that is busy with other work is no failure.
///
/// - Parameters:
///   - description: what is waited for, as the end of the sentence "did not come about within 600 s: …"; asked for only then.
///   - limit: how long to ask; longer on a machine that stood still, which gets a hundred looks all the same.
///   - isHopeless: whether to stop asking, such as when the program that would bring the condition about has ended. The
///     condition is asked for once more afterwards.
///   - sourceLocation: where an issue is recorded; by default the caller's place.
///   - condition: what must hold; called again and again.
public func eventually(
    _ description: @autoclosure () -> String,
    within limit: Duration = .seconds(600),
    unless isHopeless: () -> Bool = { false },
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows {
    var patience = Patience(limit)
    var pause = Duration.milliseconds(2)
    var isLastLook = false
    while try await !condition() {
        guard !isLastLook else {
            Issue.record("can no longer come about: \(description())", sourceLocation: sourceLocation)
            return
        }
        guard patience.allowsAnotherLook(), !Task.isCancelled else {
            Issue.record("did not come about within \(limit): \(description())", sourceLocation: sourceLocation)
            return
        }
        isLastLook = isHopeless()
        try? await Task.sleep(for: pause)  // cancellation is seen by the guard above
        pause = min(pause * 2, .milliseconds(50))
    }
}

/// Asks until a condition holds, for what no event announces; returns whether it came to hold within the limit.
func comesAbout(within limit: Duration, _ condition: () async -> Bool) async -> Bool {
    var patience = Patience(limit)
    while await !condition() {
        guard patience.allowsAnotherLook() else { return false }
        try? await Task.sleep(for: .milliseconds(2))  // when cancelled, the time runs out all the same
    }
    return true
}

/// How long to look for what no event announces: until the time is over, and a hundred times at least.
///
/// The time alone is over after one look on a machine that stood still meanwhile.
struct Patience {
    private let end: ContinuousClock.Instant
    private var looks = 0

    init(_ limit: Duration) {
        end = ContinuousClock.now.advanced(by: limit)
    }

    /// Counts a look that was in vain; returns whether to look again.
    mutating func allowsAnotherLook() -> Bool {
        looks += 1
        return looks < 100 || ContinuousClock.now < end
    }
}
