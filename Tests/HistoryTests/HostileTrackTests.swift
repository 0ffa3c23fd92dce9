import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Tracks that nobody travels, as somebody may send them to keep a server busy.
@Suite("Hostile tracks", .timeLimit(.minutes(15)))
struct HostileTrackTests {
    private static let always = Samples.seconds(-1_000_000..<100_000_000)
    private static let count = TestEnvironment.isOptimised ? 12_000 : 1_000

    private static func point(_ milliseconds: Int, _ latitude: Double, _ longitude: Double) -> HistoryPoint {
        HistoryPoint(
            fix: Fix(
                time: Samples.start.advanced(by: .milliseconds(milliseconds)),
                coordinate: Coordinate(latitude: latitude, longitude: longitude)))
    }

    enum Shape: CaseIterable, Sendable {
        /// From pole to pole each second, at any longitude.
        case zigzag
        /// One place, and each second time another one anywhere.
        case spikes
        /// To and fro over the antimeridian.
        case antimeridian
        /// All of it in one millisecond.
        case burst
        /// Pairs of places with a gap between them, each a line of its own.
        case lines
    }

    private static func points(_ shape: Shape) -> [HistoryPoint] {
        var random = SeededGenerator(seed: 17)
        func anywhere(_ milliseconds: Int) -> HistoryPoint {
            point(
                milliseconds, Double.random(in: -85...85, using: &random),
                Double.random(in: -179...179, using: &random))
        }
        return (0..<count).map { index in
            let end = index % 2 == 0 ? 1.0 : -1
            return switch shape {
            case .zigzag:
                point(
                    index * 1000, end * Double.random(in: 70...85, using: &random), anywhere(0).fix.coordinate.longitude
                )
            case .spikes: index % 2 == 0 ? point(index * 1000, 53, 10) : anywhere(index * 1000)
            case .antimeridian: point(index * 1000, Double(index % 80), end * 179.9)
            case .burst: anywhere(0)
            case .lines: point(index / 2 * 700_000 + index % 2 * 1000, end * 80, Double(index % 170))
            }
        }
    }

    @Test(arguments: Shape.allCases)
    func `what is drawn and told of one is bounded, and sums count each point`(_ shape: Shape) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var environment = HistoryEnvironment()
            environment.patience = .seconds(3_600)  // the bounds are the subject, not the time
            let history = try await TrackHistory.open(
                directory: directory + "/history", key: nil, environment: environment)
            _ = try await history.add(Self.points(shape), of: Samples.device)
            for zoom in [12, 20, 3] {
                let drawing = try await history.drawing(of: Samples.device, during: Self.always, zoom: zoom)
                #expect(drawing.zoom <= zoom && !drawing.lines.isEmpty)
                #expect(drawing.lines.reduce(0) { $0 + $1.count } <= 800_000)
            }
            for tolerance in [0, 10, 100_000.0] {
                let lines = try await history.path(of: Samples.device, during: Self.always, within: tolerance)
                #expect((1...200_000).contains(lines.reduce(0) { $0 + $1.count }))
            }
            let known = try await history.points(of: Samples.device, during: Self.always, limit: .max).count
            #expect(try await history.summary(of: Samples.device, during: Self.always)?.count == known)
            await history.close()
        }
    }

    @Test func `more corners than an answer may have are refused with what would help`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory + "/history")
            _ = try await history.add([Self.point(0, 53, 10)], of: Samples.device)
            await history.close()
            // 200,000 more, each a millisecond and 0.000001° farther.
            try Databases.change(
                directory + "/history/history.sqlite",
                """
                WITH RECURSIVE step (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM step WHERE number < 200000)
                INSERT INTO point (device, time, latitude, longitude, state)
                SELECT device, time + number, latitude + 10 * number, longitude, state FROM point, step;
                DELETE FROM chunk
                """)
            history = try await TrackHistory.open(directory: directory + "/history")
            let whole = try await history.path(of: Samples.device, during: Self.always, within: 1)
            #expect(whole.count == 1)
            let error = await #expect(throws: StoreError.self) {
                try await history.path(of: Samples.device, during: Self.always, within: 0)
            }
            #expect(error?.message.contains("a shorter time, or less detail") == true)
            await history.close()
        }
    }

    @Test func `a question ends with its time, and with its task`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var environment = HistoryEnvironment()
            environment.patience = .zero
            let hasty = try await TrackHistory.open(directory: directory + "/hasty", key: nil, environment: environment)
            _ = try await hasty.add(Self.points(.spikes), of: Samples.device)
            let late = await #expect(throws: StoreError.self) {
                try await hasty.drawing(of: Samples.device, during: Self.always, zoom: 5)
            }
            #expect(late?.message.contains("takes too long") == true)
            await hasty.close()
            let history = try await TrackHistory.open(directory: directory + "/history")
            _ = try await history.add(Self.points(.spikes), of: Samples.device)
            let asking = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await history.path(of: Samples.device, during: Self.always, within: 0)
            }
            let cancelled = await #expect(throws: StoreError.self) { try await asking.value }
            #expect(cancelled?.code.rawValue == "cancelled")
            await history.close()
        }
    }
}
