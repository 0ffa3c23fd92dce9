import Encryption
import OwnTracksFormat
import TrackEngine
import TrackEngineSettings

/// The name and picture of a device on the map of OwnTracks.
public struct OwnTracksCard: Sendable, Hashable {
    /// The display name: one line of at most 256 bytes.
    public var name: String?
    /// A picture in PNG format, at most 64 KiB.
    public var face: [UInt8]?

    /// A card.
    public init(name: String? = nil, face: [UInt8]? = nil) {
        self.name = name
        self.face = face
    }
}

extension MessageOptions {
    /// The secret in the form used for encryption.
    func openedSecret() throws(ConfigurationError) -> OwnTracksSecret? {
        guard let secret else { return nil }
        do throws(EncryptionError) { return try OwnTracksSecret(secret) } catch {
            throw ConfigurationError("secret", "***", error.description)
        }
    }

    /// Checks the options that only OwnTracks uses.
    func checkOwnTracks(_ check: inout ConfigurationCheck, _ template: TopicTemplate?) {
        if let trackerID, let problem = TrackerID.problem(trackerID) {
            check.problem("trackerID", TopicText.shown(trackerID), problem)
        }
        let isOwn = format == .owntracks
        if secret != nil, !isOwn { check.problem("secret", "***", Self.ownFormat) }
        if let secret, isOwn, secret.revealed.isEmpty {
            check.problem("secret", "***", "a secret that is not empty")
        }
        if lastWill, !isOwn { check.problem("lwt", "true", Self.ownFormat) }
        if card != nil, !isOwn { check.problem("card", "{…}", Self.ownFormat) }
        if isOwn, template?.isFixed == false {
            if lastWill { check.problem("lwt", "true", Self.oneTopic) }
            if card != nil { check.problem("card", "{…}", Self.oneTopic) }
        }
        if let face = card?.face, face.count > OwnTracksMessage.largestFace || !OwnTracksMessage.isPNG(face) {
            check.problem("card.face", "(a picture)", "a PNG of at most 64 KiB")
        }
        if let name = card?.name, !(1...256).contains(name.utf8.count) || name.hasControlCharacter {
            check.problem("card.name", TopicText.shown(name), "1 to 256 bytes of text without control characters")
        }
    }

    private static let ownFormat = "format: owntracks with it"
    private static let oneTopic = "a topic without {source}, because there is one of it"
}
