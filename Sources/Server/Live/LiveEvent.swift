/// Something that a page shows when it happens, as an event of a stream (HTML, section 9.2 "Server-sent events").
package struct LiveEvent: Sendable, Hashable {
    /// The bytes of the event.
    package let bytes: [UInt8]

    /// A comment, which shows that the server is there.
    static let heartbeat = LiveEvent(bytes: Array(": \n\n".utf8))

    /// Events one after the other.
    init(joining events: [LiveEvent]) { bytes = events.flatMap(\.bytes) }

    /// An event of a kind, with a document that holds no line break.
    package init(_ name: StaticString, json: [UInt8]) {
        var bytes = Array("event: ".utf8)
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes += Array("\ndata: ".utf8)
        bytes += json
        bytes += Array("\n\n".utf8)
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }
}
