import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("Paths, sums and areas of a history")
struct PathTests {
    /// A drive, and the files of a history that has it.
    private struct Filled: Sendable {
        let points: [HistoryPoint]
        let key: StoreKey?
        let files: PreparedHistory
    }

    /// Drives whose points were added in pieces and partly out of order: with questions in between, and, for one that takes
    /// more chunks than a transaction makes, without. Made once.
    private static let drives = Task {
        var random = SeededGenerator(seed: 4)
        var drives: [Filled] = []
        for (count, step) in [(1, 1.0), (2, 1), (900, 1), (7000, 1), (3000, 30)] {
            let points = Samples.drive(count, every: step, using: &random)
            for key in [nil, Samples.key] {
                let pieces = stride(from: 0, to: count, by: 500).map { points[$0..<min($0 + 500, count)] }
                    .shuffled(using: &random)
                let files = try await PreparedHistory.made(key) { history in
                    for piece in pieces {
                        _ = try await history.add(Array(piece), of: Samples.device)
                        guard step == 1 else { continue }
                        _ = try await history.summary(of: Samples.device, during: Samples.seconds(0..<3000))
                        _ = try await history.path(
                            of: Samples.device, during: Samples.seconds(500..<90_000), within: 30)
                    }
                }
                drives.append(Filled(points: points, key: key, files: files))
            }
        }
        return drives
    }

    /// Opens a copy of each history with a drive.
    private func eachDrive(_ body: (_ points: [HistoryPoint], TrackHistory) async throws -> Void) async throws {
        for drive in try await Self.drives.value {
            try await TestEnvironment.withTemporaryDirectory { directory in
                try drive.files.copy(to: directory)
                let history = try await TrackHistory.open(directory: directory, key: drive.key)
                #expect(try await history.isEncrypted == (drive.key != nil))
                try await body(drive.points, history)
                await history.close()
            }
        }
    }

    /// A range of seconds that begins and ends by chance.
    private func range(_ points: [HistoryPoint], using random: inout SeededGenerator) -> Range<Timestamp> {
        let last = Int(points[points.count - 1].fix.time.duration(since: Samples.start).components.seconds) + 10
        let begin = Int.random(in: 0..<last, using: &random)
        return Samples.seconds(begin..<Int.random(in: begin...last, using: &random))
    }

    @Test(arguments: [1.0, 3, 10, 64, 1000, 1_000_000])
    func `A path is nowhere farther from the points than its tolerance`(_ tolerance: Double) async throws {
        var random = SeededGenerator(seed: 9)
        try await eachDrive { points, history in
            for _ in 0..<10 {
                let times = range(points, using: &random)
                let lines = try await history.path(of: Samples.device, during: times, within: tolerance)
                let inside = points.filter { times.contains($0.fix.time) }
                for line in lines {
                    #expect(zip(line, line.dropFirst()).allSatisfy { $0.time < $1.time })
                }
                var (index, corner) = (0, 0)
                for point in inside {
                    let time = point.fix.time
                    while index < lines.count, lines[index][lines[index].count - 1].time < time {
                        (index, corner) = (index + 1, 0)
                    }
                    guard index < lines.count else {
                        Issue.record("no line at \(time) in \(times)")
                        return
                    }
                    while lines[index][corner].time < time { corner += 1 }
                    guard let place = Self.place(on: lines[index], at: time, before: corner) else {
                        Issue.record("no line at \(time) in \(times)")
                        return
                    }
                    // The grid's steps add a centimetre for each level, and so does rounding.
                    #expect(place.distance(to: point.fix.coordinate) <= tolerance + 0.2)
                }
                #expect(!lines.isEmpty || inside.isEmpty)
            }
        }
    }

    /// How far a mark rises that each altitude drags along, from where it is five metres or more below it; in centimetres.
    private static func climb(_ altitudes: [Double]) -> Int? {
        guard var mark = altitudes.first.map({ Int(($0 * 100).rounded()) }) else { return nil }
        var rise = 0
        for altitude in altitudes.map({ Int(($0 * 100).rounded()) }) {
            let next = min(max(mark, altitude - 500), altitude)
            rise += max(0, next - mark)
            mark = next
        }
        return rise
    }

