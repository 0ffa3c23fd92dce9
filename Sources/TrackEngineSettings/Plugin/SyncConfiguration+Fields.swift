package import TrackEngine

extension SyncConfiguration {
    /// The keys that every sink has.
    package static let fields: [Field<Self>] =
        settings.map { Field($0) } + [
            .table("backoff", \.backoff, Backoff.settings.map { Field($0) })
                .meaning("The waits after failed deliveries.")
        ]
}
