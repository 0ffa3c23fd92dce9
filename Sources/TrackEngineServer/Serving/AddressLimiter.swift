import NIOCore
import NIOSSL
import TrackEngine

/// Bounds the connections, and gives each address a share of them: one that only holds connections cannot block the
/// service for others.
///
/// When there is no place, or an address has its share, a connection is closed for the new one: the oldest one that
/// has not completed a request, of the address with the most of these. There may be many clients behind an address,
/// so only such connections have the small share of an eighth. Those that have completed a request have a share of
/// half, and one is closed only when there are no others: the one with the longest wait for its next request. Those
/// with a request in progress stay.
package final class AddressLimiter: Sendable {
    private struct Counts: Sendable {
        var count = 0
        /// Those that have not completed a request, the oldest first, with their numbers in the order of all.
        var new: [(number: Int, channel: any Channel)] = []
        /// Those that wait for another request, the longest wait first.
        var idle: [any Channel] = []

        /// How soon this address is the one to lose a connection.
        var rank: (Int, Int, Int) { (new.count, -(new.first?.number ?? 0), idle.count) }

        mutating func remove(_ channel: any Channel) {
            new.removeAll { $0.channel === channel }
            idle.removeAll { $0 === channel }
        }

        /// Removes the connection to close; it leaves its place when it is closed.
        mutating func removeOldest() -> (any Channel)? {
            if !new.isEmpty { return new.removeFirst().channel }
            return idle.isEmpty ? nil : idle.removeFirst()
        }
    }

    private struct State: Sendable {
        var count = 0
        var opened = 0
        var addresses: [[UInt8]: Counts] = [:]
    }

    private let limit: Int
    private let exempt: [NetworkRange]
    private let state = SystemMutex(State())

    /// The most connections of an address.
    private var share: Int { limit / 2 }
    /// The most connections of an address that have not completed a request.
    private var shareOfNew: Int { max(16, limit / 8) }

    /// - Parameters:
    ///   - limit: the most connections.
    ///   - exempt: the addresses of proxies, behind which there are many others.
    package init(limit: Int, exempt: [NetworkRange] = []) {
        self.limit = limit
        self.exempt = exempt
    }

    /// A connection's place in the share of its address.
    package struct Place: Sendable {
        fileprivate let shares: AddressLimiter
        fileprivate let group: [UInt8]
        fileprivate let channel: any Channel

        /// Sets whether a request has arrived without a reply yet.
        func isBusy(_ isBusy: Bool) {
            shares.state.withLock { state in
                state.addresses[group]?.remove(channel)
                if !isBusy { state.addresses[group]?.idle.append(channel) }
            }
        }

        /// Releases the place.
        func leave() {
            shares.state.withLock { state in
                state.count -= 1
                state.addresses[group]?.remove(channel)
                state.addresses[group]?.count -= 1
                if state.addresses[group]?.count == 0 { state.addresses[group] = nil }
            }
        }
    }

    /// A place for a connection; `nil` where no other connection can be closed for it.
    func take(for address: String, _ channel: any Channel) -> Place? {
        let group = NetworkRange.household(of: address)
        let isExempt = exempt.contains { $0.contains(address) }
        let (isTaken, oldest) = state.withLock { state -> (Bool, (any Channel)?) in
            let own = state.addresses[group] ?? Counts()
            let hasShare = !isExempt && (own.new.count >= shareOfNew || own.count >= share)
            var oldest: (any Channel)?
            if hasShare || state.count >= limit {
                let crowd = hasShare ? group : state.addresses.max { $0.value.rank < $1.value.rank }?.key
                oldest = crowd.flatMap { state.addresses[$0]?.removeOldest() }
                guard oldest != nil else { return (false, nil) }
            }
            state.count += 1
            state.opened += 1
            state.addresses[group, default: Counts()].count += 1
            state.addresses[group]?.new.append((state.opened, channel))
            return (true, oldest)
        }
        oldest?.closeAtOnce()
        return isTaken ? Place(shares: self, group: group, channel: channel) : nil
    }
}

extension Channel {
    /// Closes below TLS, whose orderly end would wait for the peer for seconds.
    fileprivate func closeAtOnce() {
        eventLoop.execute {
            // An error means that there is no TLS.
            let tls = try? self.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            if let tls { tls.close(promise: nil) } else { self.close(promise: nil) }
        }
    }
}
