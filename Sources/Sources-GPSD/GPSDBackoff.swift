/// The wait before the next attempt to reach gpsd: doubling from `first` up to `most`.
///
/// With 1 s and 30 s: 1, 2, 4, 8, 16, 30, 30 … It starts again after a connection on which gpsd has sent data.
package struct GPSDBackoff: Sendable {
    private let first: Duration
    private let most: Duration
    private var next: Duration

    /// Creates a back-off before its first wait; `most` is at least `first`.
    package init(first: Duration, most: Duration) {
        self.first = first
        self.most = max(first, most)
        next = first
    }

    /// The wait after another failure.
    package mutating func wait() -> Duration {
        defer { next = min(most, next * 2) }
        return next
    }

    /// Starts again, after success.
    package mutating func reset() {
        next = first
    }
}
