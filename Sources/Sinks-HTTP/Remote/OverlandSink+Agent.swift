public import TrackEngine
public import TrackEngineSettings

extension OverlandSink: AgentClient {
    /// Attaches the agent, which applies the settings in replies if the configuration allows it.
    public func attach(to agent: any RemoteCommandHandler) { inbox?.attach(agent) }
}

extension OverlandSink: StatusReporting {
    /// The numbers of applied and refused settings in replies; empty if replies are not read.
    public func statusItems(now: Timestamp) -> [StatusField] {
        guard let counts = inbox?.counts else { return [] }
        return [
            StatusField("settingsApplied", .count(counts.applied)),
            StatusField(
                "settingsRefused", .count(counts.refused),
                text: counts.problem.map { "settings in a reply: \($0)" }, tone: .warning),
        ]
    }
}

extension OverlandSink {
    /// The longest duration of checking and saving a change.
    private static let changeTimeout = Duration.seconds(30)

    /// Passes settings in replies to the agent until cancelled. The agent accepts the keys that `control.remoteKeys`
    /// names, validates each as `check` does, and reverts changes that cut off this sink.
    public func run() async throws {
        guard let inbox else { return }
        while !Task.isCancelled {
            await inbox.news.wait()
            while !Task.isCancelled, let wanted = inbox.next() {
                inbox.note(wanted, refusal: await refusal(of: wanted, inbox))
            }
        }
    }

    private func refusal(of wanted: OverlandRemoteSettings, _ inbox: RemoteSettingsInbox) async -> RemoteRejection? {
        guard !wanted.values.isEmpty else {
            return RemoteRejection(
                "expected settings that have a meaning here, not \(wanted.ignored.joined(separator: ", "))")
        }
        guard let agent = inbox.agent else { return RemoteRejection("expected an agent") }
        do {
            _ = try await withDeadline(Self.changeTimeout, clock: clock) { [id] in
                try await agent.perform(.setConfiguration(wanted.values), through: id)
            }
            return nil
        } catch {
            return error as? RemoteRejection ?? RemoteRejection("\(error)")
        }
    }
}
