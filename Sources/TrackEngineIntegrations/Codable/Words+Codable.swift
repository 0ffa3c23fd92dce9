public import TrackEngine

// Enumerations are encoded as the words that logs and servers use.

/// An enumeration whose cases have a word each.
protocol NamedCase {
    /// All cases.
    static var cases: [Self] { get }
    /// The word.
    var name: String { get }
}

extension NamedCase where Self: CaseIterable {
    static var cases: [Self] { Array(allCases) }
}

extension NamedCase {
    /// Reads the only value, a word, and returns its case.
    init(named decoder: any Decoder) throws {
        let words = Self.cases.map(\.name).joined(separator: ", ")
        self = try decoder.value("one of \(words)") { word in Self.cases.first { $0.name == word } }
    }
}

extension RecordCause: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension RecordEvent: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension RejectionReason: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension Activity: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension HostStatus.BatteryState: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension Fix.Mode: Codable, NamedCase {
    /// Reads `2d` or `3d`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `2d` or `3d`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension Fix.Status: Codable, NamedCase {
    /// Reads the name of a case.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes the name of the case.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension TrackerState: Codable, NamedCase {
    static var cases: [TrackerState] { [.stopped, .running, .stopping] }
    var name: String { description }

    /// Reads `stopped`, `running` or `stopping`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `stopped`, `running` or `stopping`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension SyncState.Activity: Codable, NamedCase {
    static var cases: [SyncState.Activity] { [.waiting, .sending, .backingOff, .paused] }
    var name: String { description }

    /// Reads `waiting`, `sending`, `backing off` or `paused`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `waiting`, `sending`, `backing off` or `paused`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension RecordKind: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension TrackerAction: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension TripMode: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension Trip.Reason: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}

extension Transition.Event: Codable, NamedCase {
    /// Reads `name`.
    public init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    /// Writes `name`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(name) }
}
