import OwnTracksFormat
public import TrackEngine
public import TrackEngineSettings

extension OwnTracksSink: AgentClient {
    /// Attaches the agent, which receives the places in replies and executes the commands.
    public func attach(to agent: any RemoteCommandHandler & FollowReporter) { inbox.attach(agent) }
}

extension OwnTracksSink: StatusReporting {
    /// The numbers of places and commands in replies, by result.
    public func statusItems(now: Timestamp) -> [StatusField] {
        let counts = inbox.counts
        return [
            StatusField("places", .count(counts.places)),
            StatusField("commandsDone", .count(counts.commandsDone)),
            StatusField(
                "commandsRejected", .count(counts.commandsRejected),
                text: counts.commandsRejected > 0 ? "\(counts.commandsRejected) commands rejected" : nil,
                tone: .warning),
            StatusField(
                "unreadable", .count(counts.unreadable),
                text: counts.unreadable > 0 ? "\(counts.unreadable) messages in replies could not be read" : nil,
                tone: .warning),
        ]
    }
}

extension OwnTracksSink {
    /// The longest duration of a command.
    static let commandTimeout = Duration.seconds(30)

    /// Executes the commands in replies until cancelled.
    public func run() async throws {
        await withDiscardingTaskGroup { [inbox, clock] group in
            while !Task.isCancelled {
                await inbox.news.wait()
                while !Task.isCancelled, let command = inbox.next() {
                    inbox.beginRest(after: command)
                    group.addTask {
                        try? await clock.sleep(for: ReplyInbox.rest)  // once cancelled, no command is executed
                        inbox.endRest(of: command.command)
                    }
                    inbox.note(isDone: await carryOut(command))
                }
            }
        }
    }

    /// Returns whether the command succeeded and the receiver has its answer, if there is one. Without an answer the
    /// sender has to repeat the command.
    private func carryOut(_ request: RemoteRequest) async -> Bool {
        guard let agent = inbox.agent else { return false }
        do {
            let result = try await withDeadline(Self.commandTimeout, clock: clock) { [id] in
                try await agent.perform(request, through: id)
            }
            let command = request.command
            guard command.hasAnswer else { return true }
            guard let answer = message.answer(command, result: result) else { return false }
            try await post(answer, takesCommands: false)
            return true
        } catch {
            return false  // counted; OwnTracks servers have no message for it
        }
    }
}

extension RemoteCommand {
    /// Whether OwnTracks has a message for the answer.
    fileprivate var hasAnswer: Bool {
        switch self {
        case .report, .status, .dump, .waypoints: true
        case .sync, .setConfiguration, .startTrip, .stopTrip, .setWaypoints, .clearWaypoints: false
        }
    }
}