    @Test(
        arguments: [
            ([0, 100, 0, 100], 190.0), ([0, 2, -2, 2, -2], 0), ([0, 5, 0], 0), ([0, 6, 12, 6, 0], 7), ([100, 0], 0),
            ([10], 0), ([0, 1e7, 0], 0), ([0, 1e9, -1e9, 3], 0), ([], nil),
        ] as [([Double], Double?)])
    func `A rise counts but for five metres, and noise does not`(_ altitudes: [Double], _ climb: Double?) async throws {
        try await Samples.withHistory { history in
            var points = [Samples.point(-1)]
            // Each in a chunk of its own, so that what is joined is stretches.
            points += altitudes.enumerated().map { Samples.point(Double($0) * 1000, altitude: $1) }
            _ = try await history.add(points, of: Samples.device)
            let summary = try await history.summary(of: Samples.device, during: Samples.seconds(-10..<100_000))
            #expect(try #require(summary).climb == climb)
        }
    }

    /// The position of a line at a time, whose first corner at or after it is given; `nil` before the line begins.
    private static func place(on line: [Fix], at time: Timestamp, before next: Int) -> Coordinate? {
        if line[next].time == time { return line[next].coordinate }
        guard next > 0 else { return nil }
        let (from, to) = (line[next - 1], line[next])
        let part = time.duration(since: from.time).inSeconds / to.time.duration(since: from.time).inSeconds
        return Coordinate(
            latitude: from.coordinate.latitude + part * (to.coordinate.latitude - from.coordinate.latitude),
            longitude: from.coordinate.longitude + part * (to.coordinate.longitude - from.coordinate.longitude))
    }

    @Test func `A coarser path has fewer corners`() async throws {
        try await eachDrive { points, history in
            var counts: [Int] = []
            for tolerance in [0, 2.0, 16, 128, 8192] {
                let whole = Samples.seconds(0..<1_000_000)
                counts.append(
                    try await history.path(of: Samples.device, during: whole, within: tolerance).reduce(0) {
                        $0 + $1.count
                    })
            }
            #expect(counts == counts.sorted(by: >))
            #expect(counts[0] == points.count)
            if points.count == 7000 { #expect(counts[2] < 700) }
        }
    }

    @Test func `Sums are those of the points one by one`() async throws {
        var random = SeededGenerator(seed: 11)
        try await eachDrive { points, history in
            for _ in 0..<20 {
                let times = range(points, using: &random)
                let inside = points.filter { times.contains($0.fix.time) }.map(\.fix)
                let summary = try await history.summary(of: Samples.device, during: times)
                guard let first = inside.first, let last = inside.last else {
                    #expect(summary == nil)
                    continue
                }
                var (distance, moving) = (0.0, 0.0)
                for (from, to) in zip(inside, inside.dropFirst()) {
                    let time = to.time.duration(since: from.time).inSeconds
                    guard time <= 600 else { continue }
                    let step = from.coordinate.distance(to: to.coordinate)
                    distance += step
                    if step / time >= 0.3 / 3.6 { moving += time }
                }
                let found = try #require(summary)
                #expect([found.start, found.end] == [first.time, last.time])
                #expect(found.count == inside.count)
                #expect(abs(found.distance - distance) <= 0.02 * Double(inside.count))
                #expect(found.movingTime == .seconds(moving))
                #expect(found.topSpeed == inside.compactMap(\.speed).max())
                #expect(found.climb.map { Int(($0 * 100).rounded()) } == Self.climb(inside.compactMap(\.altitude)))
                let latitudes = inside.map(\.coordinate.latitude)
                #expect(abs(found.area.southWest.latitude - latitudes.min()!) < 1e-7)  // inside is not empty
                #expect(abs(found.area.northEast.latitude - latitudes.max()!) < 1e-7)
            }
        }
    }

    @Test func `An area holds the points within it, by time`() async throws {
        var random = SeededGenerator(seed: 12)
        try await eachDrive { points, history in
            for _ in 0..<10 {
                let corner = points[Int.random(in: 0..<points.count, using: &random)].fix.coordinate
                let area = try #require(
                    HistoryArea(
                        southWest: corner,
                        northEast: Coordinate(latitude: corner.latitude + 0.003, longitude: corner.longitude + 0.003)))
                let times = range(points, using: &random)
                let inside = points.filter { point in
                    times.contains(point.fix.time) && point.fix.coordinate.latitude >= area.southWest.latitude - 5e-8
                        && point.fix.coordinate.latitude <= area.northEast.latitude + 5e-8
                        && point.fix.coordinate.longitude >= area.southWest.longitude - 5e-8
                        && point.fix.coordinate.longitude <= area.northEast.longitude + 5e-8
                }
                let found = try await history.points(of: Samples.device, during: times, in: area, limit: .max)
                #expect(found.map(\.fix.time) == inside.map(\.fix.time))
                let some = try await history.points(of: Samples.device, during: times, in: area, limit: 3)
                #expect(some == Array(found.prefix(3)))
            }
        }
    }

