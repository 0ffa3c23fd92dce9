/// Which fixes of a moving object become records.
///
/// <doc:ChoosingARecordingRule> has figures for each. Whatever the rule, a record is made of the first fix, where the object comes to rest, and where it departs again.
public enum RecordingRule: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Those farther from the last record than CalmGeo's distance, which grows with speed; see ``DistanceFilter``.
    case distance
    /// Those farther than that distance, or later than ``RecordingConfiguration/interval``, or turned by more than
    /// ``RecordingConfiguration/angle``: whatever comes first, as in Traccar.
    case any
    /// Those for which all of these hold that are set, as in OwnTracks for Android.
    case all
    /// Those without which the rebuilt track would be farther than ``RecordingConfiguration/maximumDeviation`` from a fix;
    /// see ``DeviationFilter``.
    case deviation
}
