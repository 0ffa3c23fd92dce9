import TrackEngine
import TrackEngineSettings

/// Requests for the data that the server has about the id.
extension MiataruAccount {
    func visitors() async throws(SharingError) -> SharingOutcome {
        let lines = try await visits().map { "\($0.time.rfc3339())  \(ReceiverText.oneLine($0.id, atMost: 64))" }
        return SharingOutcome(lines.isEmpty ? ["no device has asked"] : lines)
    }

    /// The requests for the position, as far as the server keeps them.
    func visits() async throws(SharingError) -> [VisitorEntry] {
        let reply = try await call("GetVisitorHistory") { identity in
            let question = JSONValue.members(
                ("Device", .string(identity.deviceID.revealed)), ("Amount", .string("100")),
                ("DeviceKey", identity.deviceKey.map { .string($0.revealed) }))
            return .object([.init("MiataruGetVisitorHistory", question)])
        }
        guard let visits = VisitorEntry.all(in: reply) else {
            throw SharingError("an unexpected reply of the server, expected a list 'MiataruVisitors'")
        }
        return visits
    }

    func slogan(_ slogan: String?) async throws(SharingError) -> SharingOutcome {
        guard let slogan else {
            let reply = try await call("getDeviceSlogan") { identity in
                .object([.init("MiataruGetDeviceSlogan", identity.askingAboutItself)])
            }
            let text = reply["MiataruDeviceSlogan"]?["Slogan"]?.string
            return SharingOutcome([text.map { ReceiverText.oneLine($0, atMost: 160) } ?? "there is none"])
        }
        guard slogan.count <= 40, !slogan.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw SharingError("expected at most 40 characters in one line")
        }
        guard try await ownIdentity().deviceKey != nil else {
            throw SharingError("expected a key: servers accept a slogan only with a key; `key set` sets it")
        }
        try requireAcknowledgement(
            await call("setDeviceSlogan") { identity in
                .object([
                    .init("MiataruSetDeviceSlogan", .object(identity.members + [.init("Slogan", .string(slogan))]))
                ])
            })
        return SharingOutcome(["it is shown with the place"])
    }

    func delete() async throws(SharingError) -> SharingOutcome {
        // Written before the request: a running agent must not send deleted positions again at the same moment, and
        // a process that is killed must find the mark afterwards.
        try changing { () throws(PrivateFileError) in try mark.replace(with: SharingMark(deleted: .now())) }
        let reply = try await call("DeleteLocation") { DeleteLocation.document($0) }
        try requireAcknowledgement(reply)
        let count = reply["MiataruDeletedCount"]?.number.map { Int(exactly: $0) ?? 0 } ?? 0
        let what = [
            "no data: it had none", "one of place, history and visitors", "two of place, history and visitors",
        ]
        return SharingOutcome(
            [
                "the server has deleted "
                    + ((0..<3).contains(count) ? what[count] : "place, history and visitors")
            ],
            caution:
                "key, allowed ids and slogan stay, and earlier records are not sent any more; the next place to which the object "
                + "moves is sent, and the first one of a start: trackd pause stops sending")
    }

    func status() async throws(SharingError) -> SharingOutcome {
        let reply = try await call("getDeviceSecurityStatus") { identity in
            .object([.init("MiataruGetDeviceSecurityStatus", identity.askingAboutItself)])
        }
        guard let status = reply["MiataruDeviceSecurityStatus"] else {
            throw SharingError("an unexpected reply of the server, expected 'MiataruDeviceSecurityStatus'")
        }
        let hasKey = status["HasDeviceKey"]?.boolean ?? false
        let hasList = status["IsAllowedDeviceListEnabled"]?.boolean ?? false
        let own = try await ownIdentity()
        return SharingOutcome(
            [
                "id       \(own.shortened)",
                "key      " + (hasKey ? "the server wants one" : "none: anyone with the id can write"),
                "allowed  " + (hasList ? "those on the list" : "anyone with the id"),
            ],
            caution: hasKey && own.deviceKey == nil ? "the server wants a key that is not here" : nil)
    }
}

extension MiataruIdentity {
    /// The device in the question and the requesting device, which are the same.
    fileprivate var askingAboutItself: JSONValue {
        .members(
            ("DeviceID", .string(deviceID.revealed)), ("RequestDeviceID", .string(deviceID.revealed)),
            ("RequestDeviceKey", deviceKey.map { .string($0.revealed) }))
    }
}
