import Foundation
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("When a new file begins")
struct RotationTests {
    @Test func `an hour by the fixes' time, and a late record has a file of its own`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .csv, .hour)
            let batch = Samples.batch([0, 3599, 3600, 3601, 3598, 7200])
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
            #expect(
                directory.names == [
                    "track_2026-03-01T10Z.csv", "track_2026-03-01T10Z_2.csv", "track_2026-03-01T11Z.csv",
                    "track_2026-03-01T12Z.csv.part",
                ])
            #expect(try directory.seconds(in: ["track_2026-03-01T10Z.csv"]) == [0, 3599])
            #expect(try directory.seconds(in: ["track_2026-03-01T10Z_2.csv"]) == [3598])
        }
    }

    @Test func `a day in UTC`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .nmea, .day)
            let midnight = 14 * 3600
            _ = try await sink.deliver(Samples.batch([0, midnight - 1, midnight]))
            await sink.close()
            #expect(directory.names == ["track_2026-03-01.nmea", "track_2026-03-02.nmea.part"])
        }
    }

    @Test func `a trip with the rest behind it`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .gpx, .trip)
            let records = [(0, true), (1, true), (2, false), (3, false), (4, true), (5, false)]
            for (second, isMoving) in records {
                _ = try await sink.deliver(RecordBatch(records: [Samples.record(second, isMoving: isMoving)]))
            }
            await sink.close()
            #expect(directory.names == ["track_2026-03-01T100000Z.gpx", "track_2026-03-01T100004Z.gpx.part"])
            #expect(try directory.seconds(in: ["track_2026-03-01T100000Z.gpx"]) == [0, 1, 2, 3])
        }
    }

    @Test func `a trip goes on after a restart, and ends after one`() async throws {
        try await withDirectory { directory in
            for (second, isMoving) in [(0, true), (1, true), (2, false), (3, true)] {
                let sink = try Samples.sink(in: directory.path, .gpx, .trip)
                _ = try await sink.deliver(RecordBatch(records: [Samples.record(second, isMoving: isMoving)]))
                await sink.close()
            }
            #expect(directory.names == ["track_2026-03-01T100000Z.gpx", "track_2026-03-01T100003Z.gpx.part"])
            #expect(try directory.seconds() == [0, 1, 2, 3])
        }
    }

    @Test(arguments: Samples.formats)
    func `a size that no file exceeds, its ending included`(_ format: TrackFormat) async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, format, .size) { $0.fileSize = 2000 }
            for start in stride(from: 0, to: 40, by: 8) { _ = try await sink.deliver(Samples.batch(start..<start + 8)) }
            await sink.close()
            #expect(directory.names.count > 1)
            for name in directory.names { #expect(try directory.text(name).utf8.count <= 2000, "\(name)") }
            #expect(try directory.seconds() == Array(0..<40))
        }
    }

    @Test func `a size beside hours`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(in: directory.path, .csv, .hour) { $0.fileSize = 1024 }
            _ = try await sink.deliver(Samples.batch(Array(0..<20) + [3600]))
            await sink.close()
            #expect(directory.names.contains("track_2026-03-01T10Z_2.csv"))
            #expect(directory.names.last == "track_2026-03-01T11Z.csv.part")
            #expect(try directory.seconds().sorted() == Array(0..<20) + [3600])
        }
    }

    @Test func `another format, rotation or prefix finishes the file of before`() async throws {
        try await withDirectory { directory in
            let settings: [(TrackFormat, FileSink.Rotation, String)] = [
                (.csv, .day, "track"), (.gpx, .day, "track"), (.gpx, .hour, "track"), (.gpx, .hour, "way"),
            ]
            for (second, (format, rotation, prefix)) in settings.enumerated() {
                let sink = try Samples.sink(in: directory.path, format, rotation) { $0.prefix = prefix }
                _ = try await sink.deliver(Samples.batch([second]))
                await sink.close()
            }
            #expect(
                directory.names == [
                    "track_2026-03-01.csv", "track_2026-03-01.gpx", "track_2026-03-01T10Z.gpx",
                    "way_2026-03-01T10Z.gpx.part",
                ])
        }
    }
}

@Suite("Names of files")
struct TrackFileNameTests {
    @Test(arguments: [
        "track_2026-03-01.gpx", "track_2026-03-01T10Z.geojson.gz", "track_2026-03-01T101502Z_2.csv",
        "track_2026-03-01_9999.nmea.gz", "track_2026-03-01_999999999.csv",
    ])
    func `are read back`(_ text: String) throws {
        let name = try #require(TrackFileName(finished: text))
        #expect(name.finished(compressed: text.hasSuffix(".gz")) == text)
    }

    @Test(arguments: [
        "track_2026-03-01.gpx.part", "track_2026-03-01.GPX", "track_2026-13-01.gpx", "track_2026-03-01T10.gpx",
        "track_2026-03-01_01.gpx", "track_2026-03-01_1.gpx", "track_2026-03-01_.gpx", "track_2026-03-01_1000000000.gpx",
        "track_2026-03-01_+2.gpx", "track-2026-03-01.gpx", "_2026-03-01.gpx",
        "a b_2026-03-01.gpx", "a.b_2026-03-01.gpx", "track_holiday.gpx", "track_.gpx",
        "track_2026-03-01.gpx.gz.gz", "track_2026-03-01.txt", "track_2026-03-01", "track_2026-03-01 .gpx", "",
        "track_2026-03-01T1 Z.gpx", "track_2026-03-01t10Z.gpx", "track_2026-03-01T10z.gpx",
        "track_2026-03-01T101502z.gpx",
    ])
    func `of others are none`(_ text: String) {
        #expect(TrackFileName(finished: text) == nil)
    }

    @Test(arguments: [
        ("2026-03-01", "2026-03-01T00:00:00Z"), ("2026-03-01T10Z", "2026-03-01T10:00:00Z"),
        ("2026-03-01T101502Z", "2026-03-01T10:15:02Z"),
    ])
    func `say when the file begins`(_ start: String, _ time: String) {
        #expect(TrackFileName(prefix: "track", start: start, format: .gpx).startTime == Timestamp(rfc3339: time))
    }
}
