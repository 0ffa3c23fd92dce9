import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

@Suite("A history's retention", .timeLimit(.minutes(30)))
struct RetentionTests {
    private static let day = 86_400.0
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)

    private func count(_ history: TrackHistory, _ device: DeviceID = Samples.device) async throws -> Int {
        try await history.points(of: device, during: Self.whole, limit: .max).count
    }

    @Test func `Age counts from a device's newest point, or from the clock if that is earlier`() async throws {
        try await Samples.withHistory { history in
            let points = (0...20).map { Samples.point(Double($0) * Self.day) }
            for device in ["here", "away"] as [DeviceID] {
                _ = try await history.add(device == "here" ? points : Array(points[...5]), of: device)
            }
            var retention = HistoryRetention()
            retention.keepDays = 3
            // A clock ten days behind the newest point.
            #expect(try await history.prune(retention, now: points[10].fix.time) == 7 + 2)
            #expect(try await count(history, "here") == 14)
            #expect(try await count(history, "away") == 4)
            // A clock a hundred years ahead.
            let future = Samples.start.advanced(by: .seconds(3_155_760_000))
            #expect(try await history.prune(retention, now: future) == 10)
            #expect(try await count(history, "here") == 4)
            #expect(try await count(history, "away") == 4)
        }
    }

    @Test func `Who has little loses nothing to who sends much, old or new`() async throws {
        try await Samples.withHistory { history in
            let few = (0..<2_000).map { Samples.point(Double($0), north: Double($0)) }
            _ = try await history.add(few, of: "phone")
            for (device, begin) in [("newer", 1_000_000), ("older", -900_000)] as [(DeviceID, Int)] {
                let flood = (0..<20_000).map {
                    Samples.point(Double(begin + $0), north: Double($0), senderID: .text("\(device)-\($0)"))
                }
                _ = try await history.add(flood, of: device)
            }
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() / 2
            let removed = try await history.prune(retention)
            #expect(try await history.bytes() <= retention.maxBytes)
            #expect(try await count(history, "phone") == 2_000)
            let left = try await [count(history, "newer"), count(history, "older")]
            #expect(removed == 40_000 - left[0] - left[1])
            #expect(left.allSatisfy { $0 >= 2_000 } && abs(left[0] - left[1]) <= 5_000, "\(left)")
        }
    }

    @Test func `The devices of one that sends for many have one share, and in it each its part`() async throws {
        try await Samples.withHistory { history in
            let few = (0..<2_000).map { Samples.point(Double($0), north: Double($0)) }
            for device in ["phone", "van"] as [DeviceID] { _ = try await history.add(few, of: device) }
            var owners: [DeviceID: DeviceID] = ["van": "gateway"]
            for number in 0..<100 {
                let device = DeviceID(rawValue: "van-\(number)")
                let points = (0..<400).map { Samples.point(Double($0), north: Double($0)) }
                _ = try await history.add(points, of: device)
                owners[device] = "gateway"
            }
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() / 4
            try await history.prune(retention, owners: owners)
            #expect(try await history.bytes() <= retention.maxBytes)
            #expect(try await count(history, "phone") == 2_000)
            #expect(try await count(history, "van") < 2_000)
            #expect(try await history.devices().count < 90)
        }
    }

    @Test func `More bytes than allowed cost the oldest points of each that has as much as others`() async throws {
        try await Samples.withHistory { history in
            for batch in 0..<30 {
                let device: DeviceID = batch % 2 == 0 ? "even" : "odd"
                let points = (0..<1000).map { Samples.point(Double(batch * 1000 + $0), north: Double($0)) }
                _ = try await history.add(points, of: device)
            }
            _ = try await history.path(of: "even", during: Self.whole, within: 10)
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() / 2
            let removed = try await history.prune(retention)
            #expect(try await history.bytes() <= retention.maxBytes)
            let left = try await [count(history, "even"), count(history, "odd")]
            #expect(removed == 30_000 - left[0] - left[1])
            #expect(abs(left[0] - left[1]) <= 6000)
            #expect(left[0] + left[1] > 3000)
            let newest = try await history.devices().map(\.newest.fix.time)
            #expect(newest == [28_999.0, 29_999].map { Samples.point($0).fix.time })
            #expect(try await history.summary(of: "even", during: Self.whole)?.count == left[0])
        }
    }

    @Test func `For ever may be the largest number of days`() async throws {
        try await Samples.withHistory { history in
            _ = try await history.add([Samples.point(0), Samples.point(Self.day)], of: Samples.device)
            var retention = HistoryRetention()
            retention.keepDays = .max
            #expect(try await history.prune(retention) == 0)
        }
    }

    @Test func `Pruning stops when its task is cancelled`() async throws {
        try await Samples.withHistory { history in
            // More than one step takes.
            let points = (0..<12_000).map { Samples.point(Double($0)) } + [Samples.point(10 * Self.day)]
            _ = try await history.add(points, of: Samples.device)
            let removed = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    var retention = HistoryRetention()
                    retention.keepDays = 1
                    return try await history.prune(retention)
                }
                return try await group.next() ?? 0
            }
            #expect(removed < 12_000)
            #expect(try await count(history) == points.count - removed)
        }
    }

    @Test func `A sink prunes its history once an hour`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let clock = ManualClock()
            var retention = HistoryRetention()
            retention.keepDays = 1
            let sink = HistorySink(
                id: "history", directory: directory, device: Samples.device, retention: retention, clock: clock)
            let records = SampleRecords.records(from: 1, count: 2) + [SampleRecords.record(200_000)]
            _ = try await sink.deliver(RecordBatch(records: records))
            let running = Task { try await sink.run() }
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(60))
            await clock.sleepers(atLeast: 1)  // it has pruned and waits again
            running.cancel()
            _ = await running.result
            await sink.close()
            let history = try await TrackHistory.open(directory: directory)
            #expect(try await history.points(of: Samples.device, during: Self.whole, limit: 9).count == 1)
            await history.close()
        }
    }

    @Test func `Where the senders are unknown only a device with more than all others loses points`() async throws {
        try await Samples.withHistory { history in
            let few = (0..<1_000).map { Samples.point(Double($0), north: Double($0)) }
            for device in ["a", "b", "c"] as [DeviceID] { _ = try await history.add(few, of: device) }
            let many = (0..<2_500).map { Samples.point(Double($0), north: Double($0)) }
            _ = try await history.add(many, of: "phone")
            var retention = HistoryRetention()
            retention.maxBytes = 1 << 16
            #expect(try await history.prune(retention, owners: nil) == 0)
            _ = try await history.add((2_500..<8_000).map { Samples.point(Double($0)) }, of: "phone")
            #expect(try await history.prune(retention, owners: nil) == 5_000)
            #expect(try await count(history, "phone") == 3_000)
        }
    }
}
