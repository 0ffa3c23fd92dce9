/// The bytes for transferring a track's records, in both directions, without TCP, IP and TLS.
public struct WireByteCount: Sendable, Hashable {
    /// Overland over HTTP.
    public var overland = 0
    /// MQTT 5, one record per message, format `trackengine`.
    public var mqtt = 0
    /// MQTT 5, many records per message, format `batch`.
    public var batch = 0

    /// The assumed size of an HTTP response: status line, date, server, content type and length, `{"result":"ok"}`.
    package static let answerLength = 180

    /// No bytes.
    public init() {}

    /// The bytes of one transfer format.
    public subscript(_ wire: Wire) -> Int {
        switch wire {
        case .overland: overland
        case .mqtt: mqtt
        case .batch: batch
        }
    }
}

/// A transfer format for records.
public enum Wire: String, Sendable, Hashable, CaseIterable {
    /// Overland over HTTP, many records per request.
    case overland
    /// MQTT 5, one record per message, format `trackengine`.
    case mqtt
    /// MQTT 5, many records per message, format `batch`.
    case batch

    /// The display name.
    public var name: String {
        switch self {
        case .overland: "Overland"
        case .mqtt: "MQTT"
        case .batch: "MQTT batch"
        }
    }
}
