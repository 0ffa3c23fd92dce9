package import TrackEngine

/// What somebody who shows a key or a session may see and change.
package struct AccessRights: Sendable, Hashable {
    /// Who it is, where that is a named viewer.
    package var viewer: String?
    /// Whether places, visits, trips and points may be changed.
    package var mayEdit: Bool
    /// The devices that may be seen; `nil` for all, and for what is of no device.
    package var devices: [DeviceID]?

    /// Whether something may be seen: of a device, or of none.
    func cover(_ device: DeviceID?) -> Bool {
        guard let devices else { return true }
        return device.map(devices.contains) ?? false
    }
}

/// A person with rights of their own, who looks at the page after opening a link.
struct Viewer: Sendable, Hashable {
    /// Who it is: 1 to 64 bytes in one line.
    let name: String
    let rights: AccessRights

    init(name: String, mayEdit: Bool, devices: [DeviceID]?) {
        self.name = name
        rights = AccessRights(viewer: name, mayEdit: mayEdit, devices: devices)
    }
}

/// What lets a browser in for a time: a link that can be opened once, or the session that it has become.
struct Pass: Sendable, Hashable {
    /// The hash of the link's or the session's secret.
    let hash: TokenHash
    /// The hash of what the page keeps beside the cookie; `nil` for a link. Programs on other ports of the host get the cookie
    /// from a browser, too, and this never.
    let proof: TokenHash?
    /// The viewer whose rights it has; `nil` for whoever has the key.
    let viewer: String?
    /// Whether it was given to edit; of a named viewer the list decides.
    let mayEdit: Bool
    let begin: Timestamp
    let end: Timestamp

    /// By which people name it: the first eight digits of its hash.
    var id: String { String(hash.hexadecimal.prefix(8)) }
}

/// The secrets of a session that has just begun.
package struct BegunSession: Sendable {
    /// What the cookie holds.
    package let cookie: AccessToken
    /// What the page keeps.
    package let proof: AccessToken
    /// What may be seen and changed with it.
    package let rights: AccessRights
}
