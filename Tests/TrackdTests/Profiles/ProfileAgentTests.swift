import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// `trackd run` with profiles, as real processes.
@Suite(.timeLimit(.minutes(30))) struct ProfileAgentTests {
    private static let base = "device: {id: van-7}\nsources: [{type: simulated, rate: 10}]\n"
    private static let always = "profiles: {schedule: {windows: [{tracking: %}]}}\n"

    private func status(_ agent: RunningAgent) async throws -> JSONValue {
        try JSONValue.parse(try await agent.trackd("status", "--json").text.utf8)
    }

    private func source(_ agent: RunningAgent) async -> JSONValue? {
        // An agent that has just been started does not answer yet.
        (try? await status(agent))?["sources"]?.array?.first
    }

    @Test func `status tells the profile and its reason, and a reload changes both`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let coarse = Self.base + Self.always.replacing("%", with: "coarse")
            let agent = try RunningAgent(folder, coarse)
            await agent.prints("another tracking profile holds because=schedule 00:00 to 24:00 profile=coarse")
            await agent.prints("source simulated: moving")
            #expect(try await agent.trackd("status").text.contains("tracking: coarse because schedule 00:00 to 24:00"))
            let tracking = try await status(agent)["tracking"]
            #expect(tracking?["profile"]?.string == "coarse" && tracking?["because"]?.string == "schedule")
            try RunningAgent.write(coarse + "tracking: {minimumAccuracy: 90}\n", folder)
            agent.child.send(SIGHUP)
            await agent.prints("configuration applied keys=tracking.minimumAccuracy")
            #expect(try await agent.trackd("status").text.contains("tracking: coarse because"))
            try RunningAgent.write(Self.base + "tracking: {minimumAccuracy: 90}\n", folder)
            agent.child.send(SIGHUP)
            await agent.prints("tracking is as configured: there are no rules any more")
            #expect(try await status(agent)["tracking"] == nil)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            #expect(agent.child.text.components(separatedBy: "another tracking profile holds").count == 2)
        }
    }

    @Test func `while tracking is off what waits is delivered, and nothing is recorded, until a reload ends it`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let sink = "sinks: [{type: file, directory: \(folder)/out, syncThreshold: 1, autoSync: %}]\n"
            let first = try RunningAgent(folder, Self.base + sink.replacing("%", with: "false"))
            await eventually("something waits") { await source(first)?["recorded"]?.number ?? 0 > 2 }
            first.child.send(SIGKILL)
            _ = await first.end()
            let plain = Self.base + sink.replacing("%", with: "true")
            let second = try RunningAgent(folder, plain + Self.always.replacing("%", with: "\"off\""))
            await second.prints("because=schedule 00:00 to 24:00 profile=off")
            await eventually("what waited is delivered") {
                let sink = (try? await status(second))?["sinks"]?.array?.first
                return sink?["queued"]?.number == 0 && sink?["delivered"]?.number ?? 0 > 2
            }
            // Looks as seldom as in standby.
            await eventually("a fix is dropped") {
                await source(second)?["rejected"]?["off"]?.number ?? 0 > 0
            }
            #expect(await source(second)?["recorded"]?.number == 0)
            #expect(await source(second)?["latest"] == nil)
            let trip = try await second.trackd("trip", "start", "--mode", "bicycle")
            #expect(trip.status != 0)
            try RunningAgent.write(plain, folder)
            second.child.send(SIGHUP)
            await eventually("it tracks") { await source(second)?["causes"]?["resumed"]?.number == 1 }
            second.child.send(SIGTERM)
            #expect(await second.end() == 0)
        }
    }

    @Test func `at a place where tracking is off nothing is kept, over kills as well`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let yaml =
                Self.base + "tracking: {standbyInterval: 1}\n"
                + "events: {places: [{name: Home, latitude: 52.52, longitude: 13.405, radius: 60, tracking: off}]}\n"
            for _ in 0..<2 {
                let agent = try RunningAgent(folder, yaml)
                await agent.prints("because=a place where tracking is off")
                await eventually("a fix is dropped") { await source(agent)?["rejected"]?["off"]?.number ?? 0 > 0 }
                let now = try await status(agent)
                // On a slow machine it may have left by now.
                if now["tracking"]?["profile"]?.string == "off" {
                    let source = now["sources"]?.array?.first
                    #expect(source?["latest"] == nil && source?["context"] == nil)
                }
                agent.child.send(SIGKILL)
                _ = await agent.end()
                #expect(!agent.child.text.contains("Home"))
            }
            let last = try RunningAgent(folder, yaml)
            await eventually("it has left home") {
                await source(last)?["recorded"]?.number ?? 0 > 1
            }
            #expect(try await last.trackd("status").text.contains("tracking: normal because no rule applies"))
            last.child.send(SIGTERM)
            #expect(await last.end() == 0)
            let lines = try await last.trackd("export", "--format", "ndjson").text.split(separator: "\n")
            let home = Coordinate(latitude: 52.52, longitude: 13.405)
            let places = try lines.map { try JSONValue.parse($0.utf8)["coords"] }.map { coords in
                let (latitude, longitude) = (coords?["latitude"]?.number, coords?["longitude"]?.number)
                return try Coordinate(latitude: #require(latitude), longitude: #require(longitude))
            }
            #expect(!places.isEmpty && places.allSatisfy { $0.distance(to: home) > 60 })
        }
    }

    @Test func `what was configured from afar and a profile do not overwrite each other`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            try #"{"version":1,"values":{"tracking.distanceFilter":"7"}}"#
                .write(toFile: folder + "/state/remote.json", atomically: true, encoding: .utf8)
            let base = Self.base + "control: {remoteKeys: [tracking.distanceFilter]}\n"
            let rules = Self.always.replacing("%", with: "coarse")
            let agent = try RunningAgent(folder, base + rules)
            await agent.prints("source simulated: moving")
            #expect(try await agent.trackd("remote", "show").text.contains("tracking.distanceFilter = 7"))
            #expect(try await agent.trackd("status").text.contains("tracking: coarse because"))
            #expect(try await agent.trackd("remote", "clear").text == "taken back: tracking.distanceFilter\n")
            #expect(try await agent.trackd("status").text.contains("tracking: coarse because"))
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }
}
