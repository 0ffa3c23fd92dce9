import TrackEngine
package import TrackEngineSettings

/// The message that answers a command.
package struct CommandReplyMessage: Sendable, Hashable {
    /// The part of the answer's topic after the topic of the locations: empty, `/status`, `/dump` or `/waypoints`.
    package let subtopic: String
    /// The message.
    package let payload: [UInt8]

    /// The longest result that is sent, in bytes.
    package static let longestResult = 65_536

    /// The answer to a command; `nil` for a result that is too long, or that OwnTracks has no message for.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - result: the result of ``/TrackEngineSettings/RemoteCommandHandler/perform(_:through:)``.
    ///   - location: writes the device's locations.
    ///   - quotedTopic: the topic of the locations as a JSON string.
    package init?(
        _ command: RemoteCommand, result: [UInt8], location: LocationMessage, quotedTopic: [UInt8]
    ) {
        guard result.count <= Self.longestResult else { return nil }
        switch command {
        case .report:
            guard let fix = JSONValue(ifReadable: result).flatMap(Fix.init(reported:)) else { return nil }
            self.init(subtopic: "", payload: location.answer(fix, quotedTopic: quotedTopic))
        case .status:
            self.init(
                subtopic: "/status", payload: Self.message(#"{"_type":"status","trackengine":"#, result, "}"))
        case .dump:
            let head: StaticString = #"{"_type":"dump","configuration":{"_type":"configuration","trackengine":"#
            self.init(subtopic: "/dump", payload: Self.message(head, result, "}}"))
        // The result is the message itself.
        case .waypoints: self.init(subtopic: "/waypoints", payload: result)
        case .sync, .setConfiguration, .startTrip, .stopTrip, .setWaypoints, .clearWaypoints: return nil
        }
    }

    private init(subtopic: String, payload: [UInt8]) {
        self.subtopic = subtopic
        self.payload = payload.jsonInASCII
    }

    private static func message(_ head: StaticString, _ result: [UInt8], _ tail: StaticString) -> [UInt8] {
        var writer = JSONWriter(capacity: result.count + 80)
        writer.raw(head)
        writer.raw(result.isEmpty ? Array("null".utf8) : result)
        writer.raw(tail)
        return writer.bytes
    }
}

extension Fix {
    /// Parses a fix that an agent reports as JSON.
    fileprivate init?(reported value: JSONValue) {
        guard let time = value["time"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let latitude = value["latitude"]?.number, let longitude = value["longitude"]?.number
        else { return nil }
        self.init(
            time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
            altitude: value["altitude"]?.number, horizontalAccuracy: value["accuracy"]?.number,
            speed: value["speed"]?.number, course: value["course"]?.number)
    }
}
