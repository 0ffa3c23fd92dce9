import TrackEngine

/// Syncs all sinks when the object enters or leaves a place with `sync` set.
struct PlaceSync: Sendable {
    private let agent: AgentRuntime

    init(_ agent: AgentRuntime) { self.agent = agent }

    /// The interval at which a reloaded configuration is checked for such places. Without one, no records are observed.
    private static let look = Duration.seconds(2)

    /// Runs until cancelled, or until the tracker's run ends.
    func run() async {
        while places.isEmpty {
            do { try await Task.sleep(for: Self.look, tolerance: Self.look / 2) } catch { return }
        }
        for await record in agent.tracker.records() {
            guard case .transition(let transition) = record.content, transition.event != .dwell,
                places.contains(transition.place.id)
            else { continue }
            // In a separate task: an unreachable server must not delay the next record.
            Task { [tracker = agent.tracker] in await tracker.sync() }
        }
    }

    /// The ids of the places with `sync` set in the present configuration.
    private var places: Set<String> {
        let places = agent.configuration.events.places
        return Set(places.filter(\.sync).map { $0.id ?? $0.name })
    }
}
