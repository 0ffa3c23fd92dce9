import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// What is told of an object near a place of which nobody is to know: its network, its stays, and what lies there.
@Suite(.timeLimit(.minutes(30))) struct HiddenPlaceTests {
    private static let cut = "{name: Home, privacy: cut, \(HiddenPlaceBench.home)}"
    private static let blur = "{name: Home, privacy: blur, \(HiddenPlaceBench.home)}"
    private static let off = "{name: Home, tracking: off, \(HiddenPlaceBench.home)}"

    private static func yaml(_ places: String, _ events: String = "", tracking: String = "distanceFilter: 0") -> String
    {
        "events: {\(events) places: [\(places)]}\ntracking: {\(tracking)}\n"
    }

    @Test(arguments: [cut, blur, off])
    func `a network that was read at the hidden place is not named behind it, and the next one is`(
        _ place: String
    ) async throws {
        try await HiddenPlaceBench.with(Self.yaml(place)) { bench in
            bench.machine.connect(to: "secret")
            for metres in [2000.0, 2300, 2600] { try await bench.feed(metres) }
            bench.machine.connect(to: nil)
            try await bench.feed(2700)
            bench.machine.connect(to: "street")
            try await bench.feed(2800)
            #expect(try await bench.records(naming: "secret") == [])
            #expect(try await bench.records(naming: "street").count == 1)
        }
    }

    @Test(arguments: [cut, off])
    func `an object that comes to the hidden place without a fix names no network there`(_ place: String) async throws {
        let yaml = Self.yaml(place, "heartbeat: 60, power: true,", tracking: "distanceFilter: 0, stillAfter: 60")
        try await HiddenPlaceBench.with(yaml) { bench in
            bench.machine.connect(to: "street")
            for step in 0..<20 { try await bench.feed(Double(step) * 70, speed: 7) }
            #expect(try await bench.records(naming: "street").count > 10)
            bench.clock.advance(by: .seconds(31))
            bench.machine.connect(to: "secret", .charging)  // in the garage
            await eventually("heartbeats are told") {
                bench.clock.advance(by: .seconds(5))
                return ((try? await bench.records()) ?? []).count { $0.kind == .heartbeat } >= 3
            }
            #expect(try await bench.records(naming: "secret") == [])
        }
    }

    @Test(arguments: ["distance", "deviation"])
    func `a network that there is only where tracking is off is in no record`(_ rule: String) async throws {
        let yaml = Self.yaml(
            Self.off, "trips: true, gap: 600,",
            tracking: "record: \(rule), distanceFilter: 100, stillAfter: 60, maximumInterval: 0")
        try await HiddenPlaceBench.with(yaml) { bench in
            for step in 0..<21 { try await bench.feed(Double(step) * 70 + Double(step % 3), speed: 7) }
            bench.machine.connect(to: "secret")
            for step in 22..<28 { try await bench.feed(Double(step) * 70, speed: 7) }
            await eventually("the trip has ended") {
                bench.clock.advance(by: .seconds(30))
                return ((try? await bench.records()) ?? []).contains { record in
                    if case .trip(let trip) = record.content { trip.end != nil } else { false }
                }
            }
            #expect(try await bench.records(naming: "secret") == [])
        }
    }

    @Test func `a zone's point begins no leg where the true position is hidden`() async throws {
        try await HiddenPlaceBench.with(Self.yaml(Self.blur, "trips: true,")) { bench in
            try await bench.feed(100)
            bench.authority.set(HiddenPlaceBench.position(9000))
            try await bench.feed(2000)
            for _ in 0..<6 { try await bench.feed(2600) }
            try await bench.feed(2000)
            let records = try await bench.records()
            #expect((records.last?.odometer ?? 0) < 2_500, "\(records.map(\.odometer))")
        }
    }

    @Test(arguments: [cut, off])
    func `nothing is found out about places within the hidden one from fixes before and behind it`(
        _ place: String
    ) async throws {
        let kitchen = "{name: Kitchen, latitude: 0.51808746, longitude: 10, radius: 100}"
        try await HiddenPlaceBench.with(Self.yaml("\(place), \(kitchen)")) { bench in
            for step in 0..<60 { try await bench.feed(after: 2, Double(step) * 60, speed: 30) }
            let told = try await bench.records().compactMap { record -> String? in
                if case .transition(let transition) = record.content { transition.place.name } else { nil }
            }
            #expect(!told.contains("Kitchen"), "\(told)")
        }
    }

    /// The places of transitions, as `leave Town`.
    private static func transitions(_ bench: HiddenPlaceBench) async throws -> [String] {
        try await bench.records().compactMap { record in
            if case .transition(let transition) = record.content {
                "\(transition.event.name) \(transition.place.name)"
            } else {
                nil
            }
        }
    }

    /// A town around the home, and a kitchen in it.
    private static let around =
        "{name: Town, latitude: 0.51808746, longitude: 10, radius: 1000}, "
        + "{name: Kitchen, latitude: 0.51808746, longitude: 10, radius: 100}"

    @Test(
        arguments: [
            // In and out, past what lies within in one step; through all in one step; and out of all of it in one step.
            ([0, 1200, 2000, 2700, 3500], ["enter Town", "leave Town"]),
            ([0, 1200, 2800, 3500], ["enter Town", "enter Kitchen", "leave Kitchen", "leave Town"]),
            ([0, 1200, 2000, 3500], ["enter Town", "leave Town"]),
            ([0, 2000, 3500], []),
            ([0, 2000, 2700, 3500], ["leave Town"]),
        ] as [([Double], [String])])
    func `no event tells of a place where tracking is off, nor of one that only hidden fixes have shown`(
        _ metres: [Double], _ told: [String]
    ) async throws {
        try await HiddenPlaceBench.with(Self.yaml("\(Self.off), \(Self.around)")) { bench in
            for metres in metres { try await bench.feed(after: 30, metres, speed: 30) }
            #expect(try await Self.transitions(bench) == told)
        }
    }

    @Test(arguments: [(cut, false), (off, false), ("", true)])
    func `an object that comes out of the hidden place where it went in has rested nowhere`(
        _ place: String, _ isStay: Bool
    ) async throws {
        let yaml = Self.yaml(place, "visits: true, trips: true,", tracking: "distanceFilter: 10, stillAfter: 0")
        try await HiddenPlaceBench.with(yaml) { bench in
            for metres in stride(from: 500.0, through: 1450, by: 50) { try await bench.feed(metres, speed: 5) }
            for _ in 0..<180 { try await bench.feed(place.isEmpty ? 1450 : 1900, speed: 0) }
            for metres in stride(from: 1450.0, through: 0, by: -50) { try await bench.feed(metres, speed: 5) }
            let isTold = try await bench.records().contains { record in
                if case .visit = record.content { true } else { false }
            }
            #expect(isTold == isStay)
        }
    }

    @Test func `where a fix may lie at a place with tracking off, that is the reason that is shown`() async throws {
        try await HiddenPlaceBench.with(Self.yaml(Self.off)) { bench in
            func reason() -> String? { bench.keeper.standing?.resolution.words }
            for _ in 0..<3 { try await bench.feed(0, accuracy: 1600) }
            #expect(await bench.tracker.status().sources.first?.rejected[.off] == 3)
            await eventually("the reason is shown") { reason() == "off because a place where tracking is off" }
            try await bench.feed(0, accuracy: 5)
            await eventually("it is not any more") { reason() == "normal because no rule applies" }
            #expect(try await bench.records().count { $0.kind == .location } == 1)
        }
    }

    @Test func `while the object is hidden nobody is told that it is where it was`() async throws {
        try await HiddenPlaceBench.with(Self.yaml(Self.cut, "heartbeat: 60,")) { bench in
            try await bench.feed(1400)
            for _ in 0..<60 { try await bench.feed(1900) }
            try await bench.feed(1400)
            let back = HiddenPlaceBench.start.advanced(by: bench.clock.now.offset)
            await eventually("it is alive") {
                bench.clock.advance(by: .seconds(5))
                return ((try? await bench.records()) ?? []).contains { $0.kind == .heartbeat && $0.fix.time > back }
            }
            // What fell due while it was hidden would have been told with the fix behind it at the latest.
            let times = try await bench.records().filter { $0.kind == .heartbeat }.map(\.fix.time)
            #expect(times.allSatisfy { $0 > back }, "\(times), and it came out at \(back)")
        }
    }
}
