import Testing
import TrackEngineAgent
import TrackEngineHistory
import TrackEngineSettings

/// `type: history` in a configuration.
@Suite struct HistorySinkConfigurationTests {
    private func settings(_ keys: String) throws -> HistorySettings? {
        let configuration = try Given.configuration("sinks: [{type: history, directory: /srv/history\(keys)}]")
        return configuration.sinks.first?.kind as? HistorySettings
    }

    @Test func `a directory is enough, and everything is kept`() throws {
        let settings = try #require(try settings(""))
        #expect(settings.directory == "/srv/history" && settings.keepDays == 0 && settings.maxBytes == 0)
    }

    @Test func `every key is read and shown again`() throws {
        let keys = ", keepDays: 365, maxBytes: 8 GB"
        let settings = try #require(try settings(keys))
        #expect(settings.keepDays == 365 && settings.maxBytes == 8_000_000_000)
        let shown = try Given.configuration("sinks: [{type: history, directory: /srv/history\(keys)}]").effectiveYAML
        let again = try Given.configuration(shown).sinks.first?.kind as? HistorySettings
        #expect(again?.keepDays == 365 && again?.maxBytes == 8_000_000_000)
    }
}
