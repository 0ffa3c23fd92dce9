import TrackEngine

/// Viewers: keys, links that can be opened once, sessions and named viewers.
extension AccessList {
    /// How long a requested link can be opened.
    static let lifeOfLink = Duration.seconds(3600)
    /// How long the link of a named viewer can be opened: it has to reach the viewer first.
    static let lifeOfViewersLink = Duration.seconds(7 * 86_400)
    /// How long a session lasts.
    static let lifeOfSession = Duration.seconds(90 * 86_400)
    /// The most links, and the most sessions. The oldest of the owner with the most ends for a new one.
    static let mostPasses = 200
    /// The most links, and the most sessions, of one owner, whose oldest ends for a new one.
    static let mostOfOwner = 50
    /// The most named viewers.
    static let mostViewers = 100

    // MARK: - Rights

    /// Returns the rights of a key; `nil` for a text that is none.
    func rights(ofKey text: String) -> AccessRights? {
        let mayEdit = isEditingKey(text)
        return isReadingKey(text) ? AccessRights(mayEdit: mayEdit) : nil
    }

    /// Returns the rights of a session at a time; `nil` for none.
    ///
    /// - Parameter proof: the secret that the page keeps in addition to the cookie; `nil` for a request for the page
    ///   itself, which holds no data.
    func rights(ofSession text: String, proof: String?, now: Timestamp) -> AccessRights? {
        let hash = TokenHash(of: text)
        var found: BrowserAccess?  // all are compared, so the duration does not reveal which one it is
        for pass in passes where pass.proof != nil && pass.hash.isSame(as: hash) { found = pass }
        guard let found, now < found.end, let rights = rights(of: found) else { return nil }
        guard let proof else { return rights }
        return found.proof?.isSame(as: TokenHash(of: proof)) == true ? rights : nil
    }

    private func rights(of pass: BrowserAccess) -> AccessRights? {
        guard let name = pass.viewer else { return AccessRights(mayEdit: pass.mayEdit && editingKey != nil) }
        return viewers.first { $0.name == name }?.rights
    }

    // MARK: - Links and sessions

    /// A link's secret, which is not kept.
    ///
    /// - Throws: where there is no viewer of that name.
    mutating func makeLink(for viewer: String?, mayEdit: Bool, now: Timestamp) throws(Problem) -> AccessToken {
        if let viewer, !viewers.contains(where: { $0.name == viewer }) {
            throw Problem(description: "expected the name of a viewer")
        }
        if mayEdit, viewer == nil { _ = allowEditing() }
        let token = AccessToken()
        let life = viewer == nil ? Self.lifeOfLink : Self.lifeOfViewersLink
        add(
            BrowserAccess(
                hash: TokenHash(of: token.secret.revealed), proof: nil, viewer: viewer, mayEdit: mayEdit, begin: now,
                end: now.advanced(by: life)), now: now)
        return token
    }

    /// Whether a text is the secret of a link that can be opened.
    func isLink(_ text: String, now: Timestamp) -> Bool { link(text, now: now) != nil }

    private func link(_ text: String, now: Timestamp) -> BrowserAccess? {
        let hash = TokenHash(of: text)
        return passes.last { $0.proof == nil && $0.hash.isSame(as: hash) && now < $0.end }
    }

    /// Makes a session of a link, which cannot be opened again; `nil` where there is none.
    mutating func redeem(_ text: String, now: Timestamp) -> SessionSecret? {
        guard let link = link(text, now: now), let rights = rights(of: link) else { return nil }
        passes.removeAll { $0.hash == link.hash }
        return begin(rights, now: now)
    }

    /// Begins a session for a key; `nil` for a text that is none.
    mutating func beginSession(withKey text: String, now: Timestamp) -> SessionSecret? {
        rights(ofKey: text).map { begin($0, now: now) }
    }

    private mutating func begin(_ rights: AccessRights, now: Timestamp) -> SessionSecret {
        let session = SessionSecret(cookie: AccessToken(), proof: AccessToken(), rights: rights)
        add(
            BrowserAccess(
                hash: TokenHash(of: session.cookie.secret.revealed),
                proof: TokenHash(of: session.proof.secret.revealed),
                viewer: rights.viewer, mayEdit: rights.mayEdit, begin: now, end: now.advanced(by: Self.lifeOfSession)),
            now: now)
        return session
    }

