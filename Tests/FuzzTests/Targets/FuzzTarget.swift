/// One way from bytes that somebody else chooses into the engine.
///
/// A fuzzer calls it with whatever it makes up; a test calls it with the committed corpus and mutations of it. Whatever
/// the bytes are, it returns: a crash, a hang or memory without a bound is a defect.
struct FuzzTarget: Sendable {
    /// The name by which a person chooses it; its corpus is the folder of this name.
    let name: String
    /// Takes the bytes the whole way that they would go in the agent.
    let run: @Sendable ([UInt8]) async -> Void

    /// All of them.
    static let all: [FuzzTarget] =
        replay + [
            gpsdLines, configuration, controlRequest, controlAnswer, httpReply, httpResponse, httpExchange, mqttPackets,
            mqttCommand, ownTracksReply, miataruReply, json, senderRequests, httpTemplate, places,
            geofenceState,
        ]
}
