import TrackEngine

/// The owners of Miataru's ids and their settings: a value, and a file's contents.
struct MiataruRegistry: Sendable, Hashable {
    /// The right of another id to see a device.
    struct Rights: Sendable, Hashable {
        var current = false
        var history = false
        /// True when the right is for no data at all.
        var isNone: Bool { !current && !history }
        /// The sender that had the id when the right was given, and alone has the right; `nil` where the id was
        /// unused.
        var holder: DeviceID?
    }

    /// An id.
    struct Entry: Sendable, Hashable {
        /// The sender that uses the id.
        var owner: DeviceID
        /// The stored form of its key.
        var key: DeviceKey?
        /// The ids that may see it; while the list is empty, all that know the id may.
        var allowed: [String: Rights] = [:]
        var slogan: String?
        var wish = MiataruRetention()
        /// The time of the latest arrival of a place, to a tenth of the retention; `nil` where none arrived.
        var received: Timestamp?

        /// True when its owner only asked under it.
        var isBare: Bool { key == nil && allowed.isEmpty && slogan == nil && received == nil }

        /// Takes the right from each user of an id on the list, until it is removed and given anew.
        mutating func void(_ name: String) { allowed[name]?.holder = nil }

        /// Notes the arrival of a place.
        mutating func receives(_ wish: MiataruRetention, at now: Timestamp) {
            let isFresh = received.map { now < $0.advanced(by: wish.duration / 10) } ?? false
            if !isFresh || wish != self.wish { received = now }
            self.wish = wish
        }
    }

    /// The most ids of one sender, which bounds the memory that a token can take.
    static let idsOfOwner = 100
    /// The most names in a list of the ids that may see a device, and in all lists of one sender.
    static let longestList = 256
    static let namesOfOwner = 1000
    /// The largest file, in bytes. A change that would make a larger one is refused.
    static let maximumSize = 4 << 20

    private(set) var entries: [String: Entry] = [:]

    /// An empty register.
    init() {}

    /// Gives an id to its first user, or to the first one after its owner was removed. In the second case the id
    /// begins anew: of its settings only the key stays, and on lists of others it has no rights until they are given
    /// again. If a sender has too many ids, one under which it only asked is released.
    ///
    /// - Returns: whether it has become the sender's just now.
    /// - Throws: for one that is another's, and for one too many.
    @discardableResult
    mutating func claim(_ id: String, by owner: DeviceID, isSender: (DeviceID) -> Bool) throws(MiataruFailure) -> Bool {
        guard Self.isID(id) else { throw .badRequest("expected an id of 1 to 128 ASCII characters without a colon") }
        let former = entries[id]
        if let former {
            guard former.owner != owner else { return false }
            guard !isSender(former.owner) else { throw .forbidden("expected an id that no other sender uses") }
        }
        let own = entries.filter { $0.value.owner == owner }
        if own.count >= Self.idsOfOwner {
            guard let bare = own.filter({ $0.value.isBare }).keys.min() else {
                throw .forbidden("expected at most \(Self.idsOfOwner) ids of a sender")
            }
            entries[bare] = nil
        }
        entries[id] = Entry(owner: owner, key: former?.key)
        // The former sender is gone. The name stays, because a list without names is open to all.
        if former != nil { for other in entries.keys { entries[other]?.void(id) } }
        return true
    }

    /// Sets the ids that may see a device. A new right belongs to the sender that uses the id at this moment, and
    /// stays with it when the list is set again, as apps do by themselves. A later user of the id, as its first user
    /// or after its release, has no right until the old right was taken away, or the id from the list, and then given
    /// anew.
    mutating func allow(_ allowed: [String: Rights], toSee id: String) throws(MiataruFailure) {
        guard allowed.count <= Self.longestList, allowed.keys.allSatisfy(Self.isID) else {
            throw .badRequest("expected at most \(Self.longestList) allowedDevices with an id each")
        }
        let owner = entries[id]?.owner
        let before = entries[id]?.allowed ?? [:]
        let held = allowed.map { name, rights in
            let known = before[name].flatMap { $0.isNone ? nil : $0 }
            let holder = rights.isNone ? nil : known.map(\.holder) ?? entries[name]?.owner
            return (name, Rights(current: rights.current, history: rights.history, holder: holder))
        }
        entries[id]?.allowed = Dictionary(held) { $1 }
        let names = entries.values.reduce(0) { $0 + ($1.owner == owner ? $1.allowed.count : 0) }
        guard names <= Self.namesOfOwner else {
            throw .forbidden("expected at most \(Self.namesOfOwner) allowedDevices of all ids of a sender")
        }
    }

    /// Releases an id without settings.
    mutating func release(_ id: String) {
        entries[id]?.received = nil
        if entries[id]?.isBare == true { entries[id] = nil }
    }

    /// Changes an entry, where there is one.
    mutating func change(_ id: String, _ body: (inout Entry) -> Void) {
        if entries[id] != nil { body(&entries[id, default: Entry(owner: DeviceID(rawValue: ""))]) }
    }

