/// The contexts of a detector over time. A record may be decided long after its fix, and carries the context of that
/// fix.
package struct ContextHistory: Sendable {
    /// The maximum number of changes kept. The rule `deviation` keeps 256 fixes undecided; if the context changes more
    /// often within them, records before the oldest change get its context.
    package static let limit = 32

    /// Contexts and the times since which they are valid, in the order of their changes.
    private var changes: [(since: Timestamp, context: RecordContext?)] = []

    /// Creates a history without a known context.
    package init() {}

    /// The newest context.
    package var current: RecordContext? { changes.last?.context }

    /// Adds the context known at a fix of this time.
    package mutating func note(_ context: RecordContext?, at time: Timestamp) {
        guard context != current else { return }
        if changes.count == Self.limit { changes.removeFirst() }
        // Before the first change no context was known.
        if changes.isEmpty { changes.append((Timestamp(nanosecondsSince1970: .min), nil)) }
        changes.append((time, context))
    }

    /// Begins with the context known at the start, which is taken as valid before the start, too.
    package mutating func begin(with context: RecordContext?) {
        changes = context.map { [(Timestamp(nanosecondsSince1970: .min), $0)] } ?? []
    }

    /// Returns the context at a fix of this time.
    package func context(at time: Timestamp) -> RecordContext? {
        (changes.last { $0.since <= time } ?? changes.first)?.context
    }
}
