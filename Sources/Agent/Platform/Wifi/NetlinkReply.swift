package import TrackEngine

/// What the kernel says to one request of generic netlink, gathered from one datagram after the other. A pure value.
package struct NetlinkReply: Sendable {
    /// So many messages are kept at most: more than any machine has interfaces or stations.
    package static let mostMessages = 4096

    private let sequence: UInt32
    /// The messages that came.
    package private(set) var messages: [GenericNetlinkMessage] = []
    /// Whether nothing more comes.
    package private(set) var isComplete = false

    /// The reply to the request with this number.
    package init(to sequence: UInt32) { self.sequence = sequence }

    /// Takes a datagram; messages that belong to other requests are passed over.
    ///
    /// - Throws: what the kernel refuses the request with.
    package mutating func take(_ datagram: [UInt8]) throws(SystemError) {
        for message in NetlinkMessage.messages(in: datagram) where message.sequence == sequence && !isComplete {
            switch message.type {
            case NetlinkMessage.Control.error, NetlinkMessage.Control.done:
                isComplete = true
                // The end of a dump has a number of its own in new kernels, and none in old ones.
                let code = message.payload[...].native(at: 0, as: Int32.self) ?? 0
                if code != 0 { throw SystemError("the kernel does not tell", code: 0 &- code) }
            case _:
                guard let generic = GenericNetlinkMessage(payload: message.payload) else { continue }
                messages.append(generic)
                isComplete = messages.count >= Self.mostMessages
            }
        }
    }
}
