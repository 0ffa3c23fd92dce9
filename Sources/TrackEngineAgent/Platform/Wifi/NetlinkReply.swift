package import TrackEngine

/// The kernel's reply to one request of generic netlink, collected from successive datagrams. A pure value.
package struct NetlinkReply: Sendable {
    /// The maximum number of messages to keep: more than any machine has interfaces or stations.
    static let mostMessages = 4096

    private let sequence: UInt32
    /// The received messages.
    package private(set) var messages: [GenericNetlinkMessage] = []
    /// Whether no more messages are expected.
    package private(set) var isComplete = false

    /// The reply to the request with this number.
    package init(to sequence: UInt32) { self.sequence = sequence }

    /// Adds a datagram; messages that belong to other requests are ignored.
    ///
    /// - Throws: the error with which the kernel refuses the request.
    package mutating func take(_ datagram: [UInt8]) throws(SystemError) {
        for message in NetlinkMessage.messages(in: datagram) where message.sequence == sequence && !isComplete {
            switch message.type {
            case NetlinkMessage.Control.error, NetlinkMessage.Control.done:
                isComplete = true
                // The end of a dump contains an error number in new kernels, and none in old ones.
                let code = message.payload[...].native(at: 0, as: Int32.self) ?? 0
                if code != 0 { throw SystemError("the kernel refuses the request", code: 0 &- code) }
            case _:
                guard let generic = GenericNetlinkMessage(payload: message.payload) else { continue }
                messages.append(generic)
                isComplete = messages.count >= Self.mostMessages
            }
        }
    }
}
