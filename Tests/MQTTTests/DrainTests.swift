import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("From the store through the drain to a real broker")
struct DrainTests {
    /// Long enough for a message of its own to be above the broker's limit.
    private static let longName = SourceID(rawValue: String(repeating: "x", count: 5000))

    @Test
    func `A batch above the broker's size limit is divided until the one record that never fits is dead, and no other`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var options = MosquittoBroker.Options()
            options.lines = ["message_size_limit 4096"]
            let broker = try await MosquittoBroker(in: directory, options)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log", filter: "fleet/#")
            let store = InMemoryFixStore()
            let records = try await store.append(
                SampleRecords.records(count: 30).enumerated().map { index, record in
                    draft(record, source: index == 13 ? Self.longName : "gps")
                }, checkpoint: nil)
            let sink = try MQTTSink(
                id: "fleet",
                configuration: Samples.configuration(port: broker.port) {
                    $0.messages = MessageOptions(format: .batch, base: "fleet", deviceID: "van-7")
                })
            let binding = SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1, maxBatchSize: 10))
            let tracker = try Tracker.make(store: store, sources: [], sinks: [binding]) {
                $0.wallClock = { SampleRecords.record(30).fix.time }
            }
            let run = Task { try await tracker.run() }
            let expected = records.filter { $0.id != records[13].id }.map(\.id.description)
            try await eventually("all others have arrived and nothing waits") {
                let waiting = try await store.backlog(of: sink.id).count
                return try arrivals(subscriber).count >= expected.count && waiting == 0
            }
            await tracker.stop()
            try await run.value

            let dead = try await store.deadLetters(of: sink.id)
            #expect(dead.map(\.record.id) == [records[13].id])
            #expect(dead.first?.reason.contains("4096") == true || dead.first?.reason.contains("0x95") == true)
            let arrived = try arrivals(subscriber)
            #expect(Set(arrived) == Set(expected))
            // A busy broker breaks the connection now and then over a control, which is then sent again.
            #expect(arrived.count - expected.count <= PoisonRecordSearch.maximumControls, "each once but for controls")
            let places = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($1, $0) })
            var least = Int.max
            var seen: Set<String> = []
            let first = arrived.filter { seen.insert($0).inserted }
            let controls = first.reversed().compactMap { places[$0] }.filter { place in
                defer { least = min(least, place) }
                return place > least
            }
            #expect(controls.count <= 3, "in order but for the controls that prove which record is to blame")
            broker.stop()
        }
    }

    private func draft(_ record: TrackRecord, source: SourceID) -> RecordDraft {
        RecordDraft(
            id: record.id, fix: record.fix, isMoving: record.isMoving, cause: record.cause, activity: record.activity,
            source: source, host: record.host)
    }

    /// The ids of all records that came, in order.
    private func arrivals(_ subscriber: SubscriberProcess) throws -> [String] {
        try subscriber.messages().filter { $0.topic == "fleet/van-7/records" }.flatMap { message in
            try JSONValue.parse(message.payload.utf8)["records"]?.array ?? []
        }.compactMap { $0["id"]?.string }
    }

    @Test(
        arguments: [
            (.trackengine, "trackengine.record/1"), (.batch, "trackengine.batch/1"),
            (.owntracks, "owntracks.location"), (.homeassistant, "homeassistant.attributes"),
        ] as [(RecordFormat, String)])
    func `What stands beside the payload reaches the subscriber: media type, schema, record, and the mark of a backlog`(
        _ format: RecordFormat, _ schema: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try MQTTSink(
                id: "fleet",
                configuration: Samples.configuration(port: broker.port) {
                    $0.messages = MessageOptions(format: format, base: "fleet", deviceID: "van-7")
                })
            let records = SampleRecords.records(count: 3)
            _ = try await sink.deliver(RecordBatch(records: [records[0]], current: records[2]))
            _ = try await sink.deliver(RecordBatch(records: [records[1]]))
            await sink.close()
            func messages() throws -> [SubscriberProcess.Message] {
                try subscriber.messages().filter { $0.properties.contains(["schema", schema]) }
            }
            func message(_ record: TrackRecord) throws -> SubscriberProcess.Message? {
                try messages().last { message in
                    format == .batch
                        ? message.payload.contains("\(record.id)")
                        : message.properties.contains(["record-id", "\(record.id)"])
                }
            }
            try await eventually("both") {
                try message(records[0]) != nil && message(records[1]) != nil
            }
            #expect(try messages().allSatisfy { $0.contentType == "application/json" })
            #expect(try message(records[0])?.properties.contains(["backlog", "true"]) == true)
            #expect(try message(records[1])?.properties.contains(["backlog", "true"]) == false)
        }
    }
}
