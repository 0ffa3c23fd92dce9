package import TrackEngine

/// The rights to see and change that a key or a session gives.
package struct AccessRights: Sendable, Hashable {
    /// The viewer's name, for a named viewer.
    package var viewer: String?
    /// Whether places, visits, trips and points may be changed.
    package var mayEdit: Bool
    /// The devices that may be seen; `nil` for all, and for data without a device.
    package var devices: [DeviceID]?

    /// Returns whether data may be seen: of a device, or without one.
    func cover(_ device: DeviceID?) -> Bool {
        guard let devices else { return true }
        return device.map(devices.contains) ?? false
    }
}

/// A person with individual rights, for the page after the opening of a link.
struct Viewer: Sendable, Hashable {
    /// The viewer's name: 1 to 64 bytes in one line.
    let name: String
    let rights: AccessRights

    init(name: String, mayEdit: Bool, devices: [DeviceID]?) {
        self.name = name
        rights = AccessRights(viewer: name, mayEdit: mayEdit, devices: devices)
    }
}

/// A browser's temporary access: a link that can be opened once, or the session that it has become.
struct BrowserAccess: Sendable, Hashable {
    /// The hash of the link's or the session's secret.
    let hash: TokenHash
    /// The hash of the secret that the page keeps in addition to the cookie; `nil` for a link. Programs on other
    /// ports of the host also get the cookie from a browser, but never this secret.
    let proof: TokenHash?
    /// The viewer with the rights that it gives; `nil` for those of the key.
    let viewer: String?
    /// Whether it was given to edit; of a named viewer the list decides.
    let mayEdit: Bool
    let begin: Timestamp
    let end: Timestamp

    /// The viewer or the key that it belongs to.
    var owner: AccessRights { AccessRights(viewer: viewer, mayEdit: viewer == nil && mayEdit) }

    /// The id that people use: the first eight digits of its hash.
    var id: String { String(hash.hexadecimal.prefix(8)) }
}

/// The secrets of a session that has just begun.
package struct SessionSecret: Sendable {
    /// The cookie's secret.
    package let cookie: AccessToken
    /// The page's secret.
    package let proof: AccessToken
    /// The rights to see and change that the session gives.
    package let rights: AccessRights
}
