import TrackEngine
import TrackEngineFiles

func records(ofFile path: String) async throws -> [TrackRecord] {
    let store = InMemoryFixStore()
    var configuration = Tracker.Configuration(
        device: "van-7", store: store, sources: [try ReplaySource(configuration: .init(path: path))])
    configuration.retention.maxDaysToPersist = 0
    let tracker = try Tracker(configuration: configuration)
    try await tracker.run(until: .sourcesFinished)

    var records: [TrackRecord] = []
    while true {
        let page = try await tracker.storedRecords(after: records.last?.sequence ?? .zero)
        if page.isEmpty { return records }
        records += page
    }
}
