package import TrackEngine

/// Which profile holds, for whoever looks.
package struct ProfileStanding: Sendable, Hashable {
    /// The profile and why.
    package var resolution: ProfileResolution
    /// Since when, by the machine's clock.
    package var since: Timestamp

    package init(resolution: ProfileResolution, since: Timestamp) {
        (self.resolution, self.since) = (resolution, since)
    }

    /// For programs.
    var json: JSONValue {
        .members(
            ("profile", .string(resolution.profile.rawValue)), ("because", .string(resolution.reason.kind)),
            ("reason", .string(resolution.reason.words)), ("since", since.json), ("next", resolution.next?.json))
    }
}
