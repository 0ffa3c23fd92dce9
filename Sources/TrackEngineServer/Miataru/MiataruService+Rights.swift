import TrackEngine

/// The owners of ids, and the rights to see them.
extension MiataruService {
    func setKey(_ question: JSONValue?, from sender: DeviceID) async throws -> JSONValue {
        guard let key = question?["NewDeviceKey"]?.string, (1...256).contains(key.count) else {
            throw MiataruFailure.badRequest("expected a NewDeviceKey of 1 to 256 characters")
        }
        let id = try await own(question, "DeviceID", key: "CurrentDeviceKey", from: sender)
        var changed = register
        guard let kept = DeviceKey(of: key) else {
            throw MiataruFailure(status: 503, reason: "the server cannot do that now; try again later")
        }
        changed.change(id) { $0.key = kept }
        try replace(changed)
        return acknowledgement("the key is set")
    }

    func setAllowed(_ question: JSONValue?, from sender: DeviceID) async throws -> JSONValue {
        let id = try await own(question, "DeviceID", from: sender)
        guard let list = question?["allowedDevices"]?.array else {
            throw MiataruFailure.badRequest("expected allowedDevices")
        }
        var allowed: [String: MiataruRegistry.Rights] = [:]
        for element in list {
            guard let name = element["DeviceID"]?.senderText else {
                throw MiataruFailure.badRequest("expected allowedDevices with a DeviceID each")
            }
            allowed[name] = MiataruRegistry.Rights(
                current: element["hasCurrentLocationAccess"]?.boolean ?? false,
                history: element["hasHistoryAccess"]?.boolean ?? false)
        }
        var changed = register
        try changed.allow(allowed, toSee: id)
        try replace(changed)
        return acknowledgement("\(allowed.count) may see the device")
    }

    func allowed(_ question: JSONValue?, from sender: DeviceID) async throws -> JSONValue {
        let id = try await own(question, "DeviceID", from: sender)
        let allowed = register.entries[id]?.allowed ?? [:]
        let list = allowed.sorted { $0.key < $1.key }.map { name, rights in
            JSONValue.object([
                .init("DeviceID", .string(name)), .init("hasCurrentLocationAccess", .boolean(rights.current)),
                .init("hasHistoryAccess", .boolean(rights.history)),
            ])
        }
        return .object([
            .init(
                "MiataruAllowedDeviceList",
                .object([
                    .init("DeviceID", .string(id)), .init("IsAllowedDeviceListEnabled", .boolean(!allowed.isEmpty)),
                    .init("allowedDevices", .array(list)),
                ]))
        ])
    }

    func setSlogan(_ question: JSONValue?, from sender: DeviceID) async throws -> JSONValue {
        let id = try await own(question, "DeviceID", from: sender)
        guard register.entries[id]?.key != nil else { throw MiataruFailure.forbidden("expected a device with a key") }
        guard let slogan = question?["Slogan"]?.string, slogan.count <= 40, slogan.utf8.count <= 160,
            slogan == ReceiverText.oneLine(slogan, atMost: 40)
        else { throw MiataruFailure.badRequest("expected a Slogan of at most 40 characters in one line") }
        var changed = register
        changed.change(id) { $0.slogan = slogan }
        try replace(changed)
        return acknowledgement("the slogan is set")
    }

    func slogan(_ question: JSONValue?, from sender: DeviceID) async throws -> JSONValue {
        let (id, isVisible) = try await seen(question, from: sender)
        let slogan = isVisible ? register.entries[id]?.slogan : nil
        return .object([
            .init(
                "MiataruDeviceSlogan",
                .object([.init("DeviceID", .string(id)), .init("Slogan", slogan.map { .string($0) } ?? .null)]))
        ])
    }

    func security(_ question: JSONValue?, from sender: DeviceID) async throws -> JSONValue {
        let (id, _) = try await seen(question, from: sender)
        let entry = register.entries[id]
        return .object([
            .init(
                "MiataruDeviceSecurityStatus",
                .object([
                    .init("DeviceID", .string(id)), .init("HasDeviceKey", .boolean(entry?.key != nil)),
                    .init("IsAllowedDeviceListEnabled", .boolean(entry?.allowed.isEmpty == false)),
                ]))
        ])
    }

    /// Returns the device that a question is about, and whether the asking id may see it.
    func seen(
        _ question: JSONValue?, from sender: DeviceID
    ) async throws -> (id: String, isVisible: Bool) {
        guard let id = question?["DeviceID"]?.senderText else { throw MiataruFailure.badRequest("expected a DeviceID") }
        let asker = try await asker(
            question?["RequestDeviceID"], key: question?["RequestDeviceKey"], named: "RequestDeviceID", from: sender)
        return (id, register.rights(of: asker, to: id).current)
    }
}
