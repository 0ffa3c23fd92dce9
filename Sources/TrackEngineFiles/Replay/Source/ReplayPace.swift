/// How fast a file is replayed.
public enum ReplayPace: Sendable, Hashable {
    /// As fast as the engine takes the fixes.
    case asFastAsPossible
    /// In the time between the fixes, divided by this; 1 is life, 10 is ten times as fast. Must be within ``speeds``.
    case speed(Double)

    /// The speeds that a replay can have: from a hundredth of life to 100,000 times as fast.
    public static let speeds = 0.01...100_000.0
}
