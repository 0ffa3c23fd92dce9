package import TrackEngine

/// Lets in so much at a time that what it holds and costs stays bounded: a few requests for each sender, and so many bytes of all
/// bodies together, packed and inflated ones. A slow sender holds the bytes that have come and nobody's place.
package final class Admission: Sendable {
    /// Whose a body is.
    package enum Owner: Sendable, Hashable {
        case sender(DeviceID)
        /// Whoever changes something on the page.
        case editor
        /// It is not known yet.
        case anybody
    }

    /// The most requests of one sender: one that is read, and one that arrives.
    package static let requestsOfSender = 2
    /// The most bytes of all bodies: the largest one, packed and inflated, and some of a usual size.
    package static let totalBytes = 72 << 20
    /// How many of them are for those alone who have no more than ``usualBytes``, so that a few with long bodies keep nobody out.
    package static let reservedBytes = 16 << 20
    /// The most bytes of one whose bodies are of a usual size: an hour of a phone has a quarter of them.
    package static let usualBytes = 1 << 20
    /// The most bytes of one who shows no token.
    package static let bytesOfAnybody = 4 << 20

    private struct State: Sendable {
        var requests: [DeviceID: Int] = [:]
        var bytes: [Owner: Int] = [:]
        var total = 0
    }

    private let state = PthreadMutex(State())

    /// Nothing has come yet.
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
    ///   - owner: whose they are.
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
