package import TrackEngine

/// Bounds the requests and bytes in progress: a few requests of each sender, and so many bytes of all bodies
/// together, packed and inflated ones. A slow sender holds only the bytes that have arrived, and blocks no other
/// sender.
package final class RequestLimiter: Sendable {
    /// The owner of a body.
    package enum Owner: Sendable, Hashable {
        case sender(DeviceID)
        /// An editor of the page.
        case editor
        /// It is not known yet.
        case anybody
    }

    /// The most requests of one sender: one that is read, and one that arrives.
    static let requestsOfSender = 2
    /// The most bytes of all bodies: the largest one, packed and inflated, and some of a usual size.
    package static let totalBytes = 72 << 20
    /// The share of them for owners with at most ``usualBytes``, so that a few owners with long bodies do not block
    /// others.
    package static let reservedBytes = 16 << 20
    /// The most bytes of an owner with bodies of a usual size: an hour of a phone has a quarter of them.
    static let usualBytes = 1 << 20
    /// The most bytes of all requests without a known token.
    static let bytesOfAnybody = 4 << 20

    private struct State: Sendable {
        var requests: [DeviceID: Int] = [:]
        var bytes: [Owner: Int] = [:]
        var total = 0
    }

    private let state = SystemMutex(State())

    /// An empty state.
    package init() {}

    /// Whether another request of a sender may go on; then ``end(_:)`` has to follow.
    package func begin(_ sender: DeviceID) -> Bool {
        state.withLock { state in
            guard state.requests[sender, default: 0] < Self.requestsOfSender else { return false }
            state.requests[sender, default: 0] += 1
            return true
        }
    }

    /// A request of a sender has ended.
    package func end(_ sender: DeviceID) {
        state.withLock { state in
            let left = state.requests[sender, default: 1] - 1
            state.requests[sender] = left > 0 ? left : nil
        }
    }

    /// Whether so many bytes more of a body may be held; then ``release(_:of:)`` has to follow.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - owner: the owner of the body.
    ///   - most: how many one may have in all.
    package func hold(_ count: Int, of owner: Owner, atMost most: Int) -> Bool {
        state.withLock { state in
            let own = state.bytes[owner, default: 0] + count
            let room = Self.totalBytes - (own > Self.usualBytes ? Self.reservedBytes : 0)
            guard own <= (owner == .anybody ? Self.bytesOfAnybody : most), state.total + count <= room else {
                return false
            }
            state.bytes[owner] = own
            state.total += count
            return true
        }
    }

    /// Bytes of a body are held no more.
    package func release(_ count: Int, of owner: Owner) {
        state.withLock { state in
            state.total -= count
            let left = state.bytes[owner, default: count] - count
            state.bytes[owner] = left > 0 ? left : nil
        }
    }
}
