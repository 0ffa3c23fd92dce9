import Synchronization
import Testing
import TrackEngine
import TrackEngineTestKit

/// What knows better than a live source where the object is.
@Suite(.timeLimit(.minutes(30))) struct PositionOverrideTests {
    private static let depot = KnownPosition(metresUp(500), horizontalAccuracy: 20)

    /// So many metres up the road.
    private static func metresUp(_ metres: Double) -> Coordinate { Road.fix(0, metres: metres).coordinate }

    private static func feed(_ harness: TrackerHarness, _ seconds: ClosedRange<Int>, metres: Double) async throws {
        for second in seconds { try await harness.source.feed(Road.fix(Double(second), metres: metres, speed: 0)) }
    }

    private static func metres(_ store: any FixStore) async throws -> [Double] {
        try await store.records(after: .zero, limit: 1000).map {
            (($0.fix.coordinate.latitude - Road.origin.latitude) * 110_574.4).rounded()
        }
    }

    @Test func `a fix is used as one of the known position, at its own time and with nothing else of its own`()
        async throws
    {
        let authority = SwitchedAuthority(Self.depot)
        let harness = try TrackerHarness(authority: authority) { $0.neverRest() }
        let fix = Fix(
            time: Road.start, coordinate: Road.origin, altitude: 7, horizontalAccuracy: 3, verticalAccuracy: 5,
            speed: 4,
            speedAccuracy: 1, course: 90, courseAccuracy: 2, satellitesUsed: 9, satellitesVisible: 12,
            mode: .threeDimensional, status: .normal, activity: .walking)
        try await harness.run { try await harness.source.feed(fix) }
        let record = try #require(try await harness.store.records(after: .zero, limit: 10).first)
        #expect(
            record.fix == Fix(time: Road.start, coordinate: Self.depot.coordinate, horizontalAccuracy: 20))
        #expect(try await harness.stored() == ["0: first, moves"])
    }

    @Test func `where the object comes under it and leaves it a leg begins, which no gate refuses`() async throws {
        let authority = SwitchedAuthority(nil)
        let harness = try TrackerHarness(authority: authority) {
            $0.neverRest()
            ($0.maximumSpeed, $0.maximumJump, $0.maximumJumpAfter) = (30, 200, .seconds(0))
        }
        try await harness.run {
            try await Self.feed(harness, 0...9, metres: 0)
            authority.set(Self.depot)
            try await Self.feed(harness, 10...19, metres: 0)
            authority.set(nil)
            try await Self.feed(harness, 20...29, metres: 0)
            try await harness.source.feed(Road.fix(30, metres: 25))
            try await harness.source.feed(Road.fix(31, metres: 4000))
            #expect(await harness.tracker.status().sources.first?.rejections(.implausibleSpeed) == 1)
        }
        #expect(
            try await harness.stored() == [
                "0: first, moves", "10: resumed, moves", "20: resumed, moves", "30: distance, moves",
            ])
        #expect(try await Self.metres(harness.store) == [0, 500, 0, 25])
        let odometer = try await harness.store.records(after: .zero, limit: 10).last?.odometer
        #expect(
            odometer.map { $0 < 50 } == true, "nobody travelled to the known position: \(String(describing: odometer))")
    }

    @Test func `a run that begins where the last one ended goes on with the leg`() async throws {
        let (store, authority) = (InMemoryFixStore(), SwitchedAuthority(Self.depot))
        let first = try TrackerHarness(store: store, authority: authority) { $0.neverRest() }
        try await first.crash { try await Self.feed(first, 0...2, metres: 0) }
        let second = try TrackerHarness(store: store, authority: authority) { $0.neverRest() }
        try await second.run {
            try await Self.feed(second, 3...9, metres: 0)
            authority.set(nil)
            try await Self.feed(second, 10...10, metres: 0)
        }
        #expect(try await second.stored() == ["0: first, moves", "10: resumed, moves"])
    }

    @Test func `a recording tells of another time and stays as it is`() async throws {
        let source = FedSource(timeBase: .fixTime)
        let harness = try TrackerHarness(source: source, authority: SwitchedAuthority(Self.depot)) { $0.neverRest() }
        try await harness.run { try await harness.source.feed(Road.fix(0)) }
        #expect(try await Self.metres(harness.store) == [0])
    }

    @Test func `a true position that is hidden stays hidden, and so does a known one`() async throws {
        let authority = SwitchedAuthority(Self.depot)
        let harness = try TrackerHarness(cover: CutRoad(from: 1000), authority: authority) { $0.neverRest() }
        try await harness.run {
            try await Self.feed(harness, 0...0, metres: 2000)
            #expect(await harness.tracker.status().sources.first?.rejections(.hidden) == 1)
            authority.set(KnownPosition(Self.metresUp(1500), horizontalAccuracy: 20))
            try await Self.feed(harness, 1...1, metres: 0)
            #expect(await harness.tracker.status().sources.first?.rejections(.hidden) == 2)
            authority.set(Self.depot)
            try await Self.feed(harness, 2...2, metres: 0)
        }
        #expect(try await Self.metres(harness.store) == [500])
    }

    @Test func `a network is named only where nothing is hidden, and that of a hidden place nowhere`() async throws {
        let wifi = try #require(WifiNetwork(ssid: "depot", bssid: BSSID("02:00:5e:10:00:01")))
        let battery = SystemMutex(HostStatus.BatteryState.full)
        let harness = try TrackerHarness(cover: MovedRoad(from: 1000), battery: battery, wifi: wifi) { $0.neverRest() }
        try await harness.run {
            try await Self.feed(harness, 0...0, metres: 0)
            try await Self.feed(harness, 1...1, metres: 2000)
            try await Self.feed(harness, 2...2, metres: 0)
        }
        let hosts = try await harness.store.records(after: .zero, limit: 10).map(\.host)
        #expect(hosts.map { $0?.wifi } == [wifi, nil, nil])
        #expect(hosts.allSatisfy { $0?.batteryState == .full })
    }

    @Test func `a position of a hidden place that is recorded after it was left names no network`() async throws {
        let wifi = try #require(WifiNetwork(ssid: "depot"))
        let harness = try TrackerHarness(cover: MovedRoad(from: 1000), wifi: wifi) {
            $0.neverRest()
            $0.record = .deviation
        }
        try await harness.run {
            try await Self.feed(harness, 0...0, metres: 0)
            for second in 1...5 { try await harness.source.feed(Road.fix(Double(second * 60), metres: 2000)) }
            for second in 6...9 { try await harness.source.feed(Road.fix(Double(second * 60), metres: 100)) }
        }
        let records = try await harness.store.records(after: .zero, limit: 100)
        let hidden = records.filter { $0.fix.coordinate == Self.metresUp(1000) }
        #expect(!hidden.isEmpty && hidden.allSatisfy { $0.host?.wifi == nil })
        #expect(records.last?.host?.wifi == nil && records.last?.fix.coordinate == Self.metresUp(100))
    }

    @Test func `after a change of the hidden areas the place counts as hidden until the next fix`() async throws {
        let harness = try TrackerHarness(cover: MovedRoad(from: 1000)) { $0.neverRest() }
        try await harness.run {
            try await Self.feed(harness, 0...0, metres: 0)
            #expect(await harness.tracker.status().sources.first?.hidesPlace == false)
            await harness.tracker.coverChanged()
            #expect(await harness.tracker.status().sources.first?.hidesPlace == true)
            try await Self.feed(harness, 1...1, metres: 100)
            #expect(await harness.tracker.status().sources.first?.hidesPlace == false)
        }
    }
}

/// Knows what the test says.
private final class SwitchedAuthority: PositionOverride {
    private let known: Mutex<KnownPosition?>

    init(_ position: KnownPosition?) { known = Mutex(position) }

    func set(_ position: KnownPosition?) { known.withLock { $0 = position } }

    var position: KnownPosition? { known.withLock { $0 } }
}

/// Drops what lies so many metres up the road or farther.
private struct CutRoad: PrivacyFilter {
    let bound: Coordinate

    init(from metres: Double) { bound = Road.fix(0, metres: metres).coordinate }

    func covered(_ fix: Fix) -> Fix? { fix.coordinate.latitude >= bound.latitude ? nil : fix }
}

/// Moves what lies so many metres up the road or farther to there.
private struct MovedRoad: PrivacyFilter {
    let bound: Coordinate

    init(from metres: Double) { bound = Road.fix(0, metres: metres).coordinate }

    func covered(_ fix: Fix) -> Fix? {
        fix.coordinate.latitude >= bound.latitude ? Fix(time: fix.time, coordinate: bound) : fix
    }
}
