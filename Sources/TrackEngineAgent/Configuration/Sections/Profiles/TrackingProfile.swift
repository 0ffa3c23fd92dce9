/// The amount of recording while a rule is in force.
package enum TrackingProfile: String, Sendable, Hashable, CaseIterable {
    /// No recording; waiting records are still delivered.
    case off
    /// The section `tracking` with the values of `profiles.coarse`.
    case coarse
    /// The section `tracking` with the values of `profiles.fine`.
    case fine
    /// The section `tracking` unchanged.
    case normal
}
