package import TrackEngine

extension SenderReply {
    /// A reply in JSON.
    package static func json(status: Int = 200, _ value: JSONValue) -> SenderReply {
        var writer = JSONWriter()
        value.write(to: &writer)
        return SenderReply(status: status, mediaType: "application/json", body: writer.bytes)
    }
}
