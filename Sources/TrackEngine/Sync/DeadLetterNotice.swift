/// Gathers dead letters for the log: one line for many, at most one a minute.
package struct DeadLetterNotice: Sendable, Hashable {
    /// How long a line keeps the next one back.
    package static let interval = Duration.seconds(60)

    /// What a line says.
    package struct Line: Sendable, Hashable {
        /// How many records became dead letters since the line before.
        package let count: Int
        /// Why the last of them was refused.
        package let reason: String

        package init(count: Int, reason: String) {
            self.count = count
            self.reason = reason
        }
    }

    private var pending: Line?
    private var next: TrackInstant?

    package init() {}

    /// Records became dead letters.
    package mutating func add(_ count: Int, reason: String) {
        pending = Line(count: (pending?.count ?? 0) + count, reason: reason)
    }

    /// The line to write now; `nil` when there is none or it is too early.
    package mutating func line(at now: TrackInstant) -> Line? {
        if let next, now < next { return nil }
        guard let pending else { return nil }
        next = now.advanced(by: Self.interval)
        return rest(pending)
    }

    /// What is left to say at the end.
    package mutating func last() -> Line? { pending.flatMap { rest($0) } }

    private mutating func rest(_ line: Line) -> Line {
        pending = nil
        return line
    }
}