    @Test func `A line ends where the device is at the edge of the time that was asked for`() async throws {
        try await Samples.withHistory { history in
            let points = [Samples.point(0), Samples.point(100, north: 1000), Samples.point(200, north: 2000)]
            _ = try await history.add(points, of: Samples.device)
            let lines = try await history.path(of: Samples.device, during: Samples.seconds(50..<150), within: 5)
            let line = try #require(lines.first)
            let ends = [Samples.point(50, north: 500), Samples.point(150, north: 1500)].map(\.fix)
            #expect([line[0].time, line[line.count - 1].time] == ends.map(\.time))
            #expect(line[0].coordinate.distance(to: ends[0].coordinate) < 0.1)
            #expect(line[line.count - 1].coordinate.distance(to: ends[1].coordinate) < 0.1)
        }
    }

    @Test func `Ten minutes without a point are a gap, and both sides of it stay`() async throws {
        try await Samples.withHistory { history in
            let points = [0.0, 600, 1200.5, 1201].map { Samples.point($0, north: $0) }
            _ = try await history.add(points, of: Samples.device)
            for tolerance in [0.0, 1, 100_000] {
                let lines = try await history.path(
                    of: Samples.device, during: Samples.seconds(0..<9000), within: tolerance)
                #expect(lines.map { $0.map(\.time) } == [points[..<2], points[2...]].map { $0.map(\.fix.time) })
            }
            let summary = try await history.summary(of: Samples.device, during: Samples.seconds(0..<9000))
            #expect(abs((summary?.distance ?? 0) - 600.5) < 2)
        }
    }

    @Test func `What was removed is gone from points, paths and sums, and may come again`() async throws {
        try await Samples.withHistory { history in
            let points = (0..<100).map { Samples.point(Double($0) * 60, north: Double($0), senderID: .text("\($0)")) }
            _ = try await history.add(points, of: Samples.device)
            let whole = Samples.seconds(0..<100_000)
            _ = try await history.path(of: Samples.device, during: whole, within: 1)
            #expect(try await history.remove(Samples.device, during: Samples.seconds(600..<1200)) == 10)
            #expect(try await history.remove("unknown", during: whole) == 0)
            #expect(try await history.summary(of: Samples.device, during: whole)?.count == 90)
            #expect(try await history.points(of: Samples.device, during: whole, limit: 1000).count == 90)
            #expect(try await history.path(of: Samples.device, during: whole, within: 1).count == 2)
            #expect(try await history.add(points, of: Samples.device).added == 10)
            #expect(try await history.summary(of: Samples.device, during: whole)?.count == 100)
        }
    }

    @Test func `Places of the same millisecond are simplified like others`() async throws {
        try await Samples.withHistory { history in
            // A receiver of 5 Hz whose sender tells whole seconds.
            let points = (0..<2000).map { Samples.point(Double($0 / 5), north: Double($0)) }
            _ = try await history.add(points, of: Samples.device)
            let lines = try await history.path(of: Samples.device, during: Samples.seconds(0..<100_000), within: 64)
            #expect(lines.count == 1)
            #expect(lines[0].count < 60)
        }
    }

    @Test func `A line is cut at the edge wherever the chunks end, also where no point is inside`() async throws {
        try await Samples.withHistory { history in
            // Around the end of a quarter of an hour.
            _ = try await history.add([Samples.point(890), Samples.point(910, north: 200)], of: Samples.device)
            for tolerance in [0.0, 1, 1000] {
                for (range, north) in [(0..<900, 0.0...100), (900..<1000, 100...200), (895..<905, 50...150)] {
                    let lines = try await history.path(
                        of: Samples.device, during: Samples.seconds(range), within: tolerance)
                    let ends = [lines.first?.first, lines.last?.last].compactMap(\.self).map(\.coordinate)
                    let expected = [north.lowerBound, north.upperBound].map {
                        Samples.point(0, north: $0).fix.coordinate
                    }
                    #expect(ends.count == 2 && zip(ends, expected).allSatisfy { $0.distance(to: $1) < 0.1 }, "\(range)")
                }
            }
        }
    }

    @Test func `An empty range holds nothing and removes nothing`() async throws {
        try await Samples.withHistory { history in
            _ = try await history.add([Samples.point(0)], of: Samples.device)
            let time = Samples.start.advanced(by: .microseconds(500))
            #expect(try await history.remove(Samples.device, during: time..<time) == 0)
            #expect(try await history.path(of: Samples.device, during: time..<time, within: 1).isEmpty)
            #expect(try await history.points(of: Samples.device, during: time..<time, limit: 9).isEmpty)
        }
    }
}
