import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

@Suite("The history sink", .timeLimit(.minutes(30)))
struct SinkTests {
    @Test func `It keeps the laws of sinks`() async throws {
        try await Samples.withHistory { history in
            let bench = SinkBench(
                capabilities: [], makeSink: { _ in HistorySink(history: history, device: Samples.device) },
                received: { try await Self.records(in: history) })
            let report = try await SinkLaws(bench).report()
            #expect(report.violations.isEmpty, "\(report)")
            #expect(report.findings.filter { $0.verdict == .kept }.count >= 4, "\(report)")
        }
    }

    private static func records(in history: TrackHistory) async throws -> [ReceivedRecord] {
        let whole = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
        return try await history.points(of: Samples.device, during: whole, limit: .max).compactMap { point in
            guard case .record(let id) = point.senderID else { return nil }
            return ReceivedRecord(id: id, payload: "\(point)")
        }
    }

    @Test func `While its directory cannot be made, records wait, and then they are kept`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history"
            try Data().write(to: URL(fileURLWithPath: path))
            let sink = HistorySink(id: "history", directory: path, device: Samples.device)
            let batch = RecordBatch(records: SampleRecords.records(from: 1, count: 3))
            await #expect { try await sink.deliver(batch) } throws: { ($0 as? DeliveryError)?.recovery == .retry() }
            try FileManager.default.removeItem(atPath: path)
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
            await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            let history = try await TrackHistory.open(directory: path)
            #expect(try await Self.records(in: history).map(\.id) == batch.records.map(\.id))
            await history.close()
        }
    }

    @Test func `Two who need the history at once open it once`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let sink = HistorySink(id: "history", directory: directory, device: Samples.device)
            let batches = [1, 11].map { RecordBatch(records: SampleRecords.records(from: $0, count: 3)) }
            async let first = sink.deliver(batches[0])
            async let second = sink.deliver(batches[1])
            let receipts = try await [first, second]
            #expect(receipts == batches.map(Receipt.all(of:)))
            await sink.close()
        }
    }

    @Test func `A sink that is closed while its history is opened leaves it to others`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            for round in 0..<5 {
                let path = "\(directory)/\(round)"
                let sink = HistorySink(id: "history", directory: path, device: Samples.device)
                let batch = RecordBatch(records: SampleRecords.records(from: 1, count: 1))
                let delivery = Task { try await sink.deliver(batch) }
                // The directory is made first, and the tables last.
                while FileStatus.at(path) == nil { await Task.yield() }
                await sink.close()
                await (try TrackHistory.open(directory: path)).close()
                _ = await delivery.result
            }
        }
    }

    @Test func `A history of a newer release is a matter for people`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            await (try TrackHistory.open(directory: directory)).close()
            try Databases.setVersion(99, of: directory + "/history.sqlite")
            let sink = HistorySink(id: "history", directory: directory, device: Samples.device)
            let batch = RecordBatch(records: SampleRecords.records(from: 1, count: 1))
            await #expect { try await sink.deliver(batch) } throws: {
                ($0 as? DeliveryError)?.recovery == .needsOperator
            }
        }
    }
}
