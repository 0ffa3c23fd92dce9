/// What others may ask for over MQTT.
public enum MQTTCommand: String, Sendable, Hashable, CaseIterable {
    /// Where is the object now?
    case report
    /// Send what waits, now.
    case sync
    /// How is the agent doing?
    case status
}

/// Carries out commands that came over MQTT and were found allowed.
///
/// The sink asks for one command at a time and publishes the answer.
public protocol MQTTCommandHandler: Sendable {
    /// Does what the command says and answers with a JSON value, at most 64 KiB.
    ///
    /// - Throws: whatever went wrong; its description is the answer then, so it must be free of secrets.
    func perform(_ command: MQTTCommand) async throws -> [UInt8]
}
