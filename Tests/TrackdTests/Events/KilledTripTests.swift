import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// Trips that last while the agent is killed, and is started again hours later.
@Suite(.timeLimit(.minutes(30))) struct KilledTripTests {
    private static func yaml(_ folder: String, _ track: PipedTrack) -> String {
        """
        device: {id: van-7}
        \(track.sources)
        store: {path: \(folder)/state, maxDaysToPersist: 0}
        tracking: {distanceFilter: 0, disableSpeedMultiplier: true}
        events: {visits: true, trips: true}
        """
    }

    /// A trip as it was told.
    private struct Told: Hashable {
        let id: String?
        let start: String?
        let end: String?
        let startedBy: String?
        let endedBy: String?

        init(_ record: JSONValue) {
            let trip = record["trip"]
            (id, start) = (trip?["id"]?.string, trip?["start"]?["time"]?.string)
            (end, startedBy) = (trip?["end"]?["time"]?.string, trip?["startedBy"]?.string)
            endedBy = trip?["endedBy"]?.string
        }
    }

    private static func trips(_ agent: RunningAgent) async throws -> [Told] {
        try await agent.stored("trip").map { Told($0) }
    }

    private static func time(_ second: Int64) -> String {
        Timestamp(secondsSince1970: PipedTrack.start + second).rfc3339(.milliseconds)
    }

    /// Feeds an agent until a trip lasts, kills it, and has another one read what came hours later.
    private static func killed(
        while travel: (RunningAgent, PipedTrack) async throws -> Void, then later: (PipedTrack) -> Void,
        _ check: (RunningAgent, Told) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let track = try PipedTrack(in: folder)
            let first = try RunningAgent(folder, yaml(folder, track))
            try await track.open()
            try await travel(first, track)
            let before = try await trips(first)
            #expect(before.count == 1 && before.first?.end == nil)
            await first.kill()
            let trip = try #require(before.first)
            track.close()
            later(track)
            try track.becomeFile()
            let second = try RunningAgent(folder, yaml(folder, track))
            await second.reachesEnd()
            try await check(second, trip)
            await second.finish()
        }
    }

    /// On the way long enough for a trip that begins by itself.
    private static func drive(_ agent: RunningAgent, _ track: PipedTrack) async throws {
        track.feed(0..<400, metres: 0, speed: 10)
        await eventually("a trip has begun") { (try? await trips(agent).count) == 1 }
        await agent.stores(40)
    }

    /// On a trip that was begun by hand, on too short a way for one that begins by itself.
    private static func rideByHand(_ agent: RunningAgent, _ track: PipedTrack) async throws {
        track.feed(0..<100, metres: 0, speed: 1)
        await agent.stores(10)
        #expect(try await agent.trackd("trip", "start", "--mode", "bicycle").status == 0)
        track.feed(100, metres: 100, speed: 1)
        await agent.stores(11)
    }

    /// On a trip that was begun by hand at a stop.
    private static func rest(_ agent: RunningAgent, _ track: PipedTrack) async throws {
        track.feed(0..<600, metres: 0)
        await eventually("it rests") { (try? await agent.stored("visit").count) == 1 }
        #expect(try await agent.trackd("trip", "start", "--mode", "tram").status == 0)
    }

    /// Five hours after a trip: ten minutes of rest, and then a drive.
    private static func hoursLater(at metres: Double) -> (PipedTrack) -> Void {
        { track in
            track.feed(18_000..<18_600, metres: metres)
            track.feed(18_600..<19_000, metres: metres, speed: 10)
        }
    }

    @Test(arguments: [3_900.0, 9_000])
    func `an automatic trip ends once, at its last fix, under its id, wherever the object is hours later`(
        _ metres: Double
    ) async throws {
        try await Self.killed(while: Self.drive, then: Self.hoursLater(at: metres)) { agent, trip in
            #expect(trip.startedBy == "automatic")
            let told = try await Self.trips(agent)
            let next = told.last?.id
            #expect(told.map(\.id) == [trip.id, trip.id, next, next] && next != trip.id, "\(told)")
            let end = told.dropFirst().first
            #expect(told.first == trip && end?.start == trip.start && told.last?.endedBy == "recording")
            #expect(end?.end == Self.time(390) && end?.endedBy == "gap", "\(told)")
        }
    }

    @Test func `a trip under way is listed without figures, because its record has those of its beginning`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let track = try PipedTrack(in: folder)
            let agent = try RunningAgent(folder, Self.yaml(folder, track))
            try await track.open()
            try await Self.drive(agent, track)
            let running = try await agent.trackd("trips").text
            #expect(running.split(separator: "\n").count == 1 && running.contains("so far, car, ? to …"), "\(running)")
            #expect(!running.contains(" km"))
            #expect(try await agent.trackd("trip", "stop").status == 0)
            let ended = try await agent.trackd("trips").text
            #expect(ended.contains("6 min, ") && ended.contains(" km, car, ? to ?"), "\(ended)")
            await agent.finish()
        }
    }

    @Test func `a trip by hand on the way ends once with the gap, at its last fix`() async throws {
        try await Self.killed(while: Self.rideByHand, then: Self.hoursLater(at: 9_000)) { agent, trip in
            #expect(trip.startedBy == "requested" && trip.start == Self.time(90))
            let told = try await Self.trips(agent)
            let next = told.last?.id
            #expect(told.map(\.id) == [trip.id, trip.id, next, next] && next != trip.id, "\(told)")
            let end = told.dropFirst().first
            #expect(end?.end == Self.time(100) && end?.endedBy == "gap", "\(told)")
        }
    }

    @Test func `a trip by hand at a stop goes on until the recording ends`() async throws {
        try await Self.killed(while: Self.rest, then: Self.hoursLater(at: 0)) { agent, trip in
            let told = try await Self.trips(agent)
            #expect(told.map(\.id) == [trip.id, trip.id], "\(told)")
            #expect(told.last?.endedBy == "recording" && told.last?.end == Self.time(18_990), "\(told)")
            expectMessage(try await agent.trackd("trip", "stop").text)
        }
    }
}
