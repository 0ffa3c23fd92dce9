import Foundation
import Synchronization
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

@Suite("The file sink keeps the laws of sinks", .timeLimit(.minutes(30)))
struct SinkLawsTests {
    @Test(arguments: Samples.formats, [false, true])
    func `in each format`(_ format: TrackFormat, _ gzip: Bool) async throws {
        try await withDirectory { directory in
            let report = try await SinkLaws(bench(directory, format, gzip: gzip)).report()
            #expect(report.violations.isEmpty, "\(report)")
            #expect(report.findings.filter { $0.verdict == .kept }.count >= 6, "\(report)")
        }
    }

    @Test func `with a disk that does not answer`() async throws {
        try await withDirectory { directory in
            let disk = HangingDisk()
            defer { disk.release() }
            var bench = bench(directory, .ndjson, gzip: false)
            bench.capabilities = [.silence]
            bench.makeSink = { mood in
                try Samples.sink(
                    in: mood == .silent ? directory.path + "-silent" : directory.path,
                    probe: { step throws(FileFailure) in if mood == .silent, step == .write { disk.hang() } })
            }
            bench.attempts = { disk.attempts }
            let report = try await SinkLaws(bench).report()
            #expect(report.violations.isEmpty, "\(report)")
            #expect(disk.attempts == 1)
        }
    }

    @Test func `A sink that settles what it has not written breaks them`() async throws {
        try await withDirectory { directory in
            var bench = bench(directory, .ndjson, gzip: false)
            let make = bench.makeSink
            bench.makeSink = { HastySink(inner: try await make($0)) }
            let laws = Set(try await SinkLaws(bench).violations().map(\.law))
            #expect(laws.isSuperset(of: [SinkLaws.settledIsReceived, SinkLaws.downIsRetry]))
        }
    }

    /// The receiver is a directory. It is down while a file stands in its place.
    private func bench(_ directory: Directory, _ format: TrackFormat, gzip: Bool) -> SinkBench {
        SinkBench(
            capabilities: [.outage],
            makeSink: { _ in try Samples.sink(in: directory.path, format) { $0.gzip = gzip } },
            received: { try directory.received(format) },
            attempts: { 0 },
            takeDown: {
                try FileManager.default.moveItem(atPath: directory.path, toPath: directory.path + "-away")
                try Data().write(to: URL(fileURLWithPath: directory.path))
            },
            bringUp: {
                try FileManager.default.removeItem(atPath: directory.path)
                try FileManager.default.moveItem(atPath: directory.path + "-away", toPath: directory.path)
            })
    }
}

/// Takes everything and writes it with the next delivery.
private final class HastySink: FixSink {
    let id: SinkID = "hasty"
    private let inner: any FixSink
    private let held = Mutex<RecordBatch?>(nil)

    init(inner: any FixSink) { self.inner = inner }

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let before = held.withLock { held in
            defer { held = batch }
            return held
        }
        if let before { _ = try? await inner.deliver(before) }  // it has been settled already
        return .all(of: batch)
    }

    func close() async { await inner.close() }
}

/// A disk whose calls return when the test ends.
private final class HangingDisk: Sendable {
    private let count = Mutex(0)
    private let end = DispatchSemaphore(value: 0)

    var attempts: Int { count.withLock { $0 } }

    func hang() {
        count.withLock { $0 += 1 }
        end.wait()
    }

    func release() { end.signal() }
}

extension Directory {
    /// The records in the files, in order, told from each other by their time, since NMEA has no place for an id.
    fileprivate func received(_ format: TrackFormat) throws -> [ReceivedRecord] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try names.flatMap { name -> [ReceivedRecord] in
            var lines = try text(name).split(whereSeparator: \.isNewline).map(String.init)
            if format == .nmea { lines = lines.joined(separator: "\n").split(separator: "$GPRMC").map(String.init) }
            return lines.compactMap { line in
                guard let second = Self.second(in: line) else { return nil }
                let payload = line.hasSuffix(",") ? String(line.dropLast()) : line
                return ReceivedRecord(id: SampleRecords.record(second).id, payload: payload)
            }
        }
    }

    /// The number of a sample record by the time in its line.
    private static func second(in line: String) -> Int? {
        let match = line.firstMatch(of: /T10:(\d\d):(\d\d)|^,10(\d\d)(\d\d)\./)
        guard let (_, minute, second, minuteInNMEA, secondInNMEA) = match?.output,
            let minute = (minute ?? minuteInNMEA).flatMap({ Int($0) }),
            let second = (second ?? secondInNMEA).flatMap({ Int($0) })
        else { return nil }
        return minute * 60 + second
    }
}
