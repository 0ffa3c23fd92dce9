package import TrackEngine

/// The waits between attempts to connect: longer after each failure up to a limit, random below it, without an end.
package struct ConnectBackoff: Sendable {
    private let backoff: Backoff
    /// Failures in a row.
    package private(set) var tried = 0
    private var hasSettled = false

    /// Waits according to the back-off.
    package init(_ backoff: Backoff) {
        self.backoff = backoff
    }

    /// Notes that a record was acknowledged, so the connection was useful.
    package mutating func settled() {
        hasSettled = true
    }

    /// Notes a failed attempt or an ended connection; returns the time to wait.
    ///
    /// Only a connection that settled a message resets the count. So a broker that accepts clients and disconnects
    /// them at once is not tried in a tight loop, and neither are two clients of one name that replace each other.
    package mutating func failed(
        _ kind: MQTTFailure.Kind, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if hasSettled, kind != .takenOver { tried = 0 }
        hasSettled = false
        tried += 1
        return backoff.wait(tried: tried, using: &generator)
    }
}
