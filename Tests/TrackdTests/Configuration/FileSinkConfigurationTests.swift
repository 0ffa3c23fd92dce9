import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineSimulated

/// `type: file` in a configuration.
@Suite struct FileSinkConfigurationTests {
    private func settings(_ keys: String) throws -> FileSink.Configuration? {
        let configuration = try Given.configuration("sinks: [{type: file, directory: /srv/tracks\(keys)}]")
        return (configuration.sinks.first?.kind as? FileSettings)?.configuration
    }

    @Test func `a directory is enough`() throws {
        let settings = try #require(try settings(""))
        #expect(settings.directory == "/srv/tracks")
        #expect(settings.format == .gpx && settings.rotation == .day && settings.prefix == "track" && !settings.gzip)
        #expect(settings.keepDays == 0 && settings.maxBytes == 0 && settings.fileSize == nil)
    }

    @Test func `every key is read and shown again`() throws {
        let keys =
            ", format: csv, rotation: size, fileSize: 65536, gzip: true, keepDays: 30, maxBytes: 1000000, prefix: a-1"
        let settings = try #require(try settings(keys))
        #expect(settings.format == .csv && settings.rotation == .size && settings.fileSize == 65_536 && settings.gzip)
        #expect(settings.keepDays == 30 && settings.maxBytes == 1_000_000 && settings.prefix == "a-1")
        let shown = try Given.configuration("sinks: [{type: file, directory: /srv/tracks\(keys)}]").effectiveYAML
        let again = try #require(try Given.configuration(shown).sinks.first?.kind as? FileSettings)
        #expect(again.configuration == settings)
    }

    @Test func `sizes are written as those of the store are`() throws {
        let settings = try #require(try settings(", fileSize: 64 KiB, maxBytes: 10MB"))
        #expect(settings.fileSize == 65_536 && settings.maxBytes == 10_000_000)
    }

    @Test func `Trace's preset is hourly GeoJSON, and a key beside it holds`() throws {
        let trace = try #require(try settings(", preset: trace"))
        #expect(trace.format == .geojson && trace.rotation == .hour && trace.prefix == "trace")
        let daily = try #require(try settings(", rotation: day, preset: trace"))
        #expect(daily.format == .geojson && daily.rotation == .day)
        let shown = try Given.configuration(
            "sinks: [{type: file, directory: /srv/tracks, preset: trace, format: csv}]"
        ).effectiveYAML
        let again = try #require(try Given.configuration(shown).sinks.first?.kind as? FileSettings)
        #expect(again.configuration.format == .csv && again.configuration.rotation == .hour && again.preset == .trace)
    }

    @Test(arguments: [
        (", format: kml", "format"),
        (", rotation: week", "rotation"),
        (", rotation: size", "fileSize"),
        (", fileSize: 1023", "fileSize"),
        (", gzip: 9", "gzip"),
        (", keepDays: -1", "keepDays"),
        (", fileSize: 1GB, maxBytes: 1MB", "fileSize"),
        (", rotation: size, fileSize: much", "fileSize"),
        (", maxBytes: 65535", "maxBytes"),
        (", maxBytes: 65536, fileSize: 65537", "fileSize"),
        (", prefix: ../etc", "prefix"),
        (", prefix: a_b", "prefix"),
        (", preset: traces", "preset"),
        (", path: /x", "path"),
        (", directry: /x", "directry"),
    ])
    func `what cannot be is refused once, with what was expected`(_ keys: String, _ key: String) {
        let problems = Given.problems("sinks: [{type: file, directory: /srv/tracks\(keys)}]")
        expectMessages(problems, begin: ["trackd.yaml:1: sinks.file.\(key)"], as: "directory\(keys)")
    }

    @Test(arguments: ["{type: file}", "{type: file, directory: tracks}", "{type: file, directory: /}"])
    func `the directory is an absolute path, and not the root`(_ sink: String) {
        let problems = Given.problems("sinks: [\(sink)]")
        #expect(problems.count == 1 && problems[0].contains("sinks.file.directory = "), "\(problems)")
    }

    @Test func `two sinks do not share a directory`() {
        let problems = Given.problems(
            """
            sinks:
            - {type: file, name: a, directory: /srv/tracks}
            - {type: file, name: b, directory: /srv//tracks/., format: csv}
            - {type: file, name: c, directory: /srv/tracks/c}
            """)
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains("sinks.b.directory") ?? false, "\(problems)")
    }

    @Test func `what can be read can be put together`() async throws {
        let keys = [
            "format: csv", "rotation: trip", "rotation: size", "fileSize: 4096", "fileSize: 100000000", "gzip: true",
            "keepDays: 36500", "maxBytes: 65536", "prefix: -", "preset: trace", "maxBatchSize: 1", "name: home",
        ]
        var chance = SplitMix64(seed: 5)
        var accepted = 0
        for round in 0..<200 {
            let chosen = keys.shuffled(using: &chance).prefix(Int.random(in: 0...4, using: &chance))
            let sink = (["type: file, directory: /nowhere/tracks"] + chosen).joined(separator: ", ")
            guard let configuration = try? Given.configuration("sources: []\nsinks: [{\(sink)}]") else { continue }
            accepted += 1
            let sinks = try configuration.sinks.map { sink throws(ConfigurationError) in
                try sink.kind.makeSink(named: sink.name, .sample())
            }
            #expect(sinks.count == 1, "round \(round)")
        }
        #expect((100..<200).contains(accepted), "\(accepted)")
    }
}
