package import TrackEngine

/// Lets in so much at a time that what it holds and costs stays bounded: a few requests for each sender, and so many bytes of all
/// bodies together. A slow sender holds the bytes that have come and nobody's place.
package final class Admission: Sendable {
    /// The most requests of one sender: one that is read, and one that arrives.
    package static let requestsOfSender = 2
    /// The most bytes of all bodies that arrive: some of the largest, or many of a usual size.
    package static let arrivingBytes = 32 << 20
    /// The most bytes of all bodies that are read at a time; a body becomes points of ten times its size.
    package static let readBytes = 12 << 20

    private struct State: Sendable {
        var requests: [DeviceID: Int] = [:]
        var arriving = 0
        var reading = 0
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

    /// Whether so many bytes more of a body may be held; then ``release(arrived:)`` has to follow.
    package func hold(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.arriving + count <= Self.arrivingBytes else { return false }
            state.arriving += count
            return true
        }
    }

    /// Bytes of a body are held no more.
    package func release(arrived count: Int) { state.withLock { $0.arriving -= count } }

    /// Whether a body of so many bytes may be read now; then ``release(read:)`` has to follow. One alone may have any size.
    package func read(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.reading == 0 || state.reading + count <= Self.readBytes else { return false }
            state.reading += count
            return true
        }
    }

    /// A body has been read, and its points are kept.
    package func release(read count: Int) { state.withLock { $0.reading -= count } }
}
