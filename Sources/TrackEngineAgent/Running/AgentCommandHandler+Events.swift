import TrackEngine
import TrackEngineSettings

/// Remote commands for trips and places.
extension AgentCommandHandler {
    func startTrip(_ mode: TripMode, through sink: SinkID) async throws -> [UInt8] {
        agent.remote.noteCommand(through: sink)
        let status = await agent.tracker.status()
        if let pause = status.pause { throw PauseError(pause: pause) }
        let trips = status.sources.compactMap(\.context?.trip)
        // A server that repeats the command in each of its replies must not split a trip into many.
        let goesOn = trips.contains { $0.startedBy == .requested && $0.mode == mode }
        if !goesOn {
            guard try await agent.tracker.perform(.startTrip(mode)) else {
                throw RemoteRejection("the agent looks for no trips: events.trips is off")
            }
        }
        return bytes(of: .members(("mode", .string(mode.name)), ("wasUnderWay", .boolean(!trips.isEmpty))))
    }

    func keepWaypoints(_ waypoints: [UInt8], through sink: SinkID) async throws -> [UInt8] {
        agent.remote.noteCommand(through: sink)
        if let pause = await agent.tracker.status().pause { throw PauseError(pause: pause) }
        let places = try WaypointCodec.geoJSON(of: waypoints)
        try await keeper().keepPlaces(places.bytes)
        return bytes(of: .members(("kept", .whole(places.count))))
    }

    /// Returns the places as an OwnTracks message, without places that have a privacy setting.
    func waypoints() async throws -> [UInt8] {
        let hidden = (agent.applied.latest ?? agent.configuration).events.places.filter { $0.privacy != .none }
        return try WaypointCodec.waypoints(
            of: try await keeper().places(), except: Set(hidden.map { $0.id ?? $0.name }))
    }

    func keeper() throws(RemoteRejection) -> any PlaceEditor {
        guard let places else { throw RemoteRejection("the agent keeps no places") }
        return places
    }
}
