import TrackEngine

/// The number of rows of each owner in a history, and of each of its devices.
struct OwnerRowCounts {
    private struct Share {
        var size = 0
        var devices: [DeviceID: Int] = [:]
    }

    /// The device that loses rows next.
    typealias Largest = (device: DeviceID, owner: DeviceID, size: Int, surplus: Int)

    /// The least number of rows removed in one step.
    private var smallestStep = 200
    private var shares: [DeviceID: Share] = [:]

    /// No rows.
    init() {}

    /// The rows of devices by their owners; a device without an owner is its own.
    ///
    /// - Parameter owners: `nil` when they are unknown. All devices but the largest one are then counted as one
    ///   owner's, ``unknown``: if the largest device has still more rows, it belongs to the largest owner in any case.
    init(_ sizes: [DeviceID: Int], _ owners: [DeviceID: DeviceID]?) {
        if owners == nil { smallestStep = 1 }
        let largest = Self.first(sizes.map { ($0.key, $0.value) })?.name
        for (device, size) in sizes {
            let owner = owners.map { $0[device] ?? device } ?? (device == largest ? device : Self.unknown)
            set(device, of: owner, to: size)
        }
    }

    /// The name for the owner of devices whose owners are unknown. It is no device's name.
    static let unknown: DeviceID = ""

    /// Whether no owner has any rows.
    var isEmpty: Bool { shares.isEmpty }

    /// Sets the number of rows of a device.
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
        return (device, owner, size, max(min(share.size - rest, size - others), smallestStep))
    }

    /// The name with the largest size, the first one of equals, and the next size after it; 0 when there is none.
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
