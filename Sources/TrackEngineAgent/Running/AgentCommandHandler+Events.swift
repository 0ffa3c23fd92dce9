import TrackEngine
import TrackEngineSettings

/// Remote commands for trips and places.
extension AgentCommandHandler {
    func startTrip(_ mode: TripMode) async throws -> [UInt8] {
        let trips = await agent.tracker.status().sources.compactMap(\.context?.trip)
        // A server that repeats the command in each of its replies must not split a trip into many.
        let goesOn = trips.contains { $0.startedBy == .requested && $0.mode == mode }
        if !goesOn {
            guard try await agent.tracker.perform(.startTrip(mode)) else {
                throw RemoteRejection("the agent looks for no trips: events.trips is off")
            }
        }
        return JSONValue.members(("mode", .string(mode.name)), ("wasUnderWay", .boolean(!trips.isEmpty))).bytes
    }

    func keep(_ waypoints: [UInt8]) async throws -> [UInt8] {
        let kept = try WaypointCodec.geoJSON(of: waypoints)
        try await places.keepPlaces(kept.bytes)
        return JSONValue.members(("kept", .whole(kept.count))).bytes
    }

    /// Returns the places as an OwnTracks message, without places that have a privacy setting.
    func waypoints() async throws -> [UInt8] {
        let hidden = agent.configuration.events.places.filter { $0.privacy != .none }
        return try WaypointCodec.waypoints(
            of: try await places.places(), except: Set(hidden.map { $0.id ?? $0.name }))
    }
}
