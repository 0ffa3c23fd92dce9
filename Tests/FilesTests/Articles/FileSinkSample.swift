import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// The sample of the library's page.
@Suite struct FileSinkSample {
    @Test func `a program makes a sink of its own`() async throws {
        try await withDirectory { place in
            let directory = place.path
            var configuration = FileSink.Configuration(directory: directory)
            configuration.format = .geojson
            configuration.rotation = .hour
            configuration.gzip = true
            let sink = try FileSink(id: "tracks", configuration: configuration)
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            #expect(place.names == ["track_2026-03-01T10Z.geojson.part"])
        }
    }
}
