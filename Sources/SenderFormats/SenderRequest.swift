/// A request as a format needs it, whatever server has received it.
package struct SenderRequest: Sendable {
    /// What the address says behind its question mark.
    package var query: FormParameters
    /// The body, of a size that the server bounds.
    package var body: [UInt8]
    /// The body's media type in lower case, without parameters; empty when the sender does not say.
    package var mediaType: String
    /// The device's name from header fields (`X-Limit-D` of OwnTracks).
    package var headerDevice: String?

    /// A request from its parts.
    package init(
        query: FormParameters = FormParameters(), body: [UInt8] = [], mediaType: String = "",
        headerDevice: String? = nil
    ) {
        self.query = query
        self.body = body
        self.mediaType = mediaType
        self.headerDevice = headerDevice
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
