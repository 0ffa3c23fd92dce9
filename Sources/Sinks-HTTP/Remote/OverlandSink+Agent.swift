import HTTPDelivery
public import TrackEngine
public import TrackEngineSettings

extension OverlandSink: AgentAttachable {
    /// Has settings that replies want carried out by the agent, where the configuration allows it.
    public func attach(to agent: any AgentServices) { inbox?.attach(agent) }
}

extension OverlandSink: StatusReporting {
    /// What became of settings in replies; nothing where they are not looked at.
    public func statusItems(now: Timestamp) -> [StatusItem] {
        guard let counts = inbox?.counts else { return [] }
        return [
            StatusItem("settingsApplied", .count(counts.applied)),
            StatusItem(
                "settingsRefused", .count(counts.refused),
                text: counts.problem.map { "settings in a reply: \($0)" }, tone: .warning),
        ]
    }
}

extension OverlandSink {
    /// How long a change may take to be examined and kept.
    private static let changeTimeout = Duration.seconds(30)

    /// Passes settings in replies on to the agent, until cancelled. The agent takes the keys that `control.remoteKeys` names, each as
    /// `check` would, and undoes by itself what cuts this sink off.
    public func run() async throws {
        guard let inbox else { return }
        while !Task.isCancelled {
            await inbox.news.wait()
            while !Task.isCancelled, let wanted = inbox.next() {
                inbox.note(wanted, refusal: await refusal(of: wanted, inbox))
            }
        }
    }

    private func refusal(of wanted: OverlandRemoteSettings, _ inbox: RemoteSettingsInbox) async -> RemoteRefusal? {
        guard !wanted.values.isEmpty else {
            return RemoteRefusal(
                "expected settings that mean something here, not \(wanted.ignored.joined(separator: ", "))")
        }
        guard let agent = inbox.agent else { return RemoteRefusal("expected an agent") }
        do {
            _ = try await withDeadline(Self.changeTimeout, clock: clock) { [id] in
                try await agent.configure(wanted.values, through: id)
            }
            return nil
        } catch {
            return error as? RemoteRefusal ?? RemoteRefusal("\(error)")
        }
    }
}
