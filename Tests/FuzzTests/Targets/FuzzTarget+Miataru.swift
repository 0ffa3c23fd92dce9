import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

extension FuzzTarget {
    /// A Miataru server's replies about places and visitors, and the files that are kept of an identity and of visitors.
    static let miataruReply = FuzzTarget(name: "miataru-reply") { bytes in
        let now = Timestamp(secondsSince1970: 1_763_710_000)
        if let reply = JSONValue(ifReadable: bytes) {
            var followed = FollowedPositions(source: "miataru", places: [])
            let entries = ["ANNA", "BERT"].map { FollowEntry(id: Secret($0), name: $0) }
            if let places = try? ReportedPosition.all(in: reply, now: now) {
                for place in places.values {
                    precondition(place.fix.coordinate.isValid, "a place that is none")
                    precondition((place.fix.horizontalAccuracy ?? 0) >= 0, "an accuracy that is none")
                }
                precondition(followed.take(places, about: entries).count <= entries.count, "news of strangers")
            }
            var log = VisitorLog()
            _ = log.take(VisitorEntry.all(in: reply) ?? [], known: ["ANNA"], now: now)
            precondition(log.told.count <= VisitorLog.maximumCount, "visitors without a bound")
            precondition(VisitorLog(log.json) != nil, "a log that is not read again")
        }
        if let log = VisitorLog(bytes) { precondition(VisitorLog(log.json) != nil, "a log that is not read again") }
        if let kept = SavedIdentity(bytes) { precondition(SavedIdentity(kept.json) == kept, "another identity") }
    }
}
