import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineGPSD
import TrackEnginePlaces
import TrackEngineSettings
import TrackEngineSimulated

/// The agent without a configuration and without a receiver.
@Suite struct DemonstrationTests {
    private func loader(options: [String] = []) async -> ConfigurationReader {
        var loader = ConfigurationReader(options: options, environment: [:], stateDirectory: "/state")
        loader.demonstration = await SourceChoice(automatic: [SimulatedSource.plugin]).demonstration
        return loader
    }

    @Test func `a trip and a visit at a named place are found within three minutes`() async throws {
        let configuration = try await loader().load()
        let selected = await SourceChoice(automatic: [SimulatedSource.plugin])
        let sources = try selected.configurations.first?.makeSources(.sample())
        let source = try #require(sources?.first as? SimulatedSource)
        var drive = source.configuration
        drive.duration = .seconds(180)
        let detector = try configuration.events.detector(of: "van-7")
        var run = EventRun(
            configuration.tracking, try #require(detector), device: "van-7",
            wallClock: SimulatedSource.Configuration.defaultStartTime, privacyFilter: nil)
        var (places, ends): ([String?], [String?]) = ([], [])
        for epoch in try SimulatedDrive(drive) {
            guard let fix = epoch.fix else { continue }
            run.process(fix) { record in
                switch record.content {
                case .visit(let visit): places.append(visit.place?.name)
                case .trip(let trip): if let end = trip.end { ends.append(end.place?.name) }
                case .location, .transition, .action, .heartbeat, .power: break
                }
            }
        }
        #expect(places.contains("Work"))
        #expect(ends == ["Work"])
        #expect(configuration.tracking.fetchActivity)
    }

    @Test func `options are above it, and a file or a receiver replaces it`() async throws {
        let configuration = try await loader(options: ["events.trips=false"]).load()
        #expect(configuration.events.detected.visits && !configuration.events.detected.trips)
        #expect(configuration.events.places.map(\.name) == ["Work", "Shop", "Home"])
        #expect(configuration.sources == .automatic)
        let receiver = SourcePlugin(
            GPSDSettings.self, detection: .init(present: "here", absent: "not here", isPresent: { true }))
        #expect(await SourceChoice(automatic: [receiver, SimulatedSource.plugin]).demonstration == nil)
    }
}
