import TrackEngine
import TrackEngineSettings

/// The list of ids that may see the position. A list that is not empty excludes all other ids, even the owner's, so
/// the own id is always on it.
extension MiataruAccount {
    /// An entry of the list.
    private struct Entry: Sendable, Hashable {
        var id: String
        /// Whether the id may see the position; an entry may have no rights at all.
        var place = true
        var history: Bool

        var json: JSONValue {
            .object([
                .init("DeviceID", .string(id)), .init("hasCurrentLocationAccess", .boolean(place)),
                .init("hasHistoryAccess", .boolean(history)),
            ])
        }
    }

    /// The most ids of a list.
    private static let maximumRights = 256

    func allow(_ id: Secret, history: Bool) async throws(SharingError) -> SharingOutcome {
        guard let id = MiataruLink.id(in: id) else {
            throw SharingError("expected a link such as miataru://ID, or an id of \(MiataruIdentity.idExpectation)")
        }
        let own = try await ownIdentity()
        var rights = try await rights()
        rights.removeAll { $0.id == id.revealed }
        rights.append(Entry(id: id.revealed, history: history))
        try await set(rights, own)
        return SharingOutcome(
            [history ? "may see the place and the history" : "may see the place"],
            caution: own.deviceKey == nil
                ? "without a key anyone with the id can change the list; `key set` sets one" : nil)
    }

    func disallow(_ id: Secret) async throws(SharingError) -> SharingOutcome {
        let id = MiataruLink.id(in: id) ?? id
        let own = try await ownIdentity()
        guard id != own.deviceID else {
            throw SharingError("expected another id: without the own one on its list the device does not see itself")
        }
        var rights = try await rights()
        guard rights.contains(where: { $0.id == id.revealed }) else {
            throw SharingError("expected an id that is on the list")
        }
        rights.removeAll { $0.id == id.revealed }
        try await set(rights, own)
        return SharingOutcome(["has no access any more"])
    }

    /// Removes the list.
    func allowEverybody() async throws(SharingError) -> SharingOutcome {
        try await replaceList([])
        return SharingOutcome(["there is no list any more"], caution: "anyone with the id may see the place")
    }

    func listAllowed() async throws(SharingError) -> SharingOutcome {
        let own = try await ownIdentity().deviceID.revealed
        let rights = try await rights()
        guard !rights.isEmpty else {
            return SharingOutcome(["there is no list: anyone with the id may see the place"])
        }
        return SharingOutcome(
            rights.map { right in
                let whose = right.id == own ? " (this device)" : ""
                let sees = [right.place ? "place" : nil, right.history ? "history" : nil].compactMap(\.self)
                return "\(right.id)\(whose)  " + (sees.isEmpty ? "nothing" : sees.joined(separator: ", "))
            })
    }

    /// The ids on the list with at least one right.
    func allowedIDs() async throws(SharingError) -> [String] {
        try await rights().filter { $0.place || $0.history }.map(\.id)
    }

    private func rights() async throws(SharingError) -> [Entry] {
        let reply = try await call("getAllowedDeviceList") { identity in
            .object([.init("MiataruGetAllowedDeviceList", .object(identity.members))])
        }
        guard let list = reply["MiataruAllowedDeviceList"]?["allowedDevices"]?.array else {
            throw SharingError("an unexpected reply of the server, expected a list 'allowedDevices'")
        }
        return list.compactMap { entry in
            guard let id = entry["DeviceID"]?.string else { return nil }
            return Entry(
                id: id, place: entry["hasCurrentLocationAccess"]?.boolean ?? false,
                history: entry["hasHistoryAccess"]?.boolean ?? false)
        }
    }

    private func set(_ rights: [Entry], _ own: MiataruIdentity) async throws(SharingError) {
        var rights = rights
        if !rights.contains(where: { $0.id == own.deviceID.revealed }) {
            rights.insert(Entry(id: own.deviceID.revealed, history: true), at: 0)
        }
        guard rights.count <= Self.maximumRights else {
            throw SharingError("expected at most \(Self.maximumRights) ids on the list")
        }
        try await replaceList(rights)
    }

    private func replaceList(_ list: [Entry]) async throws(SharingError) {
        try requireAcknowledgement(
            await call("setAllowedDeviceList") { identity in
                .object([
                    .init(
                        "MiataruSetAllowedDeviceList",
                        .object(identity.members + [.init("allowedDevices", .array(list.map(\.json)))]))
                ])
            })
    }
}

extension MiataruIdentity {
    /// The id and the key as the newer calls name them. Servers require a text for the key even if none is set.
    var members: [JSONValue.Member] {
        [
            .init("DeviceID", .string(deviceID.revealed)),
            .init("DeviceKey", .string(deviceKey?.revealed ?? "none")),
        ]
    }
}
