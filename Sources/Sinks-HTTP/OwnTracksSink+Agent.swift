import OwnTracksFormat
public import TrackEngine
public import TrackEngineSettings

extension OwnTracksSink: AgentClient {
    /// Attaches the agent, which receives the places in replies and executes the commands.
    public func attach(to agent: any AgentServices) { inbox.attach(agent) }
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
                    if let kind = command.kind {
                        inbox.beginRest(of: kind, after: command)
                        group.addTask {
                            try? await clock.sleep(for: ReplyInbox.rest)  // once cancelled, no command is executed
                            inbox.endRest(of: kind)
                        }
                    }
                    inbox.note(isDone: await carryOut(command))
                }
            }
        }
    }

    /// Returns whether the command succeeded and the receiver has its answer, if there is one. Without an answer the
    /// sender has to repeat the command.
    private func carryOut(_ request: CommandMessage) async -> Bool {
        guard let agent = inbox.agent else { return false }
        do {
            guard let command = request.kind else { return false }
            let result = try await withDeadline(Self.commandTimeout, clock: clock) { [id] () async throws -> [UInt8] in
                switch request {
                case .rejected: []
                case .command(let command): try await agent.perform(command, through: id)
                case .configure(let values): try await agent.configure(values, through: id)
                case .startTrip(let mode): try await agent.startTrip(mode, through: id)
                case .keepWaypoints(let waypoints): try await agent.keepWaypoints(waypoints, through: id)
                }
            }
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
