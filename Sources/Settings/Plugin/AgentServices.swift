public import TrackEngine

/// What only the whole agent knows or can do, for sinks that need it.
public protocol AgentServices: RemoteCommandHandler {
    /// How many records wait for a sink; `nil` if that is not known now.
    func queued(for sink: SinkID) async -> Int?
}

/// A sink that needs the agent that it belongs to.
public protocol AgentAttachable: FixSink {
    /// Called once, when the agent has been put together and before it runs.
    func attach(to agent: any AgentServices)
}
