/// Combines dead letters for the log: one line for many, at most one a minute.
package struct DeadLetterLog: Sendable, Hashable {
    /// The minimum time between two lines.
    package static let interval = Duration.seconds(60)

    /// The content of a log line.
    package struct Line: Sendable, Hashable {
        /// The number of records that became dead letters since the previous line.
        package let count: Int
        /// The reason why the last of them was refused.
        package let reason: String

        package init(count: Int, reason: String) {
            self.count = count
            self.reason = reason
        }
    }

    private var pending: Line?
    private var next: TrackInstant?

    package init() {}

    /// Adds records that became dead letters.
    package mutating func add(_ count: Int, reason: String) {
        pending = Line(count: (pending?.count ?? 0) + count, reason: reason)
    }

    /// Returns the line to write now; `nil` when there is none or it is too early.
    package mutating func line(at now: TrackInstant) -> Line? {
        if let next, now < next { return nil }
        guard let pending else { return nil }
        next = now.advanced(by: Self.interval)
        return rest(pending)
    }

    /// Returns the remaining line at the end.
    package mutating func last() -> Line? { pending.flatMap { rest($0) } }

    private mutating func rest(_ line: Line) -> Line {
        pending = nil
        return line
    }
}
