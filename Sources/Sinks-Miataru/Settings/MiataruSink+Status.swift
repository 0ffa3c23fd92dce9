public import TrackEngine
public import TrackEngineSettings

extension MiataruSink: StatusReporting {
    /// To whom the place goes.
    public func statusItems(now: Timestamp) -> [StatusItem] {
        let span = configuration.history ? "with a history" : "the newest place alone"
        let identity = configuration.identity
        let writers = identity.deviceKey == nil ? ", whoever knows it can write, too" : ""
        return [
            StatusItem(
                "sharedWith", .text("whoever knows the id"),
                text: "shared with whoever knows the id \(identity.shortened)\(writers)",
                tone: identity.deviceKey == nil ? .warning : .plain),
            StatusItem("history", .flag(configuration.history)),
            StatusItem(
                "retention", .count(configuration.retention),
                text: "\(span), for \(Duration.seconds(configuration.retention * 60).inWords)"),
        ]
    }
}
