package import OwnTracksFormat
package import TrackEngine

/// A request as a format needs it, whatever server has received it.
package struct SenderRequest: Sendable {
    /// What the address says behind its question mark.
    package var query: FormParameters
    /// The body, of a size that the server bounds.
    package var body: [UInt8]
    /// The body's media type in lower case, without parameters; empty when the sender does not say.
    package var mediaType: String
    /// The user's name from a header field (`X-Limit-U` of OwnTracks).
    package var headerUser: String?
    /// The device's name from a header field (`X-Limit-D` of OwnTracks).
    package var headerDevice: String?
    /// Opens what the sender encrypts as OwnTracks does; `nil` where the server has no secret of it.
    package var secret: OwnTracksSecret?
    /// When the request came: the time of points whose sender does not tell one.
    package var time: Timestamp

    /// A request from its parts.
    package init(
        query: FormParameters = FormParameters(), body: [UInt8] = [], mediaType: String = "",
        headerUser: String? = nil, headerDevice: String? = nil, time: Timestamp
    ) {
        self.query = query
        self.body = body
        self.mediaType = mediaType
        self.headerUser = headerUser
        self.headerDevice = headerDevice
        self.time = time
    }
}

/// A reply as a format writes it.
package struct SenderReply: Sendable, Hashable {
    /// The status of HTTP.
    package let status: Int
    /// The media type of the body.
    package let mediaType: String
    /// The body.
    package let body: [UInt8]
}
