import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSimulated
import TrackEngineTestKit

/// The samples of the articles that are neither a source nor a sink do what the articles say.
@Suite(.timeLimit(.minutes(30))) struct ArticleSampleTests {
    /// A drive of ten minutes.
    private let drive = try? SimulatedDrive(.init(seed: 3, duration: .seconds(600))).compactMap(\.fix)

    @Test func `the pipeline in a loop keeps what the tracker records of the same file`() async throws {
        let drive = try #require(drive)
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/drive.csv"
            let lines = drive.map { "\($0.time.rfc3339()),\($0.coordinate.latitude),\($0.coordinate.longitude)\n" }
            try ("time,latitude,longitude\n" + lines.joined()).write(toFile: path, atomically: true, encoding: .utf8)
            let records = try await records(ofFile: path)
            #expect(records.count > 5 && records.count < drive.count)
            let fixes = drive.map { Fix(time: $0.time, coordinate: $0.coordinate) }
            #expect(reasons(fixes).values.reduce(0, +) >= fixes.count - records.count)
            #expect(filtered(fixes).map(\.time) == records.map(\.fix.time))
            #expect(filtered(fixes).map(\.coordinate) == records.map(\.fix.coordinate))
        }
    }

    @Test func `the line of a record is JSON with what the record says`() throws {
        let record = SampleRecords.record(7)
        var format = LineFormat()
        for _ in 0..<2 {
            let line = format.line(of: record)
            #expect(line.last == UInt8(ascii: "\n"))
            let json = try JSONValue.parse(line.dropLast())
            #expect(json["id"]?.string == record.id.description)
            #expect(json["time"]?.string == record.fix.time.rfc3339())
            #expect(abs((json["latitude"]?.number ?? .nan) - record.fix.coordinate.latitude) < 1e-7)
            #expect(
                json["speed"]?.number.map { abs($0 - (record.fix.speed ?? .nan)) < 0.01 } ?? (record.fix.speed == nil))
        }
    }

    @Test func `watching ends with the run`() async throws {
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [])
        let hasEnded = Mutex(false)
        // Beside the runs, of which one ends it: it may begin to listen earlier or later.
        let watching = Task {
            await watch(tracker)
            hasEnded.withLock { $0 = true }
        }
        try await eventually("a run ends it") {
            try await tracker.run(until: .sourcesFinished)
            return hasEnded.withLock { $0 }
        }
        watching.cancel()
    }

    @Test func `the status is printed until the task is cancelled`() async throws {
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [])
        let printing = Task { try await printStatus(of: tracker, every: .seconds(3600)) }
        printing.cancel()
        await #expect(throws: CancellationError.self) { try await printing.value }
    }
}
