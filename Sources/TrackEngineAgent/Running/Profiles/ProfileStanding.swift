package import TrackEngine

/// The profile in force, for observers.
package struct ProfileStanding: Sendable, Hashable {
    /// The profile and the reason.
    package var resolution: ProfileResolution
    /// The time since when it is in force, by the machine's clock.
    package var since: Timestamp

    package init(resolution: ProfileResolution, since: Timestamp) {
        (self.resolution, self.since) = (resolution, since)
    }

    /// The status for programs.
    var json: JSONValue {
        .members(
            ("profile", .string(resolution.profile.rawValue)), ("because", .string(resolution.reason.kind)),
            ("reason", .string(resolution.reason.words)), ("since", since.json), ("next", resolution.next?.json))
    }
}
