package import TrackEngine

/// When to try to connect again: after each failure later, up to a limit, at a random moment before it, for ever.
package struct Reconnection: Sendable {
    private let backoff: Backoff
    /// Failures in a row.
    package private(set) var tried = 0
    private var hasSettled = false

    /// Waits as the formula says.
    package init(_ backoff: Backoff) {
        self.backoff = backoff
    }

    /// A record was acknowledged: the connection was good for something.
    package mutating func settled() {
        hasSettled = true
    }

    /// An attempt failed, or a connection ended; how long to wait.
    ///
    /// Only a connection that settled something makes the count start again, so that a broker which takes clients in
    /// and disconnects them at once is not tried in a tight loop; nor do two clients of one name that replace each
    /// other.
    package mutating func failed(
        _ kind: MQTTFailure.Kind, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if hasSettled, kind != .takenOver { tried = 0 }
        hasSettled = false
        tried += 1
        return backoff.wait(tried: tried, using: &generator)
    }
}
