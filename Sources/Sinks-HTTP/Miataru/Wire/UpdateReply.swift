import TrackEngine

/// The verdict on a server's reply to `UpdateLocation`.
extension ReplyOutcome {
    /// The verdict on a reply with a status from 200 to 299: only `{"MiataruResponse":"ACK", …}` confirms.
    static func acknowledgement(in reply: Reply) -> ReplyOutcome {
        if !reply.isCut, JSONValue(ifReadable: reply.body)?["MiataruResponse"]?.string == "ACK" { return .acknowledged }
        let what = reply.looksLikeAPage ? "a web page" : "other content"
        return .failed(.retry(evidence: .silence), "HTTP \(reply.status) with \(what), expected MiataruResponse ACK")
    }

    /// The verdict on status 403; `nil` for any other status.
    static func refusedKey(_ reply: Reply) -> ReplyOutcome? {
        guard reply.status == 403 else { return nil }
        return .failed(.needsOperator, "HTTP 403: expected the device's key, and an id that no other sender uses")
    }
}
