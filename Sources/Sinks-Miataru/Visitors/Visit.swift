package import TrackEngine

/// Somebody has asked a server for the place.
package struct Visit: Sendable, Hashable {
    /// The id that was asked with.
    package let id: String
    /// When, by the server's clock.
    package let time: Timestamp

    package init(id: String, time: Timestamp) { (self.id, self.time) = (id, time) }
}

extension Visit {
    /// The visits of a server's reply; `nil` for a reply that has no list of them. What is no visit is left out.
    package static func all(in reply: JSONValue) -> [Visit]? {
        reply["MiataruVisitors"]?.array?.compactMap { visit in
            // Of all times of the protocol this one alone is in milliseconds.
            guard let id = visit["DeviceID"]?.string, let time = visit["TimeStamp"]?.number, (0..<1e15).contains(time)
            else { return nil }
            return Visit(id: id, time: Timestamp(nanosecondsSince1970: Int64(time) * 1_000_000))
        }
    }
}
