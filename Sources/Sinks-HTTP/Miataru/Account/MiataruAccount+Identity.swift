import TrackEngine
import TrackEngineSettings

/// Requests for the id and its key.
extension MiataruAccount {
    func adopt(_ id: Secret) throws(SharingError) -> SharingOutcome {
        guard let id = MiataruLink.id(in: id) else {
            throw SharingError("expected a link such as miataru://ID, or an id of \(MiataruIdentity.idExpectation)")
        }
        let file = try file(toChange: "id")
        try changing { () throws(PrivateFileError) in
            // The key of the current id belongs to it and is kept.
            try file.replaceUnreadable()
            try file.change { if $0.id != id.revealed { $0 = SavedIdentity(id: id.revealed) } }
        }
        return SharingOutcome(
            ["the id is taken over"], caution: "a key that the server wants of it is set by `key set`")
    }

    func reset() throws(SharingError) -> SharingOutcome {
        let file = try file(toChange: "id")
        var generator = SystemRandomNumberGenerator()
        let new = SavedIdentity.make(using: &generator)
        try changing { () throws(PrivateFileError) in
            try file.replaceUnreadable()
            try file.change { $0 = new }
        }
        return SharingOutcome(
            ["a new id, without a key"],
            caution:
                "the server's data of the old id stays until its retention ends, and cannot be deleted; others do not find "
                + "the new one"
        )
    }

    /// Sets a key. It is saved before it is sent, and used once the server has confirmed it.
    func setKey(_ key: Secret?) async throws(SharingError) -> SharingOutcome {
        let file = try file(toChange: "key")
        guard MiataruIdentity(deviceID: Secret(""), deviceKey: key).hasValidKey else {
            throw SharingError("expected a key of \(MiataruIdentity.keyExpectation)")
        }
        if key != nil { try await finishInterruptedChange() }
        let new = try changing { () throws(PrivateFileError) in
            // Without a given key an interrupted change continues with its own key.
            try file.change { $0.newKey = key?.revealed ?? $0.newKey ?? Self.makeKey() }
        }
        guard let pending = new.pending else { return SharingOutcome([]) }
        do throws(DeliveryError) { try await demand(pending) } catch { throw SharingError(error.reason) }
        try changing { () throws(PrivateFileError) in try keeper.confirm(pending) }
        return SharingOutcome(["the server wants the key from now on; it is kept with the id"])
    }

    /// Completes an interrupted change of the key before another one begins: neither key is dropped until the
    /// server's replies show which one it has.
    private func finishInterruptedChange() async throws(SharingError) {
        guard let pending = keeper.pending else { return }
        do throws(DeliveryError) { try await demand(pending) } catch {
            // A server that rejects such a key has never accepted it.
            guard case .rejected = error.recovery else { throw SharingError(error.reason) }
            return
        }
        try changing { () throws(PrivateFileError) in try keeper.confirm(pending) }
    }

    /// Makes the server require a key. It may require that key already, after a change that was interrupted or made
    /// elsewhere; then the call is made with that key.
    private func demand(_ pending: MiataruIdentity) async throws(DeliveryError) {
        guard let key = pending.deviceKey else { return }
        let identity = try await keeper.identity()
        do throws(DeliveryError) { try await call(key, as: identity) } catch {
            guard error.isAboutKey else { throw error }
            try await call(key, as: pending)
        }
    }

    private func call(_ key: Secret, as identity: MiataruIdentity) async throws(DeliveryError) {
        let change = JSONValue.members(
            ("DeviceID", .string(identity.deviceID.revealed)),
            ("CurrentDeviceKey", identity.deviceKey.map { .string($0.revealed) }),
            ("NewDeviceKey", .string(key.revealed)))
        let reply = try await server.call(
            "setDeviceKey", .object([.init("MiataruSetDeviceKey", change)]),
            hiding: identity.secrets + [key.revealed])
        guard reply["MiataruResponse"]?.string == "ACK" else {
            throw DeliveryError(.retry(), "an unexpected reply of the server, expected MiataruResponse ACK")
        }
    }

    /// A key of 32 random characters: 160 bits.
    private static func makeKey() -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String((0..<32).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }
}
