/// Lets one of many equal events into the log in a while, and counts those between.
package struct LogLimit: Sendable {
    private let interval: Duration
    private var last: Duration?
    private var untold = 0

    /// At most one event in the interval.
    package init(interval: Duration) {
        self.interval = interval
    }

    /// Events happened; returns how many to log now, those included that were not logged before, or `nil` for not now.
    package mutating func note(_ count: Int, at now: Duration) -> Int? {
        untold += count
        if let last, now - last < interval { return nil }
        last = now
        defer { untold = 0 }
        return untold
    }
}
