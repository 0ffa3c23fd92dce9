/// What a track's records take on their way, in bytes in both directions, without TCP, IP and TLS.
public struct WireBytes: Sendable, Hashable {
    /// As Overland over HTTP.
    public var overland = 0
    /// Over MQTT 5, one record a message, format `trackengine`.
    public var mqtt = 0
    /// Over MQTT 5, many records a message, format `batch`.
    public var batch = 0

    /// What an answer to an HTTP request is taken to have: status line, date, server, content type and length,
    /// `{"result":"ok"}`.
    package static let answerLength = 180

    /// None.
    public init() {}

    /// The bytes of one way.
    public subscript(_ wire: Wire) -> Int {
        switch wire {
        case .overland: overland
        case .mqtt: mqtt
        case .batch: batch
        }
    }
}

/// A way for records to their receiver.
public enum Wire: String, Sendable, Hashable, CaseIterable {
    /// Overland over HTTP, many records a request.
    case overland
    /// MQTT 5, one record a message, format `trackengine`.
    case mqtt
    /// MQTT 5, many records a message, format `batch`.
    case batch

    /// Its name for people.
    public var name: String {
        switch self {
        case .overland: "Overland"
        case .mqtt: "MQTT"
        case .batch: "MQTT batch"
        }
    }
}
