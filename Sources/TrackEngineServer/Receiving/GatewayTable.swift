package import TrackEngine
package import TrackEngineHistory

/// The gateways of devices: a device's history counts to the share of the gateway that named it, and no other gateway
/// writes there while that one may send.
///
/// Devices that were in the history before the first such name was kept are an exception: several gateways may have
/// sent for one of them, so the second gateway that names it is not refused. The device then has a share of its own.
///
/// A file next to the history keeps the names, encrypted when the history is. Each start removes names without
/// history.
package actor GatewayTable {
    /// The most devices of one gateway: more would slow each look at all devices down.
    package static let devicesOfGateway = 5_000
    private static let fileName = "gateways.json"
    private static let maximumSize = 16 << 20

    private struct Saved {
        let file: EncryptedHistoryFile
        /// The gateway of each device, or ``GatewayTable/several``.
        var gateways: [DeviceID: DeviceID]
        /// The devices that were in the history before any was claimed.
        let earlier: Set<DeviceID>
    }

    /// In place of a gateway's name: more than one gateway has sent for the device. It is no gateway's name.
    private static let several: DeviceID = ""

    private let path: String
    private var kept: Saved?

    /// The file of a directory, which is read when it is needed first.
    package init(in directory: String) { path = "\(directory)/\(Self.fileName)" }

    /// The gateways of the devices that they have named.
    package func gateways(in history: TrackHistory) async throws(StoreError) -> [DeviceID: DeviceID] {
        try await opened(history).gateways.filter { $0.value != Self.several }
    }

    /// Gives names to a sender: its own name, even if a gateway had it, and other names that no other present gateway
    /// has, up to the limit. A device of before is not refused to another gateway either.
    ///
    /// - Parameters:
    ///   - names: the names that it wants to write under.
    ///   - sender: the sender of the request.
    ///   - history: the history that is written.
    ///   - isSender: whether another gateway may still send.
    /// - Returns: the names that it may write under, once that is on the disk.
    package func claim(
        _ names: some Collection<DeviceID> & Sendable, by sender: DeviceID, in history: TrackHistory,
        isSender: @Sendable (DeviceID) -> Bool
    ) async throws(StoreError) -> Set<DeviceID> {
        _ = try await opened(history)
        guard var changed = kept else { return [] }  // it is open, and there is no suspension from here on
        var allowed = Set(
            names.filter { name in
                let gateway = changed.gateways[name]
                return name == sender ? gateway == nil : gateway == sender || gateway == Self.several
            })
        guard allowed.count < names.count else { return allowed }
        var room = Self.devicesOfGateway - changed.gateways.values.count { $0 == sender }
        for name in names where !allowed.contains(name) {
            if name == sender {
                changed.gateways[name] = nil
            } else if changed.gateways[name].map({ !isSender($0) }) ?? true {
                guard room > 0 else { continue }
                changed.gateways[name] = sender
                room -= 1
            } else {
                guard changed.earlier.contains(name) else { continue }
                changed.gateways[name] = Self.several
            }
            allowed.insert(name)
        }
        if changed.gateways != kept?.gateways { try write(changed) }
        return allowed
    }

    private func opened(_ history: TrackHistory) async throws(StoreError) -> Saved {
        if let kept { return kept }
        let file = try await history.companion(at: path)
        let devices = try await Set(history.deviceNames())
        if let kept { return kept }  // another task was faster
        guard let bytes = try file.read(atMost: Self.maximumSize) else {
            let none = Saved(file: file, gateways: [:], earlier: devices)
            kept = none
            return none
        }
        let json = JSONValue(ifReadable: bytes)
        guard let members = json?["devices"]?.members else {
            throw StoreError(
                .damaged,
                "\(path): expected an object with 'devices'; without the file gateways name their devices anew")
        }
        try file.encryptIfPlain(atMost: Self.maximumSize)
        let all = members.compactMap { member in
            member.value.string.map { (DeviceID(rawValue: member.name), DeviceID(rawValue: $0)) }
        }
        let earlier = (json?["earlier"]?.array ?? []).compactMap { $0.string.map { DeviceID(rawValue: $0) } }
        let found = Saved(
            file: file, gateways: Dictionary(all.filter { devices.contains($0.0) }) { $1 },
            earlier: devices.intersection(earlier))
        kept = found
        return found
    }

    private func write(_ changed: Saved) throws(StoreError) {
        let devices = changed.gateways.sorted { $0.key.rawValue < $1.key.rawValue }.map { device, gateway in
            JSONValue.Member(device.rawValue, .string(gateway.rawValue))
        }
        var writer = JSONWriter()
        let earlier = changed.earlier.map(\.rawValue).sorted().map { JSONValue.string($0) }
        JSONValue.object([.init("devices", .object(devices)), .init("earlier", .array(earlier))]).write(to: &writer)
        guard writer.bytes.count <= Self.maximumSize else {
            throw StoreError(.full, "\(path): expected at most \(Self.maximumSize) bytes")
        }
        try changed.file.replace(with: writer.bytes)
        kept = changed
    }
}
