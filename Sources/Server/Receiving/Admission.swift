import TrackEngine

/// Lets so many requests in at a time that what they hold and cost stays bounded: a few for each sender, more for all.
final class Admission: Sendable {
    /// The most requests of one sender: one that is read, and one that arrives.
    static let requestsOfSender = 2
    /// The most requests of all senders, whose bodies may have 10 MiB each.
    static let requests = 8

    private let underWay = PthreadMutex([DeviceID: Int]())

    /// Whether another request of a sender may go on; then ``end(_:)`` has to follow.
    func begin(_ sender: DeviceID) -> Bool {
        underWay.withLock { underWay in
            guard underWay[sender, default: 0] < Self.requestsOfSender,
                underWay.values.reduce(0, +) < Self.requests
            else { return false }
            underWay[sender, default: 0] += 1
            return true
        }
    }

    /// A request of a sender has ended.
    func end(_ sender: DeviceID) {
        underWay.withLock { underWay in
            let left = underWay[sender, default: 1] - 1
            underWay[sender] = left > 0 ? left : nil
        }
    }
}
