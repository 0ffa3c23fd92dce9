/// The name of a fix source within a tracker, for example `gpsd` or `simulated-2`.
public struct SourceID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name itself.
    public var description: String { rawValue }
}

/// The name of a sink within a tracker. The store keeps a cursor under this name, so it must not change at a restart.
public struct SinkID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name itself.
    public var description: String { rawValue }
}

/// The name of the tracked object towards receivers, for example `van-7`.
public struct DeviceID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name itself.
    public var description: String { rawValue }
}

/// The number of a record in the store's order of acceptance: 1, 2, 3 … never used twice, gaps allowed.
public struct RecordSequence: RawRepresentable, Sendable, Hashable, Comparable, BitwiseCopyable,
    CustomStringConvertible
{
    /// The number itself; 0 is before the first record.
    public let rawValue: Int64

    /// Creates a number in the order of acceptance.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Before the first record.
    public static let zero = RecordSequence(rawValue: 0)

    /// Whether the left number comes first.
    public static func < (left: RecordSequence, right: RecordSequence) -> Bool { left.rawValue < right.rawValue }

    /// The number itself.
    public var description: String { String(rawValue) }
}
