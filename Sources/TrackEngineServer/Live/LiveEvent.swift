package import NIOCore
package import TrackEngine

/// An event for a page at the moment when it happens, as an event of a stream (HTML, section 9.2 "Server-sent
/// events").
package struct LiveEvent: Sendable, Hashable {
    /// The bytes of the event. All viewers share them.
    package let buffer: ByteBuffer
    /// The device that it is of; `nil` for one that is of none, and for several.
    package var device: DeviceID?
    /// The events that it consists of, where it is several.
    private var parts: [LiveEvent] = []

    /// The bytes for a viewer that may not see all devices.
    func buffer(where isShown: (DeviceID?) -> Bool) -> ByteBuffer {
        guard parts.isEmpty else {
            return parts.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1.buffer(where: isShown)) }
        }
        return isShown(device) ? buffer : ByteBuffer()
    }

    /// A comment, which shows that the server is there.
    static let heartbeat = LiveEvent(buffer: ByteBuffer(string: ": \n\n"))

    /// Events one after the other.
    init(joining events: [LiveEvent]) {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(events.reduce(0) { $0 + $1.buffer.readableBytes })
        for event in events { buffer.writeImmutableBuffer(event.buffer) }
        self.buffer = buffer
        parts = events
    }

    /// An event of a kind, with a document that holds no line break.
    package init(_ name: StaticString, json: [UInt8]) {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(name.utf8CodeUnitCount + json.count + 16)
        buffer.writeStaticString("event: ")
        buffer.writeStaticString(name)
        buffer.writeStaticString("\ndata: ")
        buffer.writeBytes(json)
        buffer.writeStaticString("\n\n")
        self.buffer = buffer
    }

    private init(buffer: ByteBuffer) { self.buffer = buffer }
}
