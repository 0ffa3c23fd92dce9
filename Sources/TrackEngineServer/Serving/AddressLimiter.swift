import NIOCore
import TrackEngine

/// Gives each address a share of the connections: one that only holds connections cannot block the service for
/// others.
///
/// When an address has its full share, its connection with the longest wait for a request is closed; those with a
/// request in progress stay.
package final class AddressLimiter: Sendable {
    private struct Counts: Sendable {
        var count = 0
        /// Those without a complete request, the oldest first.
        var waiting: [any Channel] = []

        mutating func remove(_ channel: any Channel) { waiting.removeAll { $0 === channel } }
    }

    private let share: Int
    private let exempt: [NetworkRange]
    private let addresses = SystemMutex([[UInt8]: Counts]())

    /// - Parameters:
    ///   - share: the most connections of an address.
    ///   - exempt: the addresses of proxies, behind which there are many others.
    package init(of share: Int, exempt: [NetworkRange] = []) {
        self.share = share
        self.exempt = exempt
    }

    /// A connection's place in the share of its address.
    package struct Place: Sendable {
        fileprivate let shares: AddressLimiter
        fileprivate let group: [UInt8]
        fileprivate let channel: any Channel

        /// Sets whether a request has arrived without a reply yet.
        func isBusy(_ isBusy: Bool) {
            shares.change(group) { connections in
                connections.remove(channel)
                if !isBusy { connections.waiting.append(channel) }
            }
        }

        /// Releases the place.
        func leave() {
            shares.change(group) { connections in
                connections.remove(channel)
                connections.count -= 1
            }
        }
    }

    /// A place for a connection; `nil` where the address has its full share, with requests in progress on all of it.
    func take(for address: String, _ channel: any Channel) -> Place? {
        let group = NetworkRange.household(of: address)
        let isExempt = exempt.contains { $0.contains(address) }
        let (isTaken, oldest) = addresses.withLock { addresses -> (Bool, (any Channel)?) in
            var connections = addresses[group, default: Counts()]
            var oldest: (any Channel)?
            if connections.count >= share, !isExempt {
                guard !connections.waiting.isEmpty else { return (false, nil) }
                // It leaves its own place when it is closed.
                oldest = connections.waiting.removeFirst()
            }
            connections.count += 1
            connections.waiting.append(channel)
            addresses[group] = connections
            return (true, oldest)
        }
        oldest?.close(promise: nil)
        return isTaken ? Place(shares: self, group: group, channel: channel) : nil
    }

    private func change(_ group: [UInt8], _ body: (inout Counts) -> Void) {
        addresses.withLock { addresses in
            guard var connections = addresses[group] else { return }
            body(&connections)
            addresses[group] = connections.count > 0 ? connections : nil
        }
    }
}
