public import TrackEngine
public import TrackEngineSettings

extension MQTTSink: AgentClient {
    /// Makes the agent carry out commands and count the waiting records for health reports.
    public func attach(to agent: any AgentServices) {
        handleCommands(with: agent)
        observeQueue { [id] in await agent.queued(for: id) }
    }
}

extension MQTTSink: StatusReporting {
    /// The status of the connection, of messages in flight and of the delivered messages.
    public func statusItems(now: Timestamp) -> [StatusField] { status.items(now: now) }
}

extension MQTTSink {
    /// Carries out a command or rejects it, and replies in both cases.
    func reply(to message: ReceivedMessage) async {
        guard let commands = configuration.commands else { return }
        let own = message.topic == format.commandTopic ? format.request(message, allowed: commands.allowed) : nil
        guard own != nil || message.topic == commands.topic else {
            // The message is in none of the supported forms, on a topic where only the consumers' own form is
            // accepted.
            if message.topic == format.commandTopic { client.mailbox.count(rejected: 1) }
            return
        }
        let content: CommandReply.Content
        switch own ?? CommandRequest.parse(message, allowed: commands.allowed) {
        case .rejected(let reason):
            content = .error(reason)
        case .command(let command):
            content = await carriedOut(command) { [id] in try await $0.perform(command, through: id) }
        case .configure(let values):
            content = await carriedOut(.setConfiguration) { [id] in try await $0.configure(values, through: id) }
        case .startTrip(let mode):
            content = await carriedOut(.startTrip) { [id] in try await $0.startTrip(mode, through: id) }
        case .keepWaypoints(let waypoints):
            content = await carriedOut(.setWaypoints) { [id] in try await $0.keepWaypoints(waypoints, through: id) }
        }
        if case .result = content { client.mailbox.count(done: 1) } else { client.mailbox.count(rejected: 1) }
        // Without room for the reply the sender has to ask again.
        if own == nil {
            _ = client.mailbox.post(CommandReply.message(content, to: message, commandTopic: commands.topic))
        } else if case .result(let command, let json) = content, let answer = format.answer(command, json: json) {
            _ = client.mailbox.post(answer)
        }
    }

    private func carriedOut(
        _ command: MQTTCommand, _ body: @escaping @Sendable (any MQTTCommandHandler) async throws -> [UInt8]
    ) async -> CommandReply.Content {
        guard let handler else { return .error("no agent carries out commands") }
        return await withTaskGroup(of: CommandReply.Content.self) { [clock] group in
            group.addTask {
                do { return .result(command, json: try await body(handler)) } catch {
                    return .error("\(command.rawValue): \(error)")
                }
            }
            group.addTask {
                try? await clock.sleep(for: Self.commandTimeout)  // cancelled when the command ended first
                return .error("\(command.rawValue) did not end within \(Self.commandTimeout.inWords)")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .error("cancelled")
        }
    }
}
