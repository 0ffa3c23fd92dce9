import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// A tracker with a keeper of profiles, on a manual clock, with a source and a battery that the test feeds.
struct ProfileBench: Sendable {
    /// Where the places of the tests are seen from; all lie on one meridian.
    static let origin = Coordinate(latitude: 0.5, longitude: 10)
    /// A Sunday, 17:00 in Greenwich.
    static let start = Timestamp(secondsSince1970: 1_772_384_400)
    /// A circle of 500 m, 2 km from the origin.
    static let yard = "latitude: 0.51808746, longitude: 10, radius: 500"

    let clock = ManualClock()
    let source = FedSource()
    let sink = RecordingSink()
    let log = CollectedLog()
    let store: any FixStore
    let tracker: Tracker
    let keeper: ProfileController
    let battery: BatteryReader
    private let power: String
    private let shift = Shift()

    /// How far the time of day is from what it should be.
    private final class Shift: Sendable {
        let value = Mutex(Duration.zero)
    }

    init(_ yaml: String, in folder: String, store: any FixStore = InMemoryFixStore(), shift: Duration = .zero) throws {
        // The keeper applies the store's section, too; by default records are removed soon after they were sent.
        let configuration = try Given.configuration(yaml + "\nstore: {keepSyncedDays: 30}\n")
        self.store = store
        power = folder + "/supply/BAT0"
        battery = BatteryReader(directory: folder + "/supply")
        self.shift.value.withLock { $0 = shift }
        let now: @Sendable () -> Timestamp = { [clock, own = self.shift] in
            Self.start.advanced(by: clock.now.offset + own.value.withLock { $0 })
        }
        tracker = try Tracker.make(store: store, sources: [source], sinks: [SinkBinding(sink)]) { [clock] in
            ($0.recording, $0.retention) = (configuration.tracking, configuration.store.retention)
            $0.detector = try configuration.events.makeDetector(of: "van-7")
            ($0.clock, $0.wallClock) = (clock, now)
        }
        keeper = ProfileController(
            configuration, tracker, battery, PowerFile(in: folder), logger: log.logger, clock: clock, now: now)
    }

    /// Runs tracker and keeper while `body` does; then it is as after a kill.
    func run(_ body: @Sendable @escaping () async throws -> Void) async throws {
        await keeper.begin()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            group.addTask { await keeper.run() }
            _ = await source.output()
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Sets the time of day.
    func set(shift: Duration) { self.shift.value.withLock { $0 = shift } }

    /// Gives a level and a state to the battery, and has it read.
    func setBattery(_ percent: Int, _ state: String = "Discharging") async throws {
        try FileManager.default.createDirectory(atPath: power, withIntermediateDirectories: true)
        for (name, text) in [("type", "Battery"), ("capacity", "\(percent)"), ("status", state)] {
            try text.write(toFile: "\(power)/\(name)", atomically: true, encoding: .utf8)
        }
        await battery.look()
    }

    /// A fix so many seconds after the start, so many metres up the meridian.
    static func fix(_ second: Int64, metres: Double = 0) -> Fix {
        Fix(
            time: start.advanced(by: .seconds(second)),
            coordinate: Coordinate(latitude: origin.latitude + metres / 110_574.4, longitude: origin.longitude),
            horizontalAccuracy: 5)
    }

    /// Moves the clock on and feeds a fix of then.
    func feed(after seconds: Int64 = 10, metres: Double) async throws {
        clock.advance(by: .seconds(seconds))
        try await source.feed(Self.fix(clock.now.offset.components.seconds, metres: metres))
    }

    /// Waits until a profile holds for a reason.
    func holds(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("it is \(words), not \(Self.words(keeper.standing))", sourceLocation: sourceLocation) {
            keeper.standing?.resolution.words == words
        }
    }

    /// The same, while time passes: whoever looks at intervals may not have begun to wait yet.
    func holds(_ words: String, passing step: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("it is \(words), not \(Self.words(keeper.standing))", sourceLocation: sourceLocation) {
            if keeper.standing?.resolution.words == words { return true }
            clock.advance(by: step)
            return false
        }
    }

    private static func words(_ standing: ProfileStatus?) -> String { standing?.resolution.words ?? "without rules" }

    /// Waits until the tracker records by a distance.
    func records(by metres: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("the distance is \(metres) m", sourceLocation: sourceLocation) {
            await tracker.configuration.recording.distanceFilter == metres
        }
    }

    /// How far up the meridian the records lie, in metres.
    func metres() async throws -> [Double] {
        try await store.records(after: .zero, limit: 1000).filter { $0.kind == .location }
            .map { (($0.fix.coordinate.latitude - Self.origin.latitude) * 110_574.4).rounded() }
    }

    func rejected(_ reason: RejectionReason) async -> Int {
        await tracker.status().sources.first?.rejected[reason] ?? 0
    }
}
