import TrackEngine

/// The rights to read, to send, and to change places and correct visits and trips: the key for reading, the devices
/// with the hashes of their tokens, the key for editing, which exists only after a request for one, and the viewers
/// with their links and sessions.
struct AccessList: Sendable, Hashable {
    /// A device that may send.
    struct Sender: Sendable, Hashable {
        /// The name under which its points are kept.
        let name: DeviceID
        let hash: TokenHash
        /// Whether it sends for many devices, each under the name that the request gives: the gateway of a fleet.
        let isGateway: Bool
    }

    /// The most senders.
    static let maximumCount = 10_000

    /// The key for reading, for programs. It is kept unhashed, because it is printed on request.
    var readingKey: AccessToken
    /// The key for editing, which is also a key for reading; `nil`, as at first, where only named viewers may edit.
    var editingKey: AccessToken?
    private(set) var senders: [Sender] = []
    /// The viewers that have names, in the order in which they were added.
    var viewers: [Viewer] = []
    /// The links that can be opened and the sessions, the oldest first.
    var passes: [BrowserAccess] = []
    /// The key for lines of the audit log, where this list is encrypted.
    var auditKey: StoreKey?

    /// A list with a new key and no sender.
    init(readingKey: AccessToken = AccessToken()) {
        self.readingKey = readingKey
        auditKey = .random()
    }

    /// The reason why a sender cannot be added.
    struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The expected name.
        let description: String
    }

    /// Lets a device send; returns its token, which is not kept.
    ///
    /// - Throws: for a name that is taken or cannot be one.
    mutating func add(_ name: DeviceID, isGateway: Bool = false) throws(Problem) -> AccessToken {
        guard Self.isName(name) else {
            throw Problem(description: "expected a name of 1 to 64 bytes without control characters")
        }
        guard !senders.contains(where: { $0.name == name }) else {
            throw Problem(description: "expected a new name; \(name) may send already, and can be removed first")
        }
        guard senders.count < Self.maximumCount else {
            throw Problem(description: "expected at most \(Self.maximumCount) devices")
        }
        let token = AccessToken()
        senders.append(Sender(name: name, hash: TokenHash(of: token.secret.revealed), isGateway: isGateway))
        return token
    }

    /// Takes the right to send from a device; returns whether it had it. Its points stay.
    mutating func remove(_ name: DeviceID) -> Bool {
        let count = senders.count
        senders.removeAll { $0.name == name }
        return senders.count < count
    }

    /// Returns the sender with a token. All are compared, so the duration does not reveal which one it is.
    func sender(with token: String) -> Sender? {
        let hash = TokenHash(of: token)
        var found: Sender?
        for sender in senders where sender.hash.isSame(as: hash) { found = sender }
        return found
    }

    /// Whether a text is the key for reading, or that for editing.
    func isReadingKey(_ text: String) -> Bool {
        let isReading = TokenHash(of: text).isSame(as: TokenHash(of: readingKey.secret.revealed))
        return isEditingKey(text) || isReading  // both are compared, so the duration does not reveal which one it is
    }

    /// Whether a text is the key for editing.
    func isEditingKey(_ text: String) -> Bool {
        guard let editingKey else { return false }
        return TokenHash(of: text).isSame(as: TokenHash(of: editingKey.secret.revealed))
    }

    /// The key for editing, made if there is none.
    mutating func allowEditing() -> AccessToken {
        let key = editingKey ?? AccessToken()
        editingKey = key
        return key
    }

    /// Revokes the right to edit, except for named viewers; returns whether there was a key for editing.
    mutating func forbidEditing() -> Bool {
        defer { editingKey = nil }
        passes.removeAll { $0.viewer == nil && $0.mayEdit }
        return editingKey != nil
    }
}

// MARK: - As a file

extension AccessList {
    /// Reads the output of ``json``.
    ///
    /// - Throws: the expected contents, for other ones.
    init(_ bytes: [UInt8]) throws(Problem) {
        guard let value = JSONValue(ifReadable: bytes), let key = value["readingKey"]?.string, key.utf8.count >= 32,
            let list = value["senders"]?.array
        else { throw Problem(description: "expected an object with 'readingKey' and 'senders'") }
        self.init(readingKey: AccessToken(restoring: key))
        if let key = value["editingKey"]?.string, key.utf8.count >= 32 { editingKey = AccessToken(restoring: key) }
        viewers = value["viewers"]?.array?.compactMap { Viewer($0) } ?? []
        passes = value["passes"]?.array?.compactMap { BrowserAccess($0) } ?? []
        auditKey = value["auditKey"]?.string.flatMap { StoreKey(Secret($0)) }
        for entry in list {
            guard let name = entry["name"]?.string,
                let hash = entry["sha256"]?.string.flatMap(TokenHash.init(hexadecimal:))
            else { throw Problem(description: "expected senders with 'name' and 'sha256'") }
            senders.append(
                Sender(name: DeviceID(rawValue: name), hash: hash, isGateway: entry["gateway"]?.boolean ?? false))
        }
    }

    /// The list as JSON.
    var json: [UInt8] {
        let entries = senders.map { sender in
            JSONValue.object([
                .init("name", .string(sender.name.rawValue)), .init("sha256", .string(sender.hash.hexadecimal)),
                .init("gateway", .boolean(sender.isGateway)),
            ])
        }
        let document = JSONValue.members(
            ("readingKey", .string(readingKey.secret.revealed)),
            ("editingKey", editingKey.map { .string($0.secret.revealed) }), ("senders", .array(entries)),
            ("viewers", .array(viewers.map(\.json))), ("passes", .array(passes.map(\.json))),
            ("auditKey", auditKey.map { .string($0.hexadecimal.revealed) }))
        return document.bytes
    }
}

extension AccessToken {
    /// A token that was made before.
    fileprivate init(restoring text: String) { secret = Secret(text) }
}
