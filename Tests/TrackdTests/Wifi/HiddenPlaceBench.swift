import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// A tracker with a keeper of profiles on a manual clock, whose wireless network and known position the test sets. All lies on one
/// meridian; places are seen from its origin.
struct HiddenPlaceBench: Sendable {
    /// What is known better than the source does.
    final class Authority: PositionOverride {
        private let known = Mutex(KnownPosition?.none)

        func set(_ position: KnownPosition?) { known.withLock { $0 = position } }

        var position: KnownPosition? { known.withLock { $0 } }
    }

    /// What the machine knows of itself.
    final class Machine: Sendable {
        private let state = Mutex(HostStatus?.none)

        func connect(to name: String?, _ battery: HostStatus.BatteryState = .unplugged) {
            let network = name.flatMap { WifiNetwork(ssid: $0, bssid: BSSID("02:00:5e:10:00:01")) }
            state.withLock { $0 = HostStatus(batteryLevel: 0.5, batteryState: battery, wifi: network) }
        }

        var status: HostStatus? { state.withLock { $0 } }
    }

    static let start = Timestamp(secondsSince1970: 1_772_384_400)
    /// A circle of 500 m, 2 km from the origin.
    static let home = "latitude: 0.51808746, longitude: 10, radius: 500"

    let clock = ManualClock()
    let source = FedSource()
    let store: any FixStore = InMemoryFixStore()
    let authority = Authority()
    let machine = Machine()
    let tracker: Tracker
    let keeper: ProfileController

    private init(_ yaml: String, in folder: String) throws {
        let configuration = try Given.configuration(yaml)
        let (clock, machine) = (clock, machine)
        let now: @Sendable () -> Timestamp = { Self.start.advanced(by: clock.now.offset) }
        tracker = try Tracker.make(store: store, sources: [source]) { [authority] in
            $0.recording = configuration.tracking
            $0.detector = try configuration.events.makeDetector(of: "van-7")
            $0.ownEvents = configuration.events.told
            ($0.privacyFilter, $0.positionOverride) = (try configuration.events.privacyZones, authority)
            $0.hostStatus = { machine.status }
            ($0.clock, $0.wallClock) = (clock, now)
        }
        keeper = ProfileController(
            configuration, tracker, BatteryReader(directory: folder + "/power"), logger: CollectedLog().logger,
            clock: clock, now: now)
    }

    /// Runs tracker and keeper of a configuration while `body` does.
    static func with(
        _ yaml: String, _ body: @Sendable @escaping (HiddenPlaceBench) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let bench = try HiddenPlaceBench(yaml, in: folder)
            await bench.keeper.begin()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bench.tracker.run() }
                group.addTask { await bench.keeper.run() }
                _ = await bench.source.output()
                try await body(bench)
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    /// Moves the clock on and feeds a fix of then, so many metres up the meridian.
    func feed(
        after seconds: Int64 = 10, _ metres: Double, accuracy: Double = 5, speed: Double? = nil
    ) async throws {
        clock.advance(by: .seconds(seconds))
        let coordinate = Coordinate(latitude: 0.5 + metres / 110_574.4, longitude: 10)
        try await source.feed(
            Fix(
                time: Self.start.advanced(by: clock.now.offset), coordinate: coordinate, horizontalAccuracy: accuracy,
                speed: speed))
    }

    /// A position so many metres up the meridian.
    static func position(_ metres: Double) -> KnownPosition {
        KnownPosition(Coordinate(latitude: 0.5 + metres / 110_574.4, longitude: 10), horizontalAccuracy: 20)
    }

    func records() async throws -> [TrackRecord] { try await store.records(after: .zero, limit: 1000) }

    /// What is stored of a network, for people.
    func records(naming network: String) async throws -> [String] {
        try await records().filter { $0.host?.wifi?.ssid == network }.map { "\($0.kind) at \($0.fix.time)" }
    }
}
