import Encryption
package import TrackEngine
package import TrackEngineSettings

/// The devices that a source follows: those of its configuration, and those of a file that commands change.
package struct FollowedList: FollowList {
    /// The most devices that a source follows.
    static let maximumCount = 256
    private static let fileLimit = 1 << 20

    private let configured: [FollowEntry]
    private let own: DeviceID?
    private let directory: String
    private let file: EncryptedFile

    /// Creates the list of a source.
    ///
    /// - Parameters:
    ///   - configured: the devices of its configuration.
    ///   - name: the source's name.
    ///   - stateDirectory: the agent's state directory.
    ///   - own: the name of the agent's own device, which no followed device may have.
    ///   - key: the key that encrypts the file; `nil` where the store is not encrypted.
    package init(
        _ configured: [FollowEntry], of name: SourceID, in stateDirectory: String, own: DeviceID? = nil,
        key: StoreKey? = nil
    ) {
        self.configured = configured
        self.own = own
        directory = stateDirectory + "/miataru"
        file = EncryptedFile("\(directory)/\(name).follow.json", limit: Self.fileLimit, key: key)
    }

    package func entries() throws(FollowListError) -> [FollowEntry] {
        do throws(PrivateFileError) {
            // A saved device that conflicts with the configuration is not followed: the configuration takes
            // precedence.
            return try kept().reduce(into: configured) { entries, entry in
                if Self.problem(of: entry, beside: entries) == nil { entries.append(entry) }
            }
        } catch {
            throw FollowListError(error.description)
        }
    }

    package func add(_ link: Secret, name: String?, group: String?) throws(FollowListError) -> FollowEntry {
        guard let id = MiataruLink.id(in: link) else {
            throw FollowListError("expected a link such as miataru://ID, or an id of \(MiataruIdentity.idExpectation)")
        }
        let entry = FollowEntry(id: id, name: name ?? String(id.revealed.prefix(8)), group: group)
        if let own, entry.name == own.rawValue {
            throw FollowListError(
                "\(entry.name.quoted(atMost: 64)): expected a name that is not that of this agent's own device")
        }
        try change { (entries) throws(FollowListError) in
            if let problem = Self.problem(of: entry, beside: configured + entries) { throw FollowListError(problem) }
            entries.append(entry)
        }
        return entry
    }

    package func remove(_ name: String) throws(FollowListError) -> Bool {
        if configured.contains(where: { $0.name == name }) {
            throw FollowListError(
                "\(name.quoted(atMost: 64)): expected a device that no configuration names; this one does")
        }
        var wasThere = false
        try change { entries in
            wasThere = entries.contains { $0.name == name }
            entries.removeAll { $0.name == name }
        }
        return wasThere
    }

    /// The problem of an entry together with others; `nil` if there is none.
    static func problem(of entry: FollowEntry, beside others: [FollowEntry]) -> String? {
        guard MiataruIdentity(deviceID: entry.id).hasValidID else {
            return "expected an id of \(MiataruIdentity.idExpectation)"
        }
        guard isName(entry.name) else { return "expected a name of 1 to 64 bytes in one line" }
        guard entry.group.map(isName) ?? true else { return "expected a group's name of 1 to 64 bytes in one line" }
        guard others.count < maximumCount else { return "expected at most \(maximumCount) devices" }
        if let known = others.first(where: { $0.id.revealed.lowercased() == entry.id.revealed.lowercased() }) {
            return "expected a device that is not followed yet; this one is, as \(known.name)"
        }
        if others.contains(where: { $0.name == entry.name }) {
            return "\(entry.name): expected a name that no other followed device has"
        }
        return nil
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text == ReceiverText.oneLine(text, atMost: 64)
    }

    // MARK: The file

    private func change(_ body: (inout [FollowEntry]) throws(FollowListError) -> Void) throws(FollowListError) {
        do {
            try PrivateFile.makeDirectory(directory)
            let lock = try PrivateFile.lock(file.path)
            defer { withExtendedLifetime(lock) {} }
            let before = try kept()
            var entries = before
            try body(&entries)
            if entries != before { try file.replace(with: Self.json(of: entries)) }
        } catch let error as FollowListError {
            throw error
        } catch {
            throw FollowListError("\(error)")
        }
    }

    private func kept() throws(PrivateFileError) -> [FollowEntry] {
        guard let (bytes, _) = try file.read() else { return [] }
        guard let list = JSONValue(ifReadable: bytes)?["follow"]?.array else {
            throw PrivateFileError("\(file.path): expected an object with a list 'follow'")
        }
        return list.compactMap { element in
            guard let id = element["id"]?.string, let name = element["name"]?.string else { return nil }
            return FollowEntry(id: Secret(id), name: name, group: element["group"]?.string)
        }
    }

    private static func json(of entries: [FollowEntry]) -> [UInt8] {
        let list = entries.map { entry in
            JSONValue.members(
                ("id", .string(entry.id.revealed)), ("name", .string(entry.name)),
                ("group", entry.group.map { .string($0) }))
        }
        return JSONValue.object([.init("follow", .array(list))]).bytes + [UInt8(ascii: "\n")]
    }
}
