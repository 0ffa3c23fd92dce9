/// The rule that selects the fixes of a moving object to record.
///
/// <doc:ChoosingARecordingRule> has figures for each. With every rule, a record is made of the first fix, where the
/// object comes to rest, and where it departs again.
public enum RecordingRule: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Fixes farther from the last record than CalmGeo's distance, which grows with speed; see ``DistanceFilter``.
    case distance
    /// Fixes farther than that distance, or later than ``RecordingConfiguration/interval``, or turned by more than
    /// ``RecordingConfiguration/angle``: the first of these applies, as in Traccar.
    case any
    /// Fixes that meet all of these conditions that are set, as in OwnTracks for Android.
    case all
    /// Fixes without which the rebuilt track would be farther than ``RecordingConfiguration/maximumDeviation`` from a
    /// fix; see ``DeviationFilter``.
    case deviation
}
