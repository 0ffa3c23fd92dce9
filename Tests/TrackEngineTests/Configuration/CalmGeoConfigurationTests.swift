import TestSupport
import Testing
import TrackEngine

@Suite("CalmGeo's table")
struct CalmGeoConfigurationTests {
    @Test
    func `has its defaults, key by key`() {
        let table = CalmGeoConfiguration()
        #expect(table.desiredAccuracy.rawValue == -1)
        #expect(table.distanceFilter == 16)
        #expect(!table.disableSpeedMultiplier)
        #expect(table.speedMultiplier == 3.1)
        #expect(table.stationaryRadius == 25)
        #expect(table.url == nil)
        #expect(table.token == nil)
        #expect(table.httpTimeout == 10_000)
        #expect(table.method == .post)
        #expect(!table.autoSync)
        #expect(table.syncThreshold == 12)
        #expect(table.maxBatchSize == 250)
        #expect(table.maxDaysToPersist == 7)
        #expect(!table.fetchActivity)
        #expect(throws: Never.self) { try table.validated() }
    }

    @Test
    func `makes the recording configuration of its recording keys`() {
        var table = CalmGeoConfiguration()
        table.desiredAccuracy = .kilometer
        table.distanceFilter = 30
        table.disableSpeedMultiplier = true
        table.speedMultiplier = 2
        table.stationaryRadius = 40
        table.fetchActivity = true
        var expected = RecordingConfiguration()
        expected.desiredAccuracy = .kilometer
        expected.distanceFilter = 30
        expected.disableSpeedMultiplier = true
        expected.speedMultiplier = 2
        expected.stationaryRadius = 40
        expected.fetchActivity = true
        #expect(table.recording == expected)
    }

    @Test
    func `makes retention and sync of its delivery keys`() {
        var table = CalmGeoConfiguration()
        table.autoSync = true
        table.syncThreshold = 3
        table.maxBatchSize = 20
        table.maxDaysToPersist = 30
        #expect(table.sync == SyncConfiguration(autoSync: true, syncThreshold: 3, maxBatchSize: 20))
        #expect(table.retention == RetentionConfiguration(maxDaysToPersist: 30))
        #expect(table.recording == RecordingConfiguration())
    }

    @Test
    func `no key is without effect`() {
        let parts = { (table: CalmGeoConfiguration) in
            [
                AnyHashable(table.recording), AnyHashable(table.retention), AnyHashable(table.sync),
                // What a sink for the address takes; TrackEngineHTTP's tests say that it does.
                AnyHashable([table.url, table.token?.revealed, "\(table.httpTimeout)", table.method.rawValue]),
            ]
        }
        let changes: [String: @Sendable (inout CalmGeoConfiguration) -> Void] = [
            "desiredAccuracy": { $0.desiredAccuracy = .kilometer }, "distanceFilter": { $0.distanceFilter = 1 },
            "disableSpeedMultiplier": { $0.disableSpeedMultiplier = true },
            "speedMultiplier": { $0.speedMultiplier = 1 }, "stationaryRadius": { $0.stationaryRadius = 1 },
            "fetchActivity": { $0.fetchActivity = true }, "url": { $0.url = "https://example.org" },
            "token": { $0.token = Secret("t") }, "httpTimeout": { $0.httpTimeout = 100 },
            "method": { $0.method = .put }, "autoSync": { $0.autoSync = true },
            "syncThreshold": { $0.syncThreshold = 1 }, "maxBatchSize": { $0.maxBatchSize = 1 },
            "maxDaysToPersist": { $0.maxDaysToPersist = 1 },
        ]
        let keys = Mirror(reflecting: CalmGeoConfiguration()).children.compactMap(\.label)
        #expect(Set(keys) == Set(changes.keys), "a key of the table is missing in this test")
        for (key, change) in changes {
            var table = CalmGeoConfiguration()
            change(&table)
            #expect(parts(table) != parts(CalmGeoConfiguration()), "\(key)")
        }
    }

    @Test
    func `all problems of all parts are told at once`() {
        var table = CalmGeoConfiguration()
        table.distanceFilter = -1
        table.httpTimeout = 0
        table.syncThreshold = 0
        table.maxBatchSize = 10_001
        table.maxDaysToPersist = 36_501
        let error = #expect(throws: ConfigurationError.self) { try table.validated() }
        expectMessages(
            error?.problems.map(\.description),
            begin: ["distanceFilter", "httpTimeout", "maxDaysToPersist", "syncThreshold", "maxBatchSize"])
    }

    @Test
    func `a token shows in no dump`() {
        var table = CalmGeoConfiguration()
        table.token = Secret("canary-token")
        var text = ""
        dump(table, to: &text)
        text += "\(table)" + String(reflecting: table)
        #expect(!text.contains("canary"))
        #expect(text.contains("***"))
    }
}
