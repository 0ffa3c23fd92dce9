import Logging
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineGPSD
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineSimulated

/// Each row of the configuration becomes the source or sink that it names.
@Suite struct CompositionTests {
    private let context = PluginContext.sample(environment: ["TOKEN": "secret"])

    @Test func `a gpsd row is one live source`() throws {
        let sources = try SourceConfiguration(name: "roof", kind: GPSDSettings()).makeSources(context)
        #expect(sources.map(\.id) == ["roof"])
        #expect(sources.map(\.timeBase) == [.arrival])
    }

    @Test func `a simulated row is a source for each vehicle`() throws {
        var kind = SimulatedSettings()
        kind.vehicles = 3
        let sources = try SourceConfiguration(name: "sim", kind: kind).makeSources(context)
        #expect(sources.map(\.id) == ["sim", "sim-2", "sim-3"])
    }

    @Test func `a replay row is one source on the fixes' time, however many files it has`() throws {
        var kind = ReplaySettings()
        kind.paths = ["a.nmea", "b.nmea"]
        let sources = try SourceConfiguration(name: "drive", kind: kind).makeSources(context)
        #expect(sources.map(\.id) == ["drive"])
        #expect(sources.map(\.timeBase) == [.fixTime])
    }

    @Test func `an overland row is a sink with its rhythm, and its secrets are fetched`() async throws {
        var kind = OverlandSettings()
        kind.configuration.url = "https://example.org/api"
        kind.token = .environment("TOKEN")
        var row = SinkConfiguration(name: "home", kind: kind)
        row.sync.syncThreshold = 5
        let binding = try row.makeSink(context)
        #expect(binding.sink.id == "home")
        #expect(binding.sync.syncThreshold == 5)
        await binding.sink.close()
    }

    @Test func `a secret that cannot be had is named by its key, without its value`() {
        var kind = OverlandSettings()
        kind.configuration.url = "https://example.org/api"
        kind.token = .environment("MISSING")
        #expect {
            try SinkConfiguration(name: "home", kind: kind).makeSink(context)
        } throws: { error in
            let problem = (error as? ConfigurationError)?.problems.first
            return problem?.key == "sinks.home.token" && problem?.value == "***"
        }
    }

    @Test(arguments: [true, false])
    func `where gpsd answers it is the source, else a vehicle drives`(isPresent: Bool) async {
        var gpsd = GPSDSource.plugin
        gpsd = SourcePlugin(
            GPSDSettings.self,
            detection: gpsd.detection.map { detection in
                .init(present: detection.present, absent: detection.absent, isPresent: { isPresent })
            })
        let selected = await SourceChoice(.automatic, among: [gpsd, SimulatedSource.plugin])
        #expect(selected.configurations.map(\.name) == [isPresent ? "gpsd" : "simulated"])
        let expected =
            isPresent
            ? "gpsd answers on localhost:2947: fixes come from it"
            : "no gpsd on localhost:2947: a simulated vehicle drives instead"
        #expect(selected.description == expected)
    }
}
