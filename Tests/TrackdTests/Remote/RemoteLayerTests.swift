import Foundation
import Logging
import TestSupport
import Testing
import TrackEngineAgent

/// What was configured from afar, as a layer of the configuration.
@Suite struct RemoteLayerTests {
    private let allowed = "control: {remoteKeys: [tracking.distanceFilter, tracking.stillAfter, log.level]}\n"

    private func load(
        _ yaml: String, _ remote: String, options: [String] = [],
        by reading: (ConfigurationReader) throws -> AgentConfiguration = { try $0.load() }
    ) async throws -> AgentConfiguration {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try yaml.write(toFile: folder + "/trackd.yaml", atomically: true, encoding: .utf8)
            try remote.write(toFile: folder + "/remote.json", atomically: true, encoding: .utf8)
            let loader = ConfigurationReader(
                file: folder + "/trackd.yaml", options: options, environment: [:], stateDirectory: folder)
            return try reading(loader)
        }
    }

    private let kept = """
        {"version":1,"values":{"tracking.distanceFilter":"7"},"since":{"tracking.distanceFilter":"2026-03-01T10:00:00Z"}}
        """

    @Test func `a value from afar is marked where the configuration is shown, and no other`() async throws {
        let yaml = try await load(allowed + "tracking: {distanceFilter: 50}", kept).markedYAML
        #expect(yaml.contains("  distanceFilter: 7  # remote since 2026-03-01T10:00:00Z\n"))
        #expect(yaml.split(separator: "#").count == 2)
        #expect(try Given.configuration(yaml).tracking.distanceFilter == 7)
    }

    @Test func `a value that the command line overrides is not marked`() async throws {
        let yaml = try await load(allowed, kept, options: ["tracking.distanceFilter=9"]).markedYAML
        #expect(yaml.contains("  distanceFilter: 9\n") && !yaml.contains("#"))
    }

    @Test func `a value that does not fit the configuration any more does not hold, alone, and that is told`()
        async throws
    {
        let loaded = try await load(
            allowed,
            #"{"version":1,"values":{"log.level":"debug","tracking.distanceFilter":"50","tracking.stillAfter":"x50.08"}}"#
        )
        #expect(loaded.tracking.distanceFilter == 50 && loaded.log.level == .debug)
        #expect(loaded.tracking.stillAfter == AgentConfiguration(stateDirectory: "/").tracking.stillAfter)
        #expect(loaded.remote.remarks.count == 1)
        let remark = try #require(loaded.remote.remarks.first)
        #expect(remark.contains("tracking.stillAfter does not hold: expected") && !remark.contains("50.08"))
        #expect(loaded.remote.lines.contains { $0.hasPrefix("tracking.stillAfter = x50.08, does not hold: expected") })
        #expect(loaded.remote.json?["problem"]?.string?.contains("tracking.stillAfter") == true)
        #expect(loaded.remote.json?["values"]?["tracking.stillAfter"]?["problem"] != nil)
        #expect(loaded.remote.json?["values"]?["log.level"]?["problem"] == nil)
    }

    @Test(arguments: [
        ("tracking.distanceFilter", "control: {remoteKeys: [log.level]}"),
        ("store.maxRecords", "store: {maxRecords: 7000}"),
    ])
    func `a value of a key that may not be changed any more does not hold, and that is told`(
        _ key: String, _ yaml: String
    ) async throws {
        let loaded = try await load(yaml, #"{"version":1,"values":{"\#(key)":"7"}}"#)
        #expect(loaded.tracking.distanceFilter != 7 && loaded.store.retention.maxRecords != 7)
        #expect(loaded.remote.values.texts == [key: "7"], "it is kept: the operator may take it back")
        expectMessages(loaded.remote.remarks, begin: ["\(key) does not hold"], as: key)
        #expect(!loaded.markedYAML.contains("#"))
    }

    @Test(arguments: ["2026-03-01T10:05:00Z", "2199-01-01T00:00:00Z"])
    func `what is on trial does not hold for the next run, and that is told`(_ end: String) async throws {
        let text = """
            {"version":1,"values":{"log.level":"debug","tracking.distanceFilter":"9"},"before":{"log.level":"debug"},\
            "until":"\(end)"}
            """
        let next = try await load(allowed, text) { try $0.loadForRun() }
        #expect(next.log.level == .debug && next.tracking.distanceFilter != 9)
        #expect(next.remote.values.texts == ["log.level": "debug"] && next.remote.values.trial == nil)
        #expect(next.remote.remarks == ["tracking.distanceFilter = 9 is on trial: the next start undoes it"])
        #expect(next.remote.lines == ["log.level = debug"] + next.remote.remarks)
        // An agent that runs reads it, too, and for that one it holds.
        #expect(try await load(allowed, text).tracking.distanceFilter == 9)
    }

    @Test func `a value that does not fit is no reason to refuse another key`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try allowed.write(toFile: folder + "/trackd.yaml", atomically: true, encoding: .utf8)
            let loader = ConfigurationReader(file: folder + "/trackd.yaml", environment: [:], stateDirectory: folder)
            var values = RemoteValues()
            values.values = ["tracking.stillAfter": .init("never"), "tracking.distanceFilter": .init("7")]
            let changed = try loader.load(with: values, changing: ["tracking.distanceFilter"])
            #expect(
                changed.tracking.distanceFilter == 7 && changed.remote.withheld.keys.sorted() == ["tracking.stillAfter"]
            )
            let error = #expect(throws: AgentConfigurationError.self) {
                try loader.load(with: values, changing: ["tracking.stillAfter"])
            }
            let said = try #require(error?.problems.first?.withoutValue)
            #expect(said.hasPrefix("tracking.stillAfter: expected ") && !said.contains("never"))
        }
    }

    @Test func `a damaged file holds nothing, and that is told`() async throws {
        let loaded = try await load("tracking: {distanceFilter: 50}", "{")
        #expect(loaded.tracking.distanceFilter == 50)
        #expect(loaded.remote.problem?.contains("remote.json: ") == true)
    }
}
