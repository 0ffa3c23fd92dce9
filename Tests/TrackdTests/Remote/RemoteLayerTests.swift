import Foundation
import TestSupport
import Testing
import TrackEngineAgent

/// What was configured from afar, as a layer of the configuration.
@Suite struct RemoteLayerTests {
    private func load(_ yaml: String, _ remote: String, options: [String] = []) async throws -> AgentConfiguration {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try yaml.write(toFile: folder + "/trackd.yaml", atomically: true, encoding: .utf8)
            try remote.write(toFile: folder + "/remote.json", atomically: true, encoding: .utf8)
            let loader = ConfigurationLoader(
                file: folder + "/trackd.yaml", options: options, environment: [:], stateDirectory: folder)
            return try loader.load()
        }
    }

    private let kept = """
        {"version":1,"values":{"tracking.distanceFilter":"7"},"since":{"tracking.distanceFilter":"2026-03-01T10:00:00Z"}}
        """

    @Test func `a value from afar is marked where the configuration is shown, and no other`() async throws {
        let yaml = try await load("tracking: {distanceFilter: 50}", kept).markedYAML
        #expect(yaml.contains("  distanceFilter: 7  # from afar since 2026-03-01T10:00:00Z\n"))
        #expect(yaml.split(separator: "#").count == 2)
        #expect(try Given.configuration(yaml).tracking.distanceFilter == 7)
    }

    @Test func `a value that the command line overrides is not marked`() async throws {
        let yaml = try await load("", kept, options: ["tracking.distanceFilter=9"]).markedYAML
        #expect(yaml.contains("  distanceFilter: 9\n") && !yaml.contains("#"))
    }

    @Test func `values that do not fit the configuration any more do not hold, and that is told`() async throws {
        let loaded = try await load("", #"{"version":1,"values":{"tracking.distanceFilter":"far"}}"#)
        #expect(loaded.tracking.distanceFilter == AgentConfiguration(stateDirectory: "/").tracking.distanceFilter)
        let problem = try #require(loaded.remote.problem)
        #expect(problem.contains("does not fit the configuration, and nothing of it holds: tracking.distanceFilter"))
    }

    @Test func `a damaged file holds nothing, and that is told`() async throws {
        let loaded = try await load("tracking: {distanceFilter: 50}", "{")
        #expect(loaded.tracking.distanceFilter == 50)
        #expect(loaded.remote.problem?.contains("remote.json: expected what trackd has written") == true)
    }
}
