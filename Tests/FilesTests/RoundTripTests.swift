import Foundation
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("What was written is read back")
struct RoundTripTests {
    @Test(arguments: Samples.formats, [false, true])
    func `with the same times and places, over several deliveries and a restart`(
        _ format: TrackFormat, _ gzip: Bool
    ) async throws {
        try await withDirectory { directory in
            let records = Array(0..<30).map { Samples.record($0) } + [Samples.record(86_400)]
            for sitting in [records[..<13], records[13...]] {
                let sink = try Samples.sink(in: directory.path, format) { $0.gzip = gzip }
                var rest = sitting
                while !rest.isEmpty {
                    _ = try await sink.deliver(RecordBatch(records: Array(rest.prefix(5))))
                    rest = rest.dropFirst(5)
                }
                await sink.close()
            }
            let finished = "track_2026-03-01.\(format.rawValue)" + (gzip ? ".gz" : "")
            #expect(directory.names == [finished, "track_2026-03-02.\(format.rawValue).part"])
            let fixes = try directory.fixes(in: [finished])
            #expect(fixes.map(\.time) == records.dropLast().map(\.fix.time))
            for (read, record) in zip(fixes, records) {
                #expect(read.coordinate.distance(to: record.fix.coordinate) < 0.05)  // NMEA has 2 cm
            }
        }
    }

    @Test(arguments: Samples.formats)
    func `and the file under way is a whole document after each delivery`(_ format: TrackFormat) async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, format)
            for last in 0..<4 {
                _ = try await sink.deliver(Samples.batch([last]))
                #expect(try directory.seconds() == Array(0...last))
            }
            if format == .geojson {
                let json = try JSONSerialization.jsonObject(with: Data(directory.text(directory.names[0]).utf8))
                #expect(((json as? [String: Any])?["features"] as? [Any])?.count == 4)
            }
            await sink.close()
        }
    }

    @Test func `a record without a position is refused, and the others are written`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path)
            let lost = Samples.record(1, latitude: .nan)
            let receipt = try await sink.deliver(RecordBatch(records: [Samples.record(0), lost, Samples.record(2)]))
            #expect(receipt == Receipt(settled: 3, refused: [lost.id: "the record has no valid position"]))
            #expect(try directory.seconds() == [0, 2])
            await sink.close()
        }
    }

    @Test func `a record that is offered again is not written again`() async throws {
        try await withDirectory { directory in
            for _ in 0..<2 {
                let sink = try Samples.sink(in: directory.path)
                let batch = Samples.batch([0, 3600, 86_400])  // two files
                #expect(try await sink.deliver(batch) == .all(of: batch))
                #expect(try await sink.deliver(batch) == .all(of: batch))
                // A smaller batch does not make the sink forget the others.
                _ = try await sink.deliver(Samples.batch([0]))
                #expect(try await sink.deliver(batch) == .all(of: batch))
                await sink.close()
            }
            #expect(try directory.seconds() == [0, 3600, 86_400])
        }
    }
}
