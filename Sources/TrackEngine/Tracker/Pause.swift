/// A period without tracking and sending.
public struct Pause: Sendable, Hashable {
    /// The time at which the pause began, by the machine's clock.
    public let since: Timestamp
    /// The time at which the pause ends by itself, by the machine's clock; absent if only ``Tracker/resume()`` ends it.
    public let end: Timestamp?

    package init(since: Timestamp, end: Timestamp?) {
        self.since = since
        self.end = end
    }
}

extension Pause: CustomStringConvertible {
    /// `paused until 2026-05-01T14:00:00Z`, or `paused until it is resumed`.
    public var description: String { "paused until \(end.map { $0.rfc3339(.seconds) } ?? "it is resumed")" }
}
