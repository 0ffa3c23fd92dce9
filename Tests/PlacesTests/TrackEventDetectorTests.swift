import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct TrackEventDetectorTests {
    private static let start = Timestamp(secondsSince1970: 1_772_359_200)
    private static let home = Coordinate(latitude: 53.5, longitude: 10)

    /// A day in short: half an hour at home, a drive of 6 km, half an hour there.
    private static let day: [DetectorFix] = (0...4200).compactMap { second in
        guard second % 10 == 0 else { return nil }
        let driven = Double(min(max(second - 1800, 0), 600)) * 10
        let isMoving = driven > 0 && driven < 6000
        return DetectorFix(
            fix: Fix(
                time: start.advanced(by: .seconds(second)),
                coordinate: Coordinate(latitude: home.latitude + driven / 111_300, longitude: home.longitude),
                horizontalAccuracy: 5, speed: isMoving ? 10 : 0),
            isMoving: isMoving, odometer: driven)
    }

    private static func detector() throws -> TrackEventDetector {
        var configuration = TrackEventDetector.Configuration()
        configuration.places = [
            try Place(id: "home", name: "Home", area: .circle(centre: home, radius: 100)),
            try Place(
                id: "work", name: "Work",
                area: .circle(
                    centre: Coordinate(latitude: home.latitude + 6000 / 111_300, longitude: home.longitude), radius: 100
                ),
                dwell: .seconds(600)),
        ]
        configuration.stays = VisitAndTripSettings()
        configuration.heartbeat = .seconds(900)
        return try TrackEventDetector(configuration, device: "van-7")
    }

    private static func word(_ event: DetectorEvent) -> String {
        switch event.content {
        case .transition(let transition): "\(transition.event.name) \(transition.place.name)"
        case .visit(let visit): "\(visit.departure == nil ? "arrival" : "departure") \(visit.place?.name ?? "?")"
        case .trip(let trip):
            "trip from \(trip.start.place?.name ?? "?")" + (trip.end.map { " to \($0.place?.name ?? "?")" } ?? "")
        case .heartbeat: "heartbeat"
        case .location, .action, .power: "?"
        }
    }

    @Test func `after hours without an agent there is one heartbeat, and not one for each interval`() throws {
        var configuration = TrackEventDetector.Configuration()
        configuration.heartbeat = .seconds(10)
        var before = try TrackEventDetector(configuration, device: "van-7")
        before.observe(Self.day[0]) { _ in }
        var after = try TrackEventDetector(configuration, device: "van-7")
        let isRead = after.resume(from: before.state)
        #expect(isRead)
        var count = 0
        after.pass(to: Self.start.advanced(by: .seconds(36_000))) { _ in count += 1 }
        #expect(count == 1)
        #expect(after.deadline == Self.start.advanced(by: .seconds(36_010)))
    }

    @Test func `a day has its events in order`() throws {
        var detector = try Self.detector()
        var events: [String] = []
        for fix in Self.day { detector.observe(fix) { events.append(Self.word($0)) } }
        let expected = [
            "arrival Home", "leave Home", "departure Home", "trip from Home", "enter Work", "trip from Home to Work",
            "arrival Work", "dwell Work",
        ]
        #expect(Set(events.filter { $0 != "heartbeat" }) == Set(expected))
        // After 900 and 1800 s at home, and 900 and 1800 s after the last movement, which was at 2390 s.
        #expect(events.filter { $0 == "heartbeat" }.count == 4)
        #expect(events.filter { $0 != "heartbeat" }.count == expected.count)
    }

    @Test func `between the events it is known where the object is and on which trip, also after a restart`() throws {
        var detector = try Self.detector()
        #expect(detector.context == nil)
        var trip: Trip?
        var known: [RecordContext?] = []
        for fix in Self.day {
            detector.observe(fix) { event in
                if case .trip(let new) = event.content { trip = new.end == nil ? new : nil }
            }
            #expect(detector.context?.places ?? [] == detector.inside)
            #expect(detector.context?.trip?.id == trip?.id)
            if let current = detector.context?.trip {
                #expect(current.start == trip?.start && current.startedBy == .automatic)
                let distance = current.distance(at: fix.odometer)
                #expect(distance >= 0 && distance <= 6000)
            }
            var restarted = try Self.detector()
            _ = restarted.resume(from: detector.state)
            #expect(restarted.context == detector.context)
            if known.last != detector.context { known.append(detector.context) }
        }
        let names = known.map { $0?.places.map(\.name).joined() ?? "" }
        #expect(names.contains("Home"))
        #expect(known.contains { $0?.trip != nil && $0?.places.isEmpty == true })
        #expect(known.last??.places.map(\.id) == ["work"])
        #expect(known.last??.trip == nil)
    }

    @Test func `a trip by hand is known at once, and gone at once`() throws {
        var detector = try Self.detector()
        detector.observe(Self.day[0]) { _ in }
        _ = detector.perform(.startTrip(.tram)) { _ in }
        #expect(detector.context?.trip?.mode == .tram)
        #expect(detector.context?.trip?.startedBy == .requested)
        _ = detector.perform(.stopTrip) { _ in }
        #expect(detector.context?.trip == nil)
    }

    @Test func `a restart after any fix changes no event`() throws {
        var whole = try Self.detector()
        var expected: [DetectorEvent] = []
        for fix in Self.day { whole.observe(fix) { expected.append($0) } }
        var events: [DetectorEvent] = []
        var state: [UInt8]?
        for fix in Self.day {
            var detector = try Self.detector()
            if let state {
                let isRead = detector.resume(from: state)
                #expect(isRead)
            }
            detector.observe(fix) { events.append($0) }
            state = detector.state
        }
        #expect(events.map(\.content) == expected.map(\.content))
        #expect(events.map(\.fix.time) == expected.map(\.fix.time))
    }

    @Test func `time alone lets fall due what a later fix would`() throws {
        var detector = try Self.detector()
        var events: [String] = []
        detector.observe(Self.day[0]) { events.append(Self.word($0)) }
        detector.observe(Self.day[1]) { events.append(Self.word($0)) }
        detector.pass(to: Self.start.advanced(by: .seconds(3600))) { events.append(Self.word($0)) }
        #expect(events.contains("heartbeat"))
        #expect(detector.deadline.map { $0 > Self.start.advanced(by: .seconds(3600)) } ?? true)
    }

    @Test func `a damaged state changes nothing`() throws {
        var detector = try Self.detector()
        for fix in Self.day.prefix(50) { detector.observe(fix) { _ in } }
        let state = detector.state
        for length in 0..<state.count {
            let isRead = detector.resume(from: Array(state.prefix(length)))
            #expect(!isRead)
        }
        #expect(detector.state == state)
    }

    @Test func `a trip is begun and ended by hand`() throws {
        var detector = try Self.detector()
        var trips: [Trip] = []
        func report(_ event: DetectorEvent) { if case .trip(let trip) = event.content { trips.append(trip) } }
        detector.observe(Self.day[0], report: report)
        let hasBegun = detector.perform(.startTrip(.bicycle), report: report)
        detector.observe(Self.day[1], report: report)
        let hasEnded = detector.perform(.stopTrip, report: report)
        #expect(hasBegun && hasEnded)
        #expect(trips.map(\.mode) == [.bicycle, .bicycle])
        #expect(trips.last?.endedBy == .requested)
        #expect(!(try TrackEventDetector(.init(), device: "d")).canPerform(.stopTrip))
    }
}

extension TrackEventDetector {
    fileprivate func canPerform(_ request: EventRequest) -> Bool {
        var copy = self
        return copy.perform(request) { _ in }
    }
}
