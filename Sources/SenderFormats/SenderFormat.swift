import TrackEngine

/// Reads the requests of one kind of sender, and writes the replies that it understands.
///
/// A format is a value without state: it reads from bytes, and does no input or output. One server calls it from many requests
/// at the same time.
package protocol SenderFormat: Sendable {
    /// What points of this sender carry as their source.
    var name: String { get }

    /// Returns what a request says. Something in it that is no point costs only itself: it is refused, and the rest counts.
    ///
    /// - Throws: when nothing can be read at all.
    func read(_ request: SenderRequest) throws(UnreadableRequest) -> Reception

    /// The reply to a request whose points are on the disk, after which the sender forgets them.
    func acceptance(of reception: Reception) -> SenderReply

    /// The reply to a request that was not taken; the sender keeps its points and tries again, or gives up, by the status.
    func refusal(status: Int, reason: String) -> SenderReply
}

extension SenderFormat {
    /// The usual reply: `{"error":"…"}`.
    package func refusal(status: Int, reason: String) -> SenderReply {
        .json(status: status, .object([.init("error", .string(reason))]))
    }
}

/// Why nothing of a request can be read: what was expected.
package struct UnreadableRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected.
    package let description: String

    init(_ description: String) { self.description = description }
}
