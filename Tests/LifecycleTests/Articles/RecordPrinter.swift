import ServiceLifecycle
import TrackEngine

struct RecordPrinter: Service {
    let records: AsyncStream<TrackRecord>

    init(_ tracker: Tracker) {
        records = tracker.records()
    }

    func run() async throws {
        for await record in records { print(record.description(revealingPosition: true)) }
        try await gracefulShutdown()
    }
}
