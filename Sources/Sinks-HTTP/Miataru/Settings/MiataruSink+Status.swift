public import TrackEngine
public import TrackEngineSettings

extension MiataruSink: StatusReporting {
    /// The viewers of the position, the history and the retention.
    public func statusItems(now: Timestamp) -> [StatusField] {
        let span = configuration.history ? "with a history" : "the newest place alone"
        let identity = keeper.present ?? configuration.identity
        let writers = identity.deviceKey == nil ? ", anyone with it can write, too" : ""
        return [
            StatusField(
                "sharedWith", .text("anyone with the id"),
                text:
                    "shared with anyone with the id \(identity.shortened), or with its list if it has one\(writers)",
                tone: identity.deviceKey == nil ? .warning : .plain),
            StatusField("history", .flag(configuration.history)),
            StatusField(
                "retention", .count(configuration.retention),
                text: "\(span), for \(Duration.seconds(configuration.retention * 60).inWords)"),
        ] + withheldItems + (visitors?.statusItems(now: now) ?? [])
    }
}

extension MiataruSink {
    /// The records that were not sent because a user requested the deletion of everything before.
    fileprivate var withheldItems: [StatusField] {
        guard let kept = mark.read(), let deleted = kept.deleted, kept.withheld > 0 else { return [] }
        return [
            StatusField(
                "withheld", .count(kept.withheld),
                text: "\(kept.withheld) from before the deletion of \(deleted.rfc3339()) not sent", tone: .faint)
        ]
    }
}

extension MiataruSink: PlaceSharing {
    /// The link of the device's id.
    public func sharedLink() async -> Secret? {
        (try? await keeper.identity()).map { MiataruLink.link(to: $0.deviceID) }
    }
}
