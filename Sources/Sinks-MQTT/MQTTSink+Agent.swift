public import TrackEngine
public import TrackEngineSettings

extension MQTTSink: AgentAttachable {
    /// Has commands carried out by the agent, and says in health reports how many records wait there.
    public func attach(to agent: any AgentServices) {
        handleCommands(with: agent)
        observeQueue { [id] in await agent.queued(for: id) }
    }
}

extension MQTTSink: StatusReporting {
    /// The connection to the broker, what is under way, and what became of the messages.
    public func statusItems(now: Timestamp) -> [StatusItem] { status.items(now: now) }
}
