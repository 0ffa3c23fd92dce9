import TrackEngine

/// How many rows each owner has of a history, and in each of its devices.
struct RetentionShares {
    private struct Share {
        var size = 0
        var devices: [DeviceID: Int] = [:]
    }

    /// The device that loses rows next.
    typealias Largest = (device: DeviceID, owner: DeviceID, size: Int, surplus: Int)

    /// How many rows go in one step at the least.
    private static let smallestStep = 200

    private var shares: [DeviceID: Share] = [:]

    /// Whether no owner has any rows.
    var isEmpty: Bool { shares.isEmpty }

    /// Notes how many rows a device has.
    mutating func set(_ device: DeviceID, of owner: DeviceID, to size: Int) {
        var share = shares[owner, default: Share()]
        share.size += size - share.devices[device, default: 0]
        share.devices[device] = size > 0 ? size : nil
        shares[owner] = share.devices.isEmpty ? nil : share
    }

    /// The largest device of the owner with the largest share, and the size by which both exceed the next ones, or
    /// slightly more: an owner hardly larger than another does not lose all of it at once.
    var largest: Largest? {
        guard let (owner, rest) = Self.first(shares.map { ($0.key, $0.value.size) }), let share = shares[owner],
            let (device, others) = Self.first(share.devices.map { ($0.key, $0.value) })
        else { return nil }
        let size = share.devices[device, default: 0]
        return (device, owner, size, max(min(share.size - rest, size - others), Self.smallestStep))
    }

    /// The name with the largest size, of equal ones the first, and the next size behind it; 0 where there is none.
    private static func first(_ sizes: [(DeviceID, Int)]) -> (name: DeviceID, next: Int)? {
        var (largest, next) = ((DeviceID, Int)?.none, 0)
        for entry in sizes {
            guard let known = largest else {
                largest = entry
                continue
            }
            let isLarger = (entry.1, known.0.rawValue) > (known.1, entry.0.rawValue)
            next = max(next, isLarger ? known.1 : entry.1)
            if isLarger { largest = entry }
        }
        return largest.map { ($0.0, next) }
    }
}
