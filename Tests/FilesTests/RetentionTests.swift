import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("Which files go")
struct RetentionPlanTests {
    /// So many days after 2024-10-04.
    private static func time(_ day: Int64) -> Timestamp { Timestamp(secondsSince1970: (20_000 + day) * 86_400) }

    private static func file(_ day: Int64, _ size: Int64 = 10) -> RetentionPlan.File {
        RetentionPlan.File(name: "\(day)", start: time(day), modified: time(0), size: size)
    }

    /// The names of the files that go, and how many files the passes have come to.
    private static func run(_ plan: inout RetentionPlan, over files: [RetentionPlan.File]) -> ([String], looks: Int) {
        var files = files
        var (gone, looks) = ([String](), 0)
        repeat {
            looks += files.count
            var removed = Set(files.filter { plan.examine($0) != nil }.map(\.name))
            while let file = plan.nextRemoval() { removed.insert(file.name) }
            files.removeAll { removed.contains($0.name) }
            gone += removed
        } while plan.beginsAnotherPass()
        return (gone, looks)
    }

    private static func removals(
        _ days: [Int64], age: Int64? = nil, bytes: Int64? = nil, newest: Int64 = 10, partSize: Int64 = 0
    ) -> [String] {
        var plan = RetentionPlan(
            newest: time(newest), maximumAge: age.map { .seconds($0 * 86_400) },
            maximumBytes: bytes, partSize: partSize)
        return run(&plan, over: days.map { file($0) }).0.sorted()
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

    /// Files of several starts, numbers and sizes; many have a start, and some even the number, in common.
    private static func archive(of count: Int, _ chance: inout SeededGenerator) -> [RetentionPlan.File] {
        let starts = Int64.random(in: 1...Int64(count), using: &chance)
        let steps: [Int64] = [1, 3600, 86_400]
        let step = steps[Int.random(in: 0..<steps.count, using: &chance)]
        return (0..<count).map { index in
            let start = day0 + Int64.random(in: 0..<starts, using: &chance) * step
            return RetentionPlan.File(
                name: "\(index)", start: Timestamp(secondsSince1970: start), modified: time(0),
                number: Int.random(in: 1...max(1, count / 4), using: &chance),
                size: Int64.random(in: 0...1000, using: &chance))
        }
    }

    private static let day0: Int64 = 1_700_000_000

    @Test func `the files that go are the oldest, and no more than needed, in whatever order they are listed`() {
        var chance = SeededGenerator(seed: 11)
        for round in 0..<60 {
            let files = Self.archive(of: Int.random(in: 1...3000, using: &chance), &chance)
            let total = files.reduce(0) { $0 + $1.size }
            let limit = Int64.random(in: 0...max(1, total), using: &chance)
            var plan = RetentionPlan(
                newest: Timestamp(secondsSince1970: Self.day0), maximumAge: nil, maximumBytes: limit, partSize: 7)
            let gone = Set(Self.run(&plan, over: files).0)
            var rest = total + 7
            for file in files.sorted(by: { ($0.time, $0.number, $0.name) < ($1.time, $1.number, $1.name) }) {
                #expect(gone.contains(file.name) == (rest > limit), "round \(round), \(file)")
                if rest > limit { rest -= file.size }
            }
            #expect(plan.count == files.count - gone.count && plan.bytes == rest - 7, "round \(round)")
        }
    }

    @Test(arguments: [1, 3600, 86_400])
    func `a round comes to each file a few times, however many have to go`(_ step: Int64) {
        let files = (0..<20_000).map { index in
            RetentionPlan.File(
                name: "\(index)", start: Timestamp(secondsSince1970: Self.day0 + Int64(index / 2) * step),
                modified: Self.time(0), number: index % 2 + 1, size: 100)
        }
        for limit in [Int64(0), 1000, 1_000_000, 1_999_900] {
            var plan = RetentionPlan(
                newest: Timestamp(secondsSince1970: Self.day0), maximumAge: nil, maximumBytes: limit, partSize: 0)
            let (gone, looks) = Self.run(&plan, over: files)
            #expect(gone.count == files.count - Int(limit / 100))
            #expect(looks <= 3 * files.count, "\(limit): \(looks)")
        }
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

    @Test(arguments: [0, 65_536])
    func `a round over thousands of files looks at each of them a few times`(_ maxBytes: Int64) async throws {
        try await withDirectoryInMemory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            let files = 4000
            for hour in 0..<files {
                let start = Samples.time((hour - files) * 3600).rfc3339(.seconds).prefix(13)
                try directory.write("1234567890", to: "track_\(start)Z_2.csv")
            }
            try directory.write(String(repeating: " ", count: 65_000), to: "track_2026-03-01T09Z.csv")
            let looks = Mutex(0)
            let sink = try Samples.sink(
                in: directory.path, .csv, .hour,
                {
                    $0.keepDays = maxBytes == 0 ? 1 : 0
                    $0.maxBytes = maxBytes
                },
                probe: { step throws(FileFailure) in if step == .look { looks.withLock { $0 += 1 } } })
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            let kept = directory.names.count
            #expect(maxBytes == 0 ? kept == 26 : (3..<60).contains(kept), "\(kept)")
            #expect(looks.withLock { $0 } < 4 * files, "\(looks.withLock { $0 })")
        }
    }

    @Test func `a file that grows at the limit has the directory listed once, not with each delivery`() async throws {
        try await withDirectoryInMemory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            for number in 2...800 {
                try directory.write(String(repeating: " ", count: 100), to: "track_2026-02-28_\(number).csv")
            }
            let looks = Mutex(0)
            let sink = try Samples.sink(
                in: directory.path, .csv, .day, { $0.maxBytes = 65_536 },
                probe: { step throws(FileFailure) in if step == .look { looks.withLock { $0 += 1 } } })
            _ = try await sink.deliver(Samples.batch([0]))
            looks.withLock { $0 = 0 }
            for second in 1...100 {
                _ = try await sink.deliver(Samples.batch([second]))
                let part = try directory.text("track_2026-03-01.csv.part").utf8.count
                #expect((65_437...65_536).contains(part + 100 * (directory.names.count - 1)), "\(second)")
            }
            await sink.close()
            #expect(looks.withLock { $0 } < 100)
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

    @Test func `a trip that is longer than files stay is kept, from its end on`() async throws {
        try await withDirectory { directory in
            let name = "track_2026-03-01T100000Z.csv"
            let probe: FileProbe = { step throws(FileFailure) in
                guard step == .rename, directory.names.contains(name + ".part") else { return }
                do {
                    try directory.change(name + ".part", at: Samples.time(5 * 86_400))
                } catch {
                    throw FileFailure("\(error)")
                }
            }
            let sink = try Samples.sink(in: directory.path, .csv, .trip, { $0.keepDays = 2 }, probe: probe)
            for day in 0..<5 { _ = try await sink.deliver(Samples.batch([day * 86_400])) }
            for day in 5...9 {
                let trip = [(0, false), (1, true)].map { Samples.record(day * 86_400 + $0, isMoving: $1) }
                _ = try await sink.deliver(RecordBatch(records: trip))
                #expect(directory.names.contains(name) == (day < 7), "\(day)")
            }
            await sink.close()
        }
    }

    @Test func `a change in the future does not keep a trip`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            try directory.write("own", to: "track_2026-02-01T100000Z.csv")
            try directory.change("track_2026-02-01T100000Z.csv", at: Samples.time(4000 * 86_400))
            let sink = try Samples.sink(in: directory.path, .csv, .trip) { $0.keepDays = 2 }
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            #expect(directory.names == ["track_2026-03-01T100000Z.csv.part"])
        }
    }

