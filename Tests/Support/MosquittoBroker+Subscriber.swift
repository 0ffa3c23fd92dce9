import Foundation

/// A subscriber (`test-subscriber`) that writes down every message before it acknowledges it.
package final class SubscriberProcess: Sendable {
    /// A message as it was written down.
    package struct Message: Sendable, Hashable {
        package let topic: String
        package let payload: String
        /// Whether it was kept by the broker since before the subscription.
        package let isRetained: Bool
        package let contentType: String?
        /// Names and values of its user properties.
        package let properties: [[String]]
    }

    private let process: ChildProcess
    private let log: String

    /// Starts a subscriber of everything and waits until the broker has confirmed it.
    ///
    /// - Parameter topic: where it publishes the ids of the records that it has written down.
    package init(
        of broker: MosquittoBroker, log: String, id: String = "subscriber", filter: String = "#", user: String? = nil,
        password: String? = nil, confirmingOn topic: String? = nil
    ) async throws {
        self.log = log
        var arguments = ["--port", "\(broker.port)", "--id", id, "--log", log, "--topic", filter]
        if let user { arguments += ["--user", user, "--password", password ?? ""] }
        if let topic { arguments += ["--confirm", topic] }
        process = try ChildProcess(TestEnvironment.builtProduct("test-subscriber"), arguments)
        try await process.ready { [process] in process.text.contains("subscribed\n") }
    }

    /// Ends it.
    package func stop() {
        process.killNow()
    }

    /// All messages that have come in, in order.
    package func messages() throws -> [Message] {
        guard let text = FileManager.default.contents(atPath: log) else { return [] }
        let complete = text[..<(text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex)]
        return try complete.split(separator: UInt8(ascii: "\n")).map { line in
            guard let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
                let topic = object["topic"] as? String, let payload = object["payload"] as? String,
                let isRetained = object["retain"] as? Bool, let properties = object["properties"] as? [[String]]
            else { throw ReceiverError(description: "not a line of the subscriber's") }
            return Message(
                topic: topic, payload: payload, isRetained: isRetained, contentType: object["contentType"] as? String,
                properties: properties)
        }
    }
}
