package import TrackEngine

/// A visitor's request for the position at a server.
package struct VisitorEntry: Sendable, Hashable {
    /// The visitor's id.
    package let id: String
    /// The time, by the server's clock.
    package let time: Timestamp

    package init(id: String, time: Timestamp) { (self.id, self.time) = (id, time) }

    /// The visits in a server's reply; `nil` for a reply without a list of visits. Invalid entries are left out.
    package static func all(in reply: JSONValue) -> [VisitorEntry]? {
        reply["MiataruVisitors"]?.array?.compactMap { visit in
            // Only this time of the protocol is in milliseconds.
            guard let id = visit["DeviceID"]?.string, let time = visit["TimeStamp"]?.number, (0..<1e15).contains(time)
            else { return nil }
            return VisitorEntry(id: id, time: Timestamp(nanosecondsSince1970: Int64(time) * 1_000_000))
        }
    }
}
