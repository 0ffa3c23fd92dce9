import TrackEngine
import TrackEngineSettings

/// Carries out what others ask for through a sink that has found it allowed.
struct AgentCommands: AgentServices {
    let agent: AssembledAgent

    /// Makes a record of the newest fix for `report`, has it sent, and returns it; returns the
    /// configuration for `dump`, and what `trackd status --json` prints for the others.
    ///
    /// - Throws: ``NoFix`` as long as no source knows where the tracked object is, ``Paused`` in a pause but for the status,
    ///   which holds no place then.
    func perform(_ command: RemoteCommand) async throws -> [UInt8] {
        if command != .status, let pause = await agent.tracker.status().pause { throw Paused(pause: pause) }
        switch command {
        case .report:
            guard let fix = try await agent.tracker.currentFix(recording: true) else { throw NoFix() }
            // Unstructured: the answer must not wait for other receivers, which may be away.
            Task { await agent.tracker.sync() }
            return bytes(of: fix.json)
        case .sync:
            await agent.tracker.sync()
            return bytes(of: await agent.status().json)
        case .status:
            return bytes(of: await agent.status().json)
        case .dump:
            return bytes(of: (agent.applied.latest ?? agent.configuration).shown.json)
        case .stopTrip:
            return bytes(of: .members(("wasUnderWay", .boolean(try await agent.tracker.perform(.stopTrip)))))
        case .waypoints: return try await waypoints()
        case .clearWaypoints:
            try await keeper().removePlaces([])
            return bytes(of: .members(("removed", .boolean(true))))
        case .setConfiguration: throw RemoteRefusal("expected values")
        case .startTrip: throw RemoteRefusal("expected a mode")
        case .setWaypoints: throw RemoteRefusal("expected places")
        }
    }

    func perform(_ command: RemoteCommand, through sink: SinkID) async throws -> [UInt8] {
        agent.remote.noteCommand(through: sink)
        return try await perform(command)
    }

    func configure(_ values: [RemoteValue], through sink: SinkID) async throws -> [UInt8] {
        if let pause = await agent.tracker.status().pause { throw Paused(pause: pause) }
        guard let remote = agent.remote.settings else { throw RemoteRefusal("expected an agent that runs") }
        try await remote.configure(values, through: sink)
        return bytes(of: .members(("applied", .whole(Int64(values.count)))))
    }

    func queued(for sink: SinkID) async -> Int? { await agent.tracker.syncState(of: sink)?.queued }

    func trackerStatus() async -> TrackerStatus { await agent.tracker.status() }

    func decisions() -> AsyncStream<TrackerDecision> { agent.tracker.decisions() }

    func report(_ followed: FollowedDevice) { agent.followed.report(followed) }

    func forget(_ followed: DeviceID) { agent.followed.forget(followed) }

    func followedDevices() -> [FollowedDevice] { agent.followed.all }

    func followedReports() -> AsyncStream<FollowedDevice> { agent.followed.reports() }

    func followedIDs() -> [Secret] { agent.followedIDs() }

    func sharedLinks() async -> [(sink: SinkID, link: Secret)] { await agent.sharedLinks() }

    var places: (any PlaceKeeping)? { agent.keeper }

    var isPaused: Bool { agent.tracker.isPaused }

    /// Nothing is tracked and nothing is sent.
    struct Paused: Error, CustomStringConvertible {
        let pause: Pause
        var description: String { "\(pause): nothing is tracked and nothing is sent" }
    }

    /// No source knows where the object is.
    struct NoFix: Error, CustomStringConvertible {
        let description = "no fix yet"
    }

    func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }
}
