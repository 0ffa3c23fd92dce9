import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct HeartbeatTests {
    private static let start = Timestamp(secondsSince1970: 1_772_359_200)
    private static let home = Coordinate(latitude: 53.5, longitude: 10)

    private static func observed(_ second: Int64, isMoving: Bool = false) -> DetectorFix {
        DetectorFix(
            fix: Fix(
                time: start.advanced(by: .seconds(second)), coordinate: home, altitude: 12, horizontalAccuracy: 5,
                speed: 0.3, course: 90),
            isMoving: isMoving, odometer: 0)
    }

    private static func seconds(_ events: [DetectorEvent]) -> [Int64] {
        events.map { $0.fix.time.duration(since: start).components.seconds }
    }

    @Test func `at rest there is one each interval, counted from the last movement`() throws {
        var detector = try HeartbeatDetector(interval: .seconds(900))
        var events: [DetectorEvent] = []
        detector.observe(Self.observed(0, isMoving: true)) { events.append($0) }
        for second in stride(from: Int64(60), through: 2760, by: 60) {
            detector.observe(Self.observed(second)) { events.append($0) }
        }
        #expect(Self.seconds(events) == [900, 1800, 2700])
        #expect(events.allSatisfy { $0.content == .heartbeat })
    }

    @Test func `it has the newest place, and nothing of the old moment`() throws {
        var detector = try HeartbeatDetector(interval: .seconds(60))
        var events: [DetectorEvent] = []
        detector.observe(Self.observed(0)) { events.append($0) }
        #expect(detector.deadline == Self.start.advanced(by: .seconds(60)))
        detector.pass(to: Self.start.advanced(by: .seconds(60))) { events.append($0) }
        let fix = try #require(events.first?.fix)
        #expect(fix.coordinate == Self.home && fix.altitude == 12 && fix.horizontalAccuracy == 5)
        #expect(fix.speed == nil && fix.course == nil)
    }

    @Test func `movement puts it off`() throws {
        var detector = try HeartbeatDetector(interval: .seconds(900))
        var events: [DetectorEvent] = []
        for second in stride(from: Int64(0), through: 3600, by: 60) {
            detector.observe(Self.observed(second, isMoving: true)) { events.append($0) }
        }
        #expect(events.isEmpty)
    }

    @Test func `a day without a fix is one and not a hundred`() throws {
        var detector = try HeartbeatDetector(interval: .seconds(900))
        var events: [DetectorEvent] = []
        detector.observe(Self.observed(0)) { events.append($0) }
        detector.observe(Self.observed(86_400)) { events.append($0) }
        #expect(Self.seconds(events) == [900])
        #expect(detector.deadline == Self.start.advanced(by: .seconds(86_400 + 900)))
    }

    @Test func `a clock that was ahead does not silence it`() throws {
        var detector = try HeartbeatDetector(interval: .seconds(900))
        detector.observe(Self.observed(1_000_000, isMoving: true)) { _ in }
        detector.observe(Self.observed(10)) { _ in }
        #expect(detector.deadline == Self.start.advanced(by: .seconds(910)))
    }

    @Test func `it goes on from its state, and from no other`() throws {
        var detector = try HeartbeatDetector(interval: .seconds(900))
        detector.observe(Self.observed(0)) { _ in }
        var next = try HeartbeatDetector(interval: .seconds(900))
        let isRead = next.resume(from: detector.state)
        #expect(isRead)
        #expect(next.deadline == detector.deadline)
        #expect(next.state == detector.state)
        for length in 0..<detector.state.count {
            let isRead = next.resume(from: Array(detector.state.prefix(length)))
            #expect(!isRead)
        }
    }

    @Test(arguments: [Duration.seconds(9), .seconds(604_801)])
    func `an interval out of its bounds is refused`(_ interval: Duration) {
        #expect(throws: ConfigurationError.self) { try HeartbeatDetector(interval: interval) }
    }
}
