import TrackEngine

/// Has everything sent when the object enters or leaves a place that wants it.
struct PlaceSync: Sendable {
    private let agent: AssembledAgent

    init(_ agent: AssembledAgent) { self.agent = agent }

    /// How often it is looked whether a configuration that was read again has such a place: who has none shall not pay for it.
    private static let look = Duration.seconds(2)

    /// Goes on until cancelled, or until the tracker's run ends.
    func run() async {
        while places.isEmpty {
            do { try await Task.sleep(for: Self.look, tolerance: Self.look / 2) } catch { return }
        }
        for await record in agent.tracker.records() {
            guard case .transition(let transition) = record.content, transition.event != .dwell,
                places.contains(transition.place.id)
            else { continue }
            // Beside the next record: a receiver that is away may take long.
            Task { [tracker = agent.tracker] in await tracker.sync() }
        }
    }

    /// The ids of the places, as configured at this moment.
    private var places: Set<String> {
        let places = (agent.applied.latest ?? agent.configuration).events.places
        return Set(places.filter(\.sync).map { $0.id ?? $0.name })
    }
}
