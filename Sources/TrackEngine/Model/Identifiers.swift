/// Names a fix source within a tracker, for example `gpsd` or `simulated-2`.
public struct SourceID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let rawValue: String

    /// Names a source.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names a source with a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name itself.
    public var description: String { rawValue }
}

/// Names a sink within a tracker. The store keeps a cursor under this name, so it must stay the same over restarts.
public struct SinkID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let rawValue: String

    /// Names a sink.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names a sink with a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name itself.
    public var description: String { rawValue }
}

/// Names the tracked object towards receivers, for example `van-7`.
public struct DeviceID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let rawValue: String

    /// Names a device.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names a device with a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name itself.
    public var description: String { rawValue }
}

/// The place of a record in the store's order of acceptance: 1, 2, 3 … never given twice, gaps allowed.
public struct RecordSequence: RawRepresentable, Sendable, Hashable, Comparable, BitwiseCopyable,
    CustomStringConvertible
{
    /// The number itself; 0 stands before the first record.
    public let rawValue: Int64

    /// A place in the order of acceptance.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Before the first record.
    public static let zero = RecordSequence(rawValue: 0)

    /// Whether the left place comes first.
    public static func < (left: RecordSequence, right: RecordSequence) -> Bool { left.rawValue < right.rawValue }

    /// The number itself.
    public var description: String { String(rawValue) }
}