    /// A receiver without a fix, or a machine whose clock is not set, dates records in 1970.
    @Test(arguments: [
        ("track_1970-01-01.csv", -1, true), ("track_1970-01-01.csv", -3, false),
        ("track_1970-01-01.csv", -20_000, true),
        ("track_1999-12-31T235959Z_2.csv", -1, true), ("track_2000-01-01.csv", -1, false),
    ])
    func `a file that begins before 2000 is as old as its last change, and stays where that is no better known`(
        _ name: String, _ changed: Int, _ stays: Bool
    ) async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            try directory.write("own", to: name)
            let date = Date(timeIntervalSince1970: Double(Samples.start) + Double(changed) * 86_400)
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: directory.path + "/" + name)
            let sink = try Samples.sink(in: directory.path, .csv) { $0.keepDays = 2 }
            _ = try await sink.deliver(Samples.batch([0]))
            await sink.close()
            #expect(directory.names.contains(name) == stays)
        }
    }

    @Test func `what goes is logged with the number of files and the reason`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            for day in 1...3 { try directory.write("12345", to: "track_2026-01-0\(day).csv") }
            for hour in 1...2 {
                try directory.write(String(repeating: " ", count: 40_000), to: "track_2026-03-01T0\(hour)Z.csv")
            }
            let log = RecordingLog()
            let sink = try Samples.sink(
                in: directory.path, .csv, .day,
                {
                    $0.keepDays = 2
                    $0.maxBytes = 65_536
                }, logger: log.logger)
            _ = try await sink.deliver(Samples.batch([0]))
            _ = try await sink.deliver(Samples.batch([1]))
            await sink.close()
            let lines = log.lines.filter { $0.message == "old files are removed" }
            #expect(lines.map(\.metadata["reason"]) == ["older than keepDays", "more than maxBytes together"])
            #expect(lines.map(\.metadata["files"]) == ["3", "1"])
            #expect(lines.map(\.metadata["bytes"]) == ["15", "40000"])
        }
    }
}

extension Directory {
    /// Sets when a file was changed last.
    fileprivate func change(_ name: String, at time: Timestamp) throws {
        let date = Date(timeIntervalSince1970: Double(time.nanosecondsSince1970) / 1e9)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path + "/" + name)
    }
}
