/// What a track's records take on their way, in bytes in both directions, without TCP, IP and TLS.
package struct WireBytes: Sendable, Hashable {
    /// As Overland over HTTP.
    package var overland = 0
    /// Over MQTT 5, one record a message, format `trackengine`.
    package var mqtt = 0
    /// Over MQTT 5, many records a message, format `batch`.
    package var batch = 0

    /// What an answer to an HTTP request is taken to have: status line, date, server, content type and length,
    /// `{"result":"ok"}`.
    package static let answerLength = 180

    /// None.
    package init() {}

    /// The bytes of one way.
    package subscript(_ wire: Wire) -> Int {
        switch wire {
        case .overland: overland
        case .mqtt: mqtt
        case .batch: batch
        }
    }
}

/// A way for records to their receiver.
package enum Wire: String, Sendable, Hashable, CaseIterable {
    case overland, mqtt, batch

    /// Its name for people.
    package var name: String {
        switch self {
        case .overland: "Overland"
        case .mqtt: "MQTT"
        case .batch: "MQTT batch"
        }
    }
}
