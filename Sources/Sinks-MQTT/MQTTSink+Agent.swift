public import TrackEngine
public import TrackEngineSettings

extension MQTTSink: AgentClient {
    /// Makes the agent carry out commands and count the waiting records for health reports.
    public func attach(to agent: any RemoteCommandHandler & QueueReader) {
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
        let content: CommandReply.Content
        var isOwn = message.topic == format.commandTopic
        do throws(RemoteRejection) {
            if isOwn, let request = try format.request(message, allowed: commands.allowed) {
                content = await carriedOut(request)
            } else if message.topic == commands.topic {
                isOwn = false
                content = await carriedOut(try RemoteRequest(message, allowed: commands.allowed))
            } else {
                // The message is in none of the supported forms, on a topic where only the consumers' own form is
                // accepted.
                if isOwn { client.queue.count(rejected: 1) }
                return
            }
        } catch { content = .error(error.description) }
        if case .result = content { client.queue.count(done: 1) } else { client.queue.count(rejected: 1) }
        // Without room for the reply the sender has to ask again.
        if !isOwn {
            _ = client.queue.post(CommandReply.message(content, to: message, commandTopic: commands.topic))
        } else if case .result(let command, let json) = content, let answer = format.answer(command, json: json) {
            _ = client.queue.post(answer)
        }
    }

    private func carriedOut(_ request: RemoteRequest) async -> CommandReply.Content {
        guard let handler else { return .error("no agent carries out commands") }
        let command = request.command
        return await withTaskGroup(of: CommandReply.Content.self) { [clock, id] group in
            group.addTask {
                do { return .result(command, json: try await handler.perform(request, through: id)) } catch {
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
