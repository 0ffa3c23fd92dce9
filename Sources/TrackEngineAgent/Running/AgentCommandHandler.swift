import TrackEngine
import TrackEngineSettings

/// Carries out commands that came through a sink which has authorized them.
struct AgentCommandHandler: AgentServices {
    let agent: AgentRuntime

    /// Carries out a request and returns its result as JSON: for `report` the newest fix, which is also recorded and
    /// sent; for `sync` and `status` the output of `trackd status --json`; for `dump` the configuration; for
    /// `waypoints` the places; for the others a small object.
    ///
    /// - Throws: ``MissingFix`` if no source has a fix yet; ``PauseError`` during a pause, except for `status`, which
    ///   contains no position then.
    func perform(_ request: RemoteRequest, through sink: SinkID) async throws -> [UInt8] {
        if request.command != .setConfiguration { await agent.remote.noteCommand(through: sink) }
        if request != .status, let pause = await agent.tracker.status().pause { throw PauseError(pause: pause) }
        switch request {
        case .report:
            guard let fix = try await agent.tracker.currentFix(recording: true) else { throw MissingFix() }
            // Unstructured: the response must not wait for other servers, which may be unreachable.
            Task { await agent.tracker.sync() }
            return fix.json.bytes
        case .sync:
            await agent.tracker.sync()
            return await agent.status().json.bytes
        case .status: return await agent.status().json.bytes
        case .dump: return agent.configuration.shown.json.bytes
        case .setConfiguration(let values): return try await configure(values, through: sink)
        case .startTrip(let mode): return try await startTrip(mode)
        case .stopTrip:
            return JSONValue.members(("wasUnderWay", .boolean(try await agent.tracker.perform(.stopTrip)))).bytes
        case .waypoints: return try await waypoints()
        case .setWaypoints(let waypoints): return try await keep(waypoints)
        case .clearWaypoints:
            try await places.removePlaces([])
            return JSONValue.members(("removed", .boolean(true))).bytes
        }
    }

    private func configure(_ values: [RemoteValue], through sink: SinkID) async throws -> [UInt8] {
        try await agent.remote.configure(values, through: sink)
        return JSONValue.members(("applied", .whole(Int64(values.count)))).bytes
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

    var places: any PlaceEditor { agent.keeper }

    var isPaused: Bool { agent.tracker.isPaused }

    /// The agent is paused: it neither tracks nor sends.
    struct PauseError: Error, CustomStringConvertible {
        let pause: Pause
        var description: String { "\(pause): no tracking or sending" }
    }

    /// No source has a fix yet.
    struct MissingFix: Error, CustomStringConvertible {
        let description = "no fix yet"
    }
}
