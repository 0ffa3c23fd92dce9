import TrackEngine
import TrackEngineSimulated

struct Console: FixSink {
    let id: SinkID = "console"
    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        for record in batch.records { print(record.fix.time, record.fix.coordinate, record.cause.name) }
        return .all(of: batch)
    }
}

let sinks = [SinkBinding(Console(), sync: SyncConfiguration(syncThreshold: 1))]
let configuration = try Tracker.Configuration(
    device: "van-7", store: InMemoryFixStore(), sources: [SimulatedSource()], sinks: sinks)
try await Tracker(configuration: configuration).run()
