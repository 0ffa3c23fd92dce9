import TrackEngine
import TrackEngineFiles

func records(ofFile path: String) async throws -> [TrackRecord] {
    let store = InMemoryFixStore()
    let tracker = try Tracker(
        retention: RetentionConfiguration(maxDaysToPersist: 0), device: "van-7", store: store,
        sources: [try ReplaySource(configuration: .init(path: path))])
    try await tracker.run(until: .sourcesFinished)

    var records: [TrackRecord] = []
    while true {
        let page = try await tracker.storedRecords(after: records.last?.sequence ?? .zero)
        if page.isEmpty { return records }
        records += page
    }
}
