import TrackEngine
import TrackEngineSettings

/// The id and its key.
extension MiataruAccount {
    func adopt(_ id: Secret) throws(SharingError) -> SharingOutcome {
        guard let id = MiataruLink.id(in: id) else {
            throw SharingError("expected a link such as miataru://ID, or an id of \(MiataruIdentity.idExpectation)")
        }
        let file = try file(toChange: "id")
        try changing { () throws(PrivateFileError) in
            // The key of the id that is here already belongs to it.
            try file.replaceUnreadable()
            try file.change { if $0.id != id.revealed { $0 = KeptIdentity(id: id.revealed) } }
        }
        return SharingOutcome(
            ["the id is taken over"], caution: "a key that the server wants of it is set by `key set`")
    }

    func reset() throws(SharingError) -> SharingOutcome {
        let file = try file(toChange: "id")
        var generator = SystemRandomNumberGenerator()
        let new = KeptIdentity.make(using: &generator)
        try changing { () throws(PrivateFileError) in
            try file.replaceUnreadable()
            try file.change { $0 = new }
        }
        return SharingOutcome(
            ["a new id, without a key"],
            caution: "what the server has of the old id stays until its retention ends; others do not find the new one")
    }

    /// Sets a key: it is kept before it is sent, and counts when the server has confirmed it.
    func setKey(_ key: Secret?) async throws(SharingError) -> SharingOutcome {
        let file = try file(toChange: "key")
        guard MiataruIdentity(deviceID: Secret(""), deviceKey: key).hasValidKey else {
            throw SharingError("expected a key of \(MiataruIdentity.keyExpectation)")
        }
        let identity = try await settled()
        let new = try changing { () throws(PrivateFileError) in
            // A change that was interrupted and that the server does not have goes on with the key that was meant then.
            try file.change { $0.newKey = key?.revealed ?? $0.newKey ?? Self.makeKey() }
        }
        guard let pending = new.pending, let newKey = pending.deviceKey else { return SharingOutcome([]) }
        try await send(newKey, as: identity)
        try changing { () throws(PrivateFileError) in try keeper.confirm(pending) }
        return SharingOutcome(["the server wants the key from now on; it is kept with the id"])
    }

    /// The identity as the server knows it: a change of the key that was interrupted is brought to its end first, if the server
    /// has the new key.
    private func settled() async throws(SharingError) -> MiataruIdentity {
        let identity = try await ownIdentity()
        guard let pending = keeper.pending, let key = pending.deviceKey else { return identity }
        // Whatever else it says, it may have the new key: then that must not be forgotten.
        guard try await isTaken(key, as: pending) else { return identity }
        try changing { () throws(PrivateFileError) in try keeper.confirm(pending) }
        return pending
    }

    /// Whether the server takes a key from who has it already: it has it then. Otherwise it has the one before, or none.
    private func isTaken(_ key: Secret, as pending: MiataruIdentity) async throws(SharingError) -> Bool {
        do throws(DeliveryError) { try await call(key, as: pending) } catch {
            guard error.isAboutKey else { throw SharingError(error.reason) }
            return false
        }
        return true
    }

    private func send(_ key: Secret, as identity: MiataruIdentity) async throws(SharingError) {
        do throws(DeliveryError) { try await call(key, as: identity) } catch { throw SharingError(error.reason) }
    }

    private func call(_ key: Secret, as identity: MiataruIdentity) async throws(DeliveryError) {
        var members = [JSONValue.Member("DeviceID", .string(identity.deviceID.revealed))]
        if let current = identity.deviceKey { members.append(.init("CurrentDeviceKey", .string(current.revealed))) }
        members.append(.init("NewDeviceKey", .string(key.revealed)))
        let reply = try await server.call(
            "setDeviceKey", .object([.init("MiataruSetDeviceKey", .object(members))]),
            hiding: identity.secrets + [key.revealed])
        guard reply["MiataruResponse"]?.string == "ACK" else {
            throw DeliveryError(.retry(), "the server replies something else, expected MiataruResponse ACK")
        }
    }

    /// 32 characters of chance: 160 bits.
    private static func makeKey() -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String((0..<32).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }
}
