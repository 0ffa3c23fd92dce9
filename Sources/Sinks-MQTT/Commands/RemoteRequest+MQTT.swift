import TrackEngine
public import TrackEngineSettings

/// A command that other clients may send over MQTT.
public typealias MQTTCommand = RemoteCommand

/// Carries out allowed commands from MQTT.
public typealias MQTTCommandHandler = RemoteCommandHandler

extension RemoteRequest {
    /// Parses a command: its bare name (`report`), or a JSON object with its name (`{"command":"report"}`). Some
    /// commands need a second member:
    ///
    /// - A change of the configuration has the values:
    ///   `{"command":"setConfiguration","configuration":{"tracking":{"interval":60}}}`.
    /// - A trip has its mode: `{"command":"startTrip","mode":"car"}`.
    /// - Places are OwnTracks' message:
    ///   `{"command":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[…]}}`.
    ///
    /// Retained commands are rejected: the broker would deliver them again after every connect.
    ///
    /// - Throws: the reason for the rejection, which quotes no part of the message.
    package init(_ message: ReceivedMessage, allowed: Set<MQTTCommand>) throws(RemoteRejection) {
        try Self.refuse(message)
        let expected = "expected " + allowed.map(\.rawValue).sorted().joined(separator: ", ")
        // Payloads that are no JSON get the list of expected commands, which is more useful than the position of a
        // syntax error.
        let document = JSONValue(ifReadable: message.payload, maximumDepth: 6)
        guard let name = Self.name(in: message.payload, document) else {
            throw RemoteRejection("\(expected), as a word or as {\"command\":…}")
        }
        guard let command = MQTTCommand(rawValue: name) else { throw RemoteRejection("unknown command: \(expected)") }
        guard allowed.contains(command) else { throw RemoteRejection("command not allowed: \(expected)") }
        try self.init(command, in: document, values: document?["configuration"].flatMap(RemoteValue.all(in:)))
    }

    /// Refuses a message whose contents do not matter.
    static func refuse(_ message: ReceivedMessage) throws(RemoteRejection) {
        if message.isRetained { throw RemoteRejection("retained commands are not carried out") }
        if message.isTooLong { throw RemoteRejection("expected at most \(ReceivedMessage.maximumPayload) bytes") }
    }

    /// The members that may accompany a command.
    private static let others = ["configuration", "mode", "waypoints"]

    private static func name(in payload: [UInt8], _ document: JSONValue?) -> String? {
        guard let text = String(validating: payload, as: UTF8.self) else { return nil }
        let blanks: Set<Character> = [" ", "\t", "\r", "\n", "\r\n"]
        let word = text.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed()
        if !word.isEmpty, word.allSatisfy({ $0.isASCII && $0.isLetter }) { return String(word) }
        let names = Set(document?.members?.map(\.name) ?? [])
        guard names == ["command"] || others.contains(where: { names == ["command", $0] }) else { return nil }
        return document?["command"]?.string
    }
}