    private mutating func add(_ pass: BrowserAccess, now: Timestamp) {
        passes.removeAll { $0.end <= now }
        let alike = passes.indices.filter { (passes[$0].proof == nil) == (pass.proof == nil) }
        let owners = Dictionary(grouping: alike) { passes[$0].owner }
        if let own = owners[pass.owner], own.count >= Self.mostOfOwner {
            passes.remove(at: own[0])
        } else if alike.count >= Self.mostPasses,
            let most = owners.values.max(by: { ($0.count, -$0[0]) < ($1.count, -$1[0]) })
        {
            passes.remove(at: most[0])
        }
        passes.append(pass)
    }

    /// Ends the sessions with ids that begin with a text, or all; returns their number.
    mutating func endSessions(_ id: String?) -> Int {
        let count = passes.count
        passes.removeAll { $0.proof != nil && (id.map($0.id.hasPrefix) ?? true) }
        return count - passes.count
    }

    // MARK: - Viewers

    /// Adds a viewer.
    ///
    /// - Throws: for a name that is taken or cannot be one.
    mutating func addViewer(_ viewer: Viewer) throws(Problem) {
        guard Self.isName(DeviceID(rawValue: viewer.name)) else {
            throw Problem(description: "expected a name of 1 to 64 bytes without control characters")
        }
        guard !viewers.contains(where: { $0.name == viewer.name }) else {
            throw Problem(description: "expected a new name; remove the viewer of this one first")
        }
        guard viewers.count < Self.mostViewers else {
            throw Problem(description: "expected at most \(Self.mostViewers) viewers")
        }
        viewers.append(viewer)
    }

    /// Removes a viewer together with the viewer's links and sessions; returns whether there was one.
    mutating func removeViewer(_ name: String) -> Bool {
        let count = viewers.count
        viewers.removeAll { $0.name == name }
        passes.removeAll { $0.viewer == name }
        return viewers.count < count
    }

    /// Makes other keys for reading and, where there is one, for editing, and ends all links and sessions that are
    /// not a viewer's.
    mutating func renewKeys() {
        readingKey = AccessToken()
        if editingKey != nil { editingKey = AccessToken() }
        passes.removeAll { $0.viewer == nil }
    }
}

// MARK: - As a file

extension Viewer {
    init?(_ value: JSONValue) {
        guard let name = value["name"]?.string else { return nil }
        let devices = value["devices"]?.array?.compactMap { $0.string.map(DeviceID.init(rawValue:)) }
        self.init(name: name, mayEdit: value["edit"]?.boolean ?? false, devices: devices)
    }

    var json: JSONValue {
        .object([
            .init("name", .string(name)), .init("edit", .boolean(rights.mayEdit)),
            .init("devices", rights.devices.map { .array($0.map { .string($0.rawValue) }) } ?? .null),
        ])
    }
}

extension BrowserAccess {
    init?(_ value: JSONValue) {
        guard let hash = value["sha256"]?.string.flatMap(TokenHash.init(hexadecimal:)),
            let begin = value["begin"]?.string.flatMap(Timestamp.init(rfc3339:)),
            let end = value["end"]?.string.flatMap(Timestamp.init(rfc3339:))
        else { return nil }
        self.init(
            hash: hash, proof: value["proof"]?.string.flatMap(TokenHash.init(hexadecimal:)),
            viewer: value["viewer"]?.string, mayEdit: value["edit"]?.boolean ?? false, begin: begin, end: end)
    }

    var json: JSONValue {
        .object([
            .init("sha256", .string(hash.hexadecimal)), .init("proof", proof.map { .string($0.hexadecimal) } ?? .null),
            .init("viewer", viewer.map { .string($0) } ?? .null), .init("edit", .boolean(mayEdit)),
            .init("begin", .string(begin.rfc3339(.seconds))), .init("end", .string(end.rfc3339(.seconds))),
        ])
    }
}
