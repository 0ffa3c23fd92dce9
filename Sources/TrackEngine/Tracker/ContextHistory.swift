/// What a detector knew since when: a record may be decided long after its fix, and has the context of that fix.
package struct ContextHistory: Sendable {
    /// So many changes are remembered. The rule `deviation` keeps 256 fixes undecided; of more changes within them, records before
    /// the oldest one have its context.
    package static let limit = 32

    /// Contexts and the times from which on they hold, in the order in which they were noted.
    private var changes: [(since: Timestamp, context: RecordContext?)] = []

    /// Nothing is known.
    package init() {}

    /// The newest context.
    package var current: RecordContext? { changes.last?.context }

    /// Notes what is known at a fix of this time.
    package mutating func note(_ context: RecordContext?, at time: Timestamp) {
        guard context != current else { return }
        if changes.count == Self.limit { changes.removeFirst() }
        // Before the first change nothing was known.
        if changes.isEmpty { changes.append((Timestamp(nanosecondsSince1970: .min), nil)) }
        changes.append((time, context))
    }

    /// What is known at the start is taken to have held before, too.
    package mutating func begin(with context: RecordContext?) {
        changes = context.map { [(Timestamp(nanosecondsSince1970: .min), $0)] } ?? []
    }

    /// What held at a fix of this time.
    package func context(at time: Timestamp) -> RecordContext? {
        (changes.last { $0.since <= time } ?? changes.first)?.context
    }
}
