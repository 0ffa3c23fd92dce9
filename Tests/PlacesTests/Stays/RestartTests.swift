import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct RestartTests {
    /// Days of every kind that pass through every phase; the others are restarted at each 15th fix,
    /// without optimisation at each 45th.
    private static let thorough: Set<Scenario> = [.trackingOff, .phone, .sparseHome, .sparseCar, .minutely, .filtered]

    private static let step = TestEnvironment.isOptimised ? 15 : 45

    @Test(arguments: Scenario.allCases)
    func `a restart at every fix changes no event`(scenario: Scenario) throws {
        let track = ObservedTrack(scenario.track(seed: 51))
        let settings = VisitAndTripSettings()
        var events: [DetectorEvent] = []
        var detector = try VisitAndTripDetector(settings, device: "van-7")
        for (index, fix) in track.fixes.enumerated() {
            defer { detector.observe(fix) { events.append($0) } }
            guard Self.thorough.contains(scenario) || index.isMultiple(of: Self.step) else { continue }
            var next = try VisitAndTripDetector(settings, device: "van-7")
            let state = detector.state
            guard next.resume(from: state), next.state == state else {
                Issue.record("the state at \(fix.fix.time) is not read as it was written")
                return
            }
            detector = next
        }
        #expect(try events == VisitAndTripDetector.events(of: track))
    }

    @Test func `the state is no larger than five kibibytes`() throws {
        var largest = 0
        for scenario in Scenario.allCases {
            var detector = try VisitAndTripDetector(device: "van-7")
            for (index, fix) in ObservedTrack(scenario.track(seed: 52)).fixes.enumerated() {
                detector.observe(fix) { _ in }
                if index.isMultiple(of: 100) { largest = max(largest, detector.state.count) }
            }
        }
        #expect(largest > 1000)
        #expect(largest <= 5 * 1024)
    }

    @Test func `a state cut anywhere is not read and changes nothing`() throws {
        var detector = try VisitAndTripDetector(device: "van-7")
        for fix in ObservedTrack(Scenario.schoolRun.track(seed: 53)).fixes.prefix(900) {
            detector.observe(fix) { _ in }
        }
        let state = detector.state
        var other = try VisitAndTripDetector(device: "van-7")
        let before = other.state
        for length in stride(from: 0, to: state.count, by: 7) {
            let isRead = other.resume(from: Array(state.prefix(length)))
            #expect(!isRead)
        }
        let isRead = other.resume(from: state + [0])
        #expect(!isRead)
        #expect(other.state == before)
    }

    @Test func `a state of another version is not read`() throws {
        var detector = try VisitAndTripDetector(device: "van-7")
        var state = detector.state
        state[0] = 99
        let isRead = detector.resume(from: state)
        #expect(!isRead)
    }

    @Test func `a damaged state never crashes what goes on with it`() throws {
        let track = ObservedTrack(Scenario.carTown.track(seed: 54))
        var detector = try VisitAndTripDetector(device: "van-7")
        for fix in track.fixes.prefix(1500) { detector.observe(fix) { _ in } }
        let state = detector.state
        var random = SeededRandom(seed: 55)
        for _ in 0..<300 {
            var damaged = state
            for _ in 0..<4 {
                damaged[Int(random.next() % UInt64(state.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var next = try VisitAndTripDetector(device: "van-7")
            guard next.resume(from: damaged) else { continue }
            for fix in track.fixes[1500..<1520] { next.observe(fix) { _ in } }
            next.pass(to: DrawnTrack.time(1e8)) { _ in }
        }
    }

    @Test func `times at the end of their range end what lasts`() throws {
        var detector = try VisitAndTripDetector(device: "van-7")
        for step in 0..<20 {
            let fix = Fix(
                time: Timestamp(nanosecondsSince1970: .max - 1_000_000_000 * Int64(20 - step)),
                coordinate: Coordinate(latitude: 52 + 0.0001 * Double(step), longitude: 13), speed: 11)
            detector.observe(DetectorFix(fix: fix, isMoving: true, odometer: 11 * Double(step))) { _ in }
        }
        detector.pass(to: Timestamp(nanosecondsSince1970: .max)) { _ in }
        #expect(detector.deadline == nil)
    }

    @Test func `a clock that goes back ends what lasts and begins anew`() throws {
        var track = DrawnTrack()
        track.rest(600)
        track.goNorth(10, seconds: 100)
        var detector = try VisitAndTripDetector(device: "van-7")
        var found = Findings([])
        for fix in track.fixes { detector.observe(fix) { found.events.append($0) } }
        var earlier = DrawnTrack(at: track.coordinate)
        earlier.rest(600)
        for fix in earlier.fixes { detector.observe(fix) { found.events.append($0) } }
        #expect(found.trips.last?.endedBy == .gap)
        #expect(seconds(found.visits.last?.arrival) == 0)
    }
}
