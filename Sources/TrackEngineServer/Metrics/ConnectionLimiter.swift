import CoreMetrics
import HummingbirdCore

/// Limits the open connections, and reports their number.
struct ConnectionLimiter: AvailableConnectionsDelegate {
    private var limit: MaximumAvailableConnections
    private let open: Meter

    init(_ limit: MaximumAvailableConnections, _ open: Meter) {
        self.limit = limit
        self.open = open
    }

    mutating func connectionOpened() {
        limit.connectionOpened()
        open.increment()
    }

    mutating func connectionClosed() {
        limit.connectionClosed()
        open.decrement()
    }

    func isAcceptingNewConnections() -> Bool { limit.isAcceptingNewConnections() }
}
