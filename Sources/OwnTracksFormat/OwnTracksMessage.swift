package import TrackEngine

/// The messages of OwnTracks other than locations and answers.
package enum OwnTracksMessage {
    /// `lwt`: the message that the broker publishes when the connection is lost.
    ///
    /// - Parameter since: the time of the agent's first connection.
    package static func lastWill(since: Timestamp) -> [UInt8] {
        var writer = JSONWriter(capacity: 48)
        writer.member(#"{"_type":"lwt","tst":"#, since.secondsSince1970)
        writer.raw("}")
        return writer.bytes
    }

    /// `card`: name and picture of the device.
    ///
    /// - Parameter face: a picture in PNG format.
    package static func card(name: String?, face: [UInt8]?, trackerID: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + (face?.count ?? 0) / 3 * 4)
        writer.member(#"{"_type":"card","tid":"#, trackerID)
        writer.member(#","name":"#, name)
        writer.member(#","face":"#, face.map { Base64.encoded($0) })
        writer.raw("}")
        return writer.bytes.jsonInASCII
    }

    /// Whether bytes begin like a PNG file.
    package static func isPNG(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    }

    /// The largest picture, in bytes. OwnTracks' apps show it with 40 to 192 points a side.
    package static let largestFace = 65_536
}
