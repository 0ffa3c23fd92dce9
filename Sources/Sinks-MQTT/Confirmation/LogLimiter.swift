/// Logs one of many equal events per interval, and counts the others.
package struct LogLimiter: Sendable {
    private let interval: Duration
    private var last: Duration?
    private var untold = 0

    /// At most one event in the interval.
    package init(interval: Duration) {
        self.interval = interval
    }

    /// Notes events; returns how many to log now, including those not logged before, or `nil` to log none now.
    package mutating func note(_ count: Int, at now: Duration) -> Int? {
        untold += count
        if let last, now - last < interval { return nil }
        last = now
        defer { untold = 0 }
        return untold
    }
}
