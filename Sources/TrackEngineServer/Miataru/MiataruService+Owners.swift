import TrackEngine

/// The asking ids, and the ownership of ids.
extension MiataruService {
    /// Returns the id that a request is made under.
    func asker(_ json: JSONValue, from sender: DeviceID) async throws -> String {
        let config = json["MiataruConfig"]
        return try await asker(
            config?["RequestMiataruDeviceID"] ?? config?["requestingDeviceID"],
            key: config?["RequestMiataruDeviceKey"] ?? config?["requestingDeviceKey"], named: "RequestMiataruDeviceID",
            from: sender)
    }

    func asker(
        _ id: JSONValue?, key: JSONValue?, named name: String, from sender: DeviceID
    ) async throws -> String {
        guard let id = id?.senderText else { throw MiataruFailure.badRequest("\(name) is required") }
        try await claim(id, key: key, by: sender)
        return id
    }

    /// The sender's own device that a question is about.
    func own(
        _ question: JSONValue?, _ name: String, key: String = "DeviceKey", from sender: DeviceID
    ) async throws -> String {
        guard let id = question?[name]?.senderText else { throw MiataruFailure.badRequest("expected a \(name)") }
        try await claim(id, key: question?[key], by: sender)
        return id
    }

    func require(_ key: JSONValue?, for id: String, by sender: DeviceID) throws(MiataruFailure) {
        guard let kept = register.entries[id]?.key else { return }
        guard let key = key?.string else { throw .forbidden("expected the key of the device") }
        let shown = TokenHash(of: key)
        if let proven = provenKeys[id], proven.kept == kept, proven.shown.isSame(as: shown) { return }
        let now = clock.now()
        guard !guesses.isLocked(id, by: sender, at: now) else {
            throw MiataruFailure(status: 429, reason: "the key was wrong too often; try again later")
        }
        guard kept.fits(key) else {
            guesses.note(id, by: sender, at: now)
            throw .forbidden("expected the key of the device")
        }
        guesses.forget(id, by: sender)
        provenKeys[id] = KnownKey(kept: kept, shown: shown)
    }

    /// Has an id be a sender's that knows its key.
    private func claim(_ id: String, key: JSONValue?, by sender: DeviceID) async throws {
        let (_, new) = try claiming([id], by: sender)
        try require(key, for: id, by: sender)
        try await take(new, by: sender)
    }

    /// The register in which ids are a sender's, and which of them are so just now.
    ///
    /// - Parameter change: a further change of each of them.
    func claiming(
        _ ids: some Collection<String>, by sender: DeviceID, _ change: (inout MiataruRegistry.Entry) -> Void = { _ in }
    ) throws(MiataruFailure) -> (register: MiataruRegistry, new: Set<String>) {
        guard taking.isDisjoint(with: ids) else { throw .busy }
        var changed = register
        var new: Set<String> = []
        for id in ids {
            if try changed.claim(id, by: sender, isSender: isSender) { new.insert(id) }
            changed.change(id, change)
        }
        return (changed, new)
    }

    /// Hands ids to a sender. Their places are removed first: a process that ends in between leaves an empty id to
    /// its former owner, and never its places to another.
    func take(
        _ ids: Set<String>, by sender: DeviceID, _ change: (inout MiataruRegistry.Entry) -> Void = { _ in }
    ) async throws {
        guard !ids.isEmpty else { return }
        guard taking.isDisjoint(with: ids), ids.allSatisfy({ adding[$0] == nil }) else { throw MiataruFailure.busy }
        taking.formUnion(ids)
        defer { taking.subtract(ids) }
        for id in ids {
            _ = try await places.forget(id)
            watch.forget(DeviceID(rawValue: id))
        }
        var changed = register
        // Meanwhile the former owner may be back.
        for id in ids {
            try changed.claim(id, by: sender, isSender: isSender)
            changed.change(id, change)
        }
        try replace(changed)
        for id in ids { _ = visitors.forget(id) }
    }

    /// Adds places to ids of the sender, and prevents a change of owner meanwhile.
    ///
    /// - Returns: the number of places that are held back because a latitude or longitude is lost.
    func add(_ devices: [String: [ReceivedPoint]], _ wish: MiataruRetention, at now: Timestamp) async throws -> Int {
        for id in devices.keys { adding[id, default: 0] += 1 }
        defer {
            for id in devices.keys { adding[id] = adding[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
        var whole = Dictionary(
            uniqueKeysWithValues: devices.map { (DeviceID(rawValue: $0), $1.map(\.point)) })
        let lost = try await watch.sift(&whole) { [places] id in await places.newest(id.rawValue) }
        for (id, points) in whole { try await places.add(points, of: id.rawValue, wish, at: now) }
        return lost
    }
}
