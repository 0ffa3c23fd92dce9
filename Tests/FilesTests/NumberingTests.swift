import Foundation
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("Numbers of files with one start")
struct NumberingTests {
    @Test func `a name that retention has freed is not used again, so the newest records stay`() async throws {
        try await withDirectoryInMemory { directory in
            let sink = try Samples.sink(in: directory.path, .csv) {
                $0.fileSize = 8192
                $0.maxBytes = 65_536
            }
            for first in stride(from: 0, to: 2000, by: 50) {
                _ = try await sink.deliver(Samples.batch(first..<first + 50))
            }
            await sink.close()
            let kept = try directory.seconds().sorted()
            #expect(kept.last == 1999)
            #expect(kept == Array((kept.first ?? 0)...1999))
            #expect(!directory.names.contains("track_2026-03-01.csv"))
            let part = directory.names.compactMap(TrackFileName.init(part:))
            #expect(part.count == 1 && part.allSatisfy { $0.number > 10 })
        }
    }

    @Test func `the second file of a day is older than the tenth`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            for number in [2, 10] {
                try directory.write(String(repeating: " ", count: 40_000), to: "track_2026-02-28_\(number).csv")
            }
            let sink = try Samples.sink(in: directory.path, .csv) { $0.maxBytes = 65_536 }
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            #expect(directory.names == ["track_2026-02-28_10.csv", "track_2026-03-01.csv.part"])
        }
    }

    @Test(arguments: ["track_2026-03-01_7.csv", "track_2026-03-01_7.csv.gz", "track_2026-03-01_7.csv.part"])
    func `a new file has a higher number than every other one, in whatever form that is`(
        _ name: String
    ) async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            try directory.write("", to: name)
            try directory.write("", to: "track_2026-03-02_9.csv")
            try directory.write("", to: "other_2026-03-01_9.csv")
            let sink = try Samples.sink(in: directory.path, .csv)
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            #expect(directory.names.contains("track_2026-03-01_8.csv.part"))
        }
    }

    @Test func `there are more than 9999`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            try directory.write("", to: "track_2026-03-01_9999.csv")
            for second in 0..<2 {
                let sink = try Samples.sink(in: directory.path, .csv)
                _ = try await sink.deliver(Samples.batch([second]))
                await sink.close()
            }
            #expect(directory.names == ["track_2026-03-01_10000.csv.part", "track_2026-03-01_9999.csv"])
        }
    }
}
