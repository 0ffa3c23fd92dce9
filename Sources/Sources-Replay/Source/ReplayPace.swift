/// How fast a file is replayed.
public enum ReplayPace: Sendable, Hashable {
    /// As fast as the engine takes the fixes.
    case asFastAsPossible
    /// In the time between the fixes, divided by this; 1 is life, 10 is ten times as fast. Must be finite and above 0.
    case speed(Double)
}
