package import TrackEngine

/// The links that Miataru's apps show as QR codes: `miataru://ID`, without a server and without a key.
package enum MiataruLink {
    private static let prefix = "miataru://"

    /// The link of an id.
    package static func link(to id: Secret) -> Secret { Secret(prefix + id.revealed) }

    /// The id of a link, or of a text that is itself an id; `nil` for any other text.
    package static func id(in link: Secret) -> Secret? {
        var text = link.revealed[...]
        if text.lowercased().hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
        while text.hasSuffix("/") { text.removeLast() }
        let id = Secret(String(text))
        return MiataruIdentity(deviceID: id).hasValidID ? id : nil
    }
}
