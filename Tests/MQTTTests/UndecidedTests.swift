import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

@Suite("What is not decided yet")
struct UndecidedTests {
    @Test
    func `The newest place is shown after the records, without calling them a backlog`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try Samples.sink(port: broker.port) { $0.keepsLast = true }
            let (record, newest) = (SampleRecords.record(1), SampleRecords.record(2))
            _ = try await sink.deliver(RecordBatch(records: [record], current: newest, isBacklog: false))
            try await eventually("two messages") { try subscriber.messages().count == 2 }
            await sink.close()
            let messages = try subscriber.messages()
            #expect(messages.map(\.topic) == ["fleet/van-7/record", "fleet/van-7/last"])
            #expect(messages.map(\.payload) == ["\(record.id)", "\(newest.id)"])
            #expect(messages.allSatisfy { !$0.properties.contains(["backlog", "1"]) })
        }
    }
}
