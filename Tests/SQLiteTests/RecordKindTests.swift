import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Events that are far apart, found without handing over what lies between.
@Suite struct RecordKindTests {
    @Test(arguments: [nil, StoreKey(bytes: Array(repeating: 7, count: 32))])
    func `records of a kind are found however many others lie between`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var configuration = SQLiteFixStore.Configuration(directory: directory + "/store")
            configuration.key = key
            let store = try await SQLiteFixStore.open(configuration: configuration)
            var events: [RecordSequence] = []
            for count in [1, 4_500, 1, 3_000] {
                _ = try await store.append(SampleRecords.records(count: count).map(\.draft), checkpoint: nil)
                events += try await store.append([Self.event], checkpoint: nil).map(\.sequence)
            }
            func found(after place: Int64, limit: Int) async throws -> [RecordSequence] {
                let place = RecordSequence(rawValue: place)
                return try await store.records(after: place, kinds: .transition, limit: limit).map(\.sequence)
            }
            #expect(try await found(after: 0, limit: 9) == events)
            #expect(try await found(after: 0, limit: 2) == Array(events[..<2]))
            #expect(try await found(after: events[1].rawValue, limit: 9) == Array(events[2...]))
            #expect(try await found(after: events[3].rawValue, limit: 9) == [])
            #expect(try await store.records(after: .zero, kinds: .location, limit: 9_999).count == 7_502)
            await store.close()
        }
    }

    private static let event: RecordDraft = {
        let fix = SampleRecords.record(1).fix
        let place = PlaceName(id: "stop", name: "Stop")
        let transition = Transition(
            event: .enter, place: place, centre: fix.coordinate, radius: 50, created: fix.time)
        return RecordDraft(
            id: RecordID(device: "sample", source: "events", fix: fix, cause: .distance), fix: fix, isMoving: false,
            cause: .distance, source: "sample", content: .transition(transition))
    }()
}
