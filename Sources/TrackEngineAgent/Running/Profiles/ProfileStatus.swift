package import TrackEngine

/// The profile in force, for observers.
package struct ProfileStatus: Sendable, Hashable {
    /// The profile and the reason.
    package var resolution: ProfileChoice
    /// The time since when it is in force, by the machine's clock.
    package var since: Timestamp

    /// The status for programs.
    var json: JSONValue {
        .members(
            ("profile", .string(resolution.profile.rawValue)), ("because", .string(resolution.reason.kind)),
            ("reason", .string(resolution.reason.words)), ("since", since.json), ("next", resolution.next?.json))
    }
}
