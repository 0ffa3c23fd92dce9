package import TrackEngine

extension SenderReply {
    package static func json(status: Int = 200, _ value: JSONValue) -> SenderReply {
        SenderReply(status: status, mediaType: "application/json", body: value.bytes)
    }
}