    /// Returns the rights of the asking id to another one.
    func rights(of asker: String, to id: String) -> Rights {
        guard let entry = entries[id] else { return Rights() }
        if entry.allowed.isEmpty || entries[asker]?.owner == entry.owner { return Rights(current: true, history: true) }
        guard let rights = entry.allowed[asker], let holder = rights.holder, entries[asker]?.owner == holder else {
            return Rights()
        }
        return rights
    }

    private static func isID(_ id: String) -> Bool {
        (1...128).contains(id.utf8.count) && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
    }
}

/// A device's wish for the retention of its places.
struct MiataruRetention: Sendable, Hashable {
    /// Whether to keep more than the newest place.
    var history = false
    /// The retention in minutes.
    var retention = 1440

    /// The longest accepted time, in minutes; a longer one is shortened to it.
    static let longestRetention = 5_256_000

    /// One day, and only the newest place.
    init() {}

    /// Reads `MiataruConfig` of a location.
    init(_ config: JSONValue?) throws(MiataruFailure) {
        guard let minutes = config?["LocationDataRetentionTime"]?.count, minutes >= 1 else {
            throw .badRequest("expected MiataruConfig with LocationDataRetentionTime in minutes")
        }
        retention = min(minutes, Self.longestRetention)
        let flag = config?["EnableLocationHistory"]
        history = flag?.string?.lowercased() == "true" || flag?.boolean == true
    }

    var duration: Duration { .seconds(retention * 60) }
}

/// The reason why a request of Miataru's is not answered.
struct MiataruFailure: Error, Sendable, Hashable {
    let status: Int
    let reason: String

    static func badRequest(_ reason: String) -> MiataruFailure { MiataruFailure(status: 400, reason: reason) }
    static func forbidden(_ reason: String) -> MiataruFailure { MiataruFailure(status: 403, reason: reason) }
    /// Two requests need an operation that only one at a time can perform.
    static let busy = MiataruFailure(status: 503, reason: "another request changes the id just now; try again")
}

extension JSONValue {
    /// A whole number, also as a text, `60` or `60.0`.
    var count: Int? { (number ?? string.flatMap { Double($0) }).flatMap(Int.init(exactly:)) }
}

// MARK: - As a file

extension MiataruRegistry {
    /// Reads the output of ``json``; `nil` for other contents.
    init?(_ bytes: [UInt8]) {
        guard let list = JSONValue(ifReadable: bytes)?["ids"]?.array else { return nil }
        var undecided: [(id: String, name: String)] = []
        for value in list {
            guard let id = value["id"]?.string, let owner = value["owner"]?.string else { return nil }
            var entry = Entry(owner: DeviceID(rawValue: owner))
            entry.key = value["key"]?.string.flatMap { text in
                // An earlier release kept a plain hash.
                DeviceKey(text) ?? TokenHash(hexadecimal: text).flatMap(DeviceKey.init(wrapping:))
            }
            guard entry.key != nil || value["key"] == nil else { return nil }
            entry.slogan = value["slogan"]?.string
            entry.wish.history = value["history"]?.boolean ?? false
            entry.wish.retention = value["retention"]?.count ?? entry.wish.retention
            entry.received = value["received"]?.number.flatMap { Int64(exactly: $0) }.map {
                Timestamp(secondsSince1970: $0)
            }
            for other in value["allowed"]?.array ?? [] {
                guard let name = other["id"]?.string else { return nil }
                entry.allowed[name] = Rights(
                    current: other["current"]?.boolean ?? false, history: other["history"]?.boolean ?? false,
                    holder: other["sender"]?.string.map(DeviceID.init(rawValue:)))
                if other["sender"] == nil { undecided.append((id, name)) }
            }
            entries[id] = entry
        }
        // From an earlier release: the ids that could see the device keep the right.
        for (id, name) in undecided {
            let holder = entries[name]?.owner
            entries[id]?.allowed[name]?.holder = holder
        }
    }

    /// The register as JSON.
    var json: [UInt8] {
        let list = entries.sorted { $0.key < $1.key }.map { id, entry in
            let allowed = entry.allowed.sorted { $0.key < $1.key }.map { name, rights in
                JSONValue.object([
                    .init("id", .string(name)), .init("current", .boolean(rights.current)),
                    .init("history", .boolean(rights.history)),
                    .init("sender", rights.holder.map { .string($0.rawValue) } ?? .null),
                ])
            }
            return JSONValue.members(
                ("id", .string(id)), ("owner", .string(entry.owner.rawValue)),
                ("history", .boolean(entry.wish.history)), ("retention", .whole(entry.wish.retention)),
                ("received", entry.received.map { .whole($0.secondsSince1970) }),
                ("key", entry.key.map { .string($0.text) }), ("slogan", entry.slogan.map { .string($0) }),
                ("allowed", allowed.isEmpty ? nil : .array(allowed)))
        }
        return JSONValue.object([.init("ids", .array(list))]).bytes
    }
}
