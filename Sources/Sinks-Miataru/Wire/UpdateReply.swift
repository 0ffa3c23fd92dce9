import HTTPDelivery
import TrackEngine

/// What a server's reply to `UpdateLocation` means.
extension ReplyVerdict {
    /// Judges a reply with a status from 200 to 299: `{"MiataruResponse":"ACK", …}` and nothing else confirms.
    static func acknowledgement(in reply: Reply) -> ReplyVerdict {
        if !reply.isCut, JSONValue(ifReadable: reply.body)?["MiataruResponse"]?.string == "ACK" { return .acknowledged }
        let what = reply.looksLikeAPage ? "a web page" : "something else"
        return .failed(.retryUnanswered(), "HTTP \(reply.status) with \(what), expected MiataruResponse ACK")
    }

    /// What 403 means here; `nil` for all else.
    static func refusedKey(_ reply: Reply) -> ReplyVerdict? {
        guard reply.status == 403 else { return nil }
        return .failed(.pause, "HTTP 403: expected the device's key, and an id that no other sender uses")
    }
}
