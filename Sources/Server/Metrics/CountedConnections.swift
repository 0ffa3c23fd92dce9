import CoreMetrics
import HummingbirdCore

/// Says how many connections may be open, and tells how many are.
struct CountedConnections: AvailableConnectionsDelegate {
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
