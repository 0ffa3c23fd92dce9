import TrackEngine

/// Reads the requests of one kind of sender, and writes the replies that it understands.
///
/// A format is a value without state: it reads from bytes, and does no input or output. One server calls it from many
/// requests at the same time.
package protocol SenderFormat: Sendable {
    /// The source that points of this sender get.
    var name: String { get }

    /// Reads a request. An element that is no point is refused alone; the rest counts.
    ///
    /// - Throws: when no part of the request can be read.
    func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent

    /// The reply to a request after all its points are on the disk. The sender then forgets them.
    func acceptance(of reception: RequestContent) -> SenderReply

    /// The reply to a request that was not taken; the sender keeps its points and tries again, or gives up, by the
    /// status.
    func refusal(status: Int, reason: String) -> SenderReply
}

extension SenderFormat {
    /// The usual reply: `{"error":"…"}`.
    package func refusal(status: Int, reason: String) -> SenderReply {
        .json(status: status, .object([.init("error", .string(reason))]))
    }
}

/// The reason why a request cannot be read at all: the expected format.
package struct UnreadableRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected format.
    package let description: String

    init(_ description: String) { self.description = description }
}
