package import OwnTracksFormat
package import TrackEngine

/// A request as a format needs it, independent of the server that received it.
package struct SenderRequest: Sendable {
    /// The query of the address.
    package var query: ParameterList
    /// The body, of a size that the server bounds.
    package var body: [UInt8]
    /// The body's media type in lower case, without parameters; empty when the request has none.
    package var mediaType: String
    /// The user's name from a header field (`X-Limit-U` of OwnTracks).
    package var headerUser: String?
    /// The device's name from a header field (`X-Limit-D` of OwnTracks).
    package var headerDevice: String?
    /// Decrypts messages that the sender encrypts as OwnTracks does; `nil` where the server has no secret of the
    /// sender.
    package var secret: OwnTracksSecret?
    /// The time of arrival, which is also the time of points without one.
    package var time: Timestamp

    /// A request from its parts.
    package init(
        query: ParameterList = ParameterList(), body: [UInt8] = [], mediaType: String = "",
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
    package let body: [UInt8]
}
