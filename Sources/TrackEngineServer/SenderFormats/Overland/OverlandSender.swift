import TrackEngine

/// Overland and other programs that write its format: Overland for Android, Trace, colota, `trackd` itself.
///
/// A body is an object with `locations`. Features that are no locations (visits, trips, actions) are refused by name
/// and do not stop their batch, because the app would send it for ever.
package struct OverlandSender: SenderFormat {
    package let name: String
    private let reply: JSONValue

    /// The format.
    package init() { (name, reply) = ("overland", .object([.init("result", .string("ok"))])) }

    private init(name: String, reply: JSONValue) { (self.name, self.reply) = (name, reply) }

    /// The same features for Dawarich's points interface, `POST /api/v1/points`, which replies with `data`.
    package static let dawarich = OverlandSender(name: "dawarich", reply: .object([.init("data", .array([]))]))

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        var reception = RequestContent()
        // Some send their features without an envelope, or in GeoJSON's own.
        let others = try request.readElements(
            in: ["locations", "features"], beside: ["device_id", "current", "trip"]
        ) { element in reception.take(element.flatMap { point($0, at: request.time) }) }
        reception.current = others["current"].flatMap { try? point($0, at: request.time).get() }  // shown if it can be
        reception.trip = others["trip"].flatMap(SenderTrip.init)
        if let device = others["device_id"]?.senderText { reception.setDevice(device) }
        return try reception.ofOwnFormat()
    }

    /// A queue of Overland's may hold messages of its OwnTracks mode, after that was switched off.
    private func point(_ feature: JSONValue, at time: Timestamp) -> Result<ReceivedPoint, PointProblem> {
        let members =
            feature["_type"] == nil ? PointMembers.overland(feature) : PointMembers.ownTracks(feature, at: time)
        return members.flatMap { $0.point(from: self) }
    }

    package func acceptance(of reception: RequestContent) -> SenderReply { .json(reply) }
}

extension SenderTrip {
    /// `trip` of Overland; `nil` without a mode.
    init?(_ value: JSONValue) {
        guard let mode = value["mode"]?.string, mode.utf8.count <= Self.longestText,
            let start = value["start"]?.string, start.utf8.count <= Self.longestText
        else { return nil }
        self.init(mode: mode, start: start, distance: value["distance"]?.senderNumber)
    }
}
