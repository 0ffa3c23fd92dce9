import Foundation
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineFormats

@Suite("Which files go")
struct RetentionPlanTests {
    private static func file(_ day: Int64, _ size: Int64 = 10) -> RetentionPlan.File {
        RetentionPlan.File(name: "\(day)", start: Timestamp(secondsSince1970: day * 86_400), size: size)
    }

    private static func removals(
        _ days: [Int64], age: Int64? = nil, bytes: Int64? = nil, newest: Int64 = 10, partSize: Int64 = 0
    ) -> [String] {
        var plan = RetentionPlan(maximumAge: age.map { .seconds($0 * 86_400) }, maximumBytes: bytes)
        for day in days { plan.add(file(day)) }
        return plan.removals(newest: Timestamp(secondsSince1970: newest * 86_400), partSize: partSize).map(\.name)
    }

    @Test func `those older than the age, not those just as old`() {
        #expect(Self.removals([9, 3, 5, 4], age: 5) == ["3", "4"])
    }

    @Test func `none where the newest record is older than they are`() {
        #expect(Self.removals([9, 3, 5], age: 1, newest: 0) == [])
    }

    @Test func `the oldest while all are too many bytes, the file under way included`() {
        #expect(Self.removals([1, 3, 2], bytes: 30) == [])
        #expect(Self.removals([1, 3, 2], bytes: 29) == ["1"])
        #expect(Self.removals([1, 3, 2], bytes: 30, partSize: 11) == ["1", "2"])
        #expect(Self.removals([1, 3, 2], bytes: 30, partSize: 100) == ["1", "2", "3"])
    }

    @Test func `none without bounds`() {
        #expect(Self.removals([1, 2, 3]) == [])
    }

    @Test func `a directory of any size takes the same memory, and is gone through again`() {
        var plan = RetentionPlan(maximumAge: .seconds(86_400), maximumBytes: nil)
        for day in (0..<1000).reversed() { plan.add(Self.file(Int64(day))) }
        let removals = plan.removals(newest: Timestamp(secondsSince1970: 86_400 * 2000), partSize: 0)
        #expect(removals.map(\.name) == (0..<RetentionPlan.memory).map { "\($0)" })
        #expect(plan.isPartial(removals))
        #expect(plan.count == 1000 && plan.bytes == 10_000)
    }
}

@Suite("Retention in a directory")
struct RetentionTests {
    /// Names that a user, another program or another sink may have given.
    private static let foreign = [
        "track_2020-01-01.csv.part", "track_2020-01-01.csv.bak", "track_2020-01-01.CSV", "other_2020-01-01.csv",
        "track_2020-1-1.csv", "track_2020-01-01_1.csv", "track_2020-01-01.csv.gz.gz", "2020-01-01.csv", "holiday.gpx",
        "track_2020-01-01.kml", "track_2020-01-01_2.kml.gz",
    ]

    @Test func `files that are too old go, and nothing of others does`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            for name in Self.foreign { try directory.write("foreign", to: name) }
            try FileManager.default.createDirectory(
                atPath: directory.path + "/track_2020-01-02.csv", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: directory.path + "/track_2020-01-03.csv", withDestinationPath: "holiday.gpx")
            try directory.write("own", to: "track_2020-01-04.csv")
            try directory.write("own", to: "track_2020-01-04_2.gpx.gz")
            let sink = try Samples.sink(in: directory.path, .csv) { $0.keepDays = 2 }
            for day in 0..<5 { _ = try await sink.deliver(Samples.batch([day * 86_400])) }
            await sink.close()
            let kept = ["track_2026-03-04.csv", "track_2026-03-05.csv.part"]
            let others = Self.foreign + ["track_2020-01-02.csv", "track_2020-01-03.csv"]
            #expect(directory.names == (kept + others).sorted())
        }
    }

    @Test func `the oldest go while the directory has too many bytes, also while a file grows`() async throws {
        try await withDirectory { directory in
            let limit = 65_536
            let sink = try Samples.sink(in: directory.path, .ndjson, .hour) { $0.maxBytes = Int64(limit) }
            for hour in 0..<4 {
                for part in 0..<4 {
                    let first = hour * 3600 + part * 20
                    _ = try await sink.deliver(Samples.batch(first..<first + 20))
                    let sizes = try directory.names.map { try directory.text($0).utf8.count }
                    #expect(sizes.reduce(0, +) <= limit)
                }
            }
            #expect(directory.names.count > 1)
            #expect(directory.names.last == "track_2026-03-01T13Z.ndjson.part")
            #expect(try directory.seconds(in: [directory.names.last ?? ""]).count == 80)
            await sink.close()
        }
    }

    @Test func `a record dated in the future removes nothing that the machine's clock would keep`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(
                in: directory.path, .csv, .day, { $0.keepDays = 2 }, now: Samples.time(3 * 86_400))
            for day in 0..<4 { _ = try await sink.deliver(Samples.batch([day * 86_400])) }
            _ = try await sink.deliver(Samples.batch([20_000 * 86_400]))
            await sink.close()
            #expect(
                directory.names == ["track_2026-03-03.csv", "track_2026-03-04.csv", "track_2080-12-02.csv.part"])
        }
    }

    @Test func `a machine's clock that is ahead removes nothing that the newest record would keep`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(
                in: directory.path, .csv, .day, { $0.keepDays = 3 }, now: Samples.time(20_000 * 86_400))
            for day in 0..<3 { _ = try await sink.deliver(Samples.batch([day * 86_400])) }
            await sink.close()
            #expect(directory.names.count == 3)
        }
    }

    @Test func `a file that cannot be removed refuses no record`() async throws {
        try await withDirectory { directory in
            let sink = try Samples.sink(
                in: directory.path, .csv, .day, { $0.keepDays = 1 },
                probe: { step throws(FileFailure) in if step == .remove { throw FileFailure("not permitted") } })
            for day in 0..<4 { _ = try await sink.deliver(Samples.batch([day * 86_400])) }
            await sink.close()
            #expect(directory.names.count == 4)
        }
    }
}
