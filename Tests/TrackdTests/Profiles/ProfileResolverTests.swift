import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent

/// Which rule decides, and what is told of it.
@Suite struct ProfileResolverTests {
    private static let everything = """
        events:
          trips: true
          places:
            - {name: Town, latitude: 1, longitude: 1, radius: 5000, tracking: coarse}
            - {name: Depot, id: d, latitude: 1, longitude: 1, tracking: fine}
            - {name: Home, latitude: 2, longitude: 2, tracking: "off"}
            - {name: Shop, latitude: 3, longitude: 3}
        profiles:
          schedule:
            zone: UTC
            windows:
              - {days: [mon, tue, wed, thu, fri], from: 08:00, to: 18:00, tracking: normal}
              - {days: [sat], from: 08:00, to: 12:00, tracking: coarse}
            outside: off
          power:
            - {below: 20, tracking: coarse}
            - {below: 5, tracking: off}
            - {onMains: true, tracking: fine}
          trips:
            - {mode: bicycle, tracking: fine}
            - {tracking: coarse}
        """

    private static func resolver(_ yaml: String = everything) throws -> ProfileResolver {
        let configuration = try Given.configuration(yaml)
        return ProfileResolver(configuration.profiles, places: configuration.events.places)
    }

    private static func battery(_ percent: Double, _ state: HostStatus.BatteryState = .unplugged) -> HostStatus {
        HostStatus(batteryLevel: percent / 100, batteryState: state)
    }

    /// A Friday at noon.
    private static let noon = Timestamp(rfc3339: "2026-03-06T12:00:00Z") ?? Timestamp(secondsSince1970: 0)

    private static func inputs(
        _ time: String = "2026-03-06T12:00:00Z", host: HostStatus? = nil, places: [String] = [], trip: TripMode? = nil,
        trusted: Bool = true
    ) -> ProfileResolver.Input {
        ProfileResolver.Input(
            time: Timestamp(rfc3339: time) ?? noon, isClockTrusted: trusted, host: host, places: places, trip: trip)
    }

    @Test(arguments: [
        (inputs(), "normal because schedule 08:00 to 18:00"),
        (inputs("2026-03-06T18:00:00Z"), "off because schedule, outside of its windows"),
        (inputs("2026-03-07T08:00:00Z"), "coarse because schedule 08:00 to 12:00"),
        (inputs(places: ["Shop"]), "normal because schedule 08:00 to 18:00"),
        (inputs(places: ["Town"]), "coarse because place Town"),
        (inputs(places: ["Town", "d"]), "fine because place Depot"),
        (inputs(places: ["d", "Town"]), "coarse because place Town"),
        (inputs(places: ["d", "Shop"]), "fine because place Depot"),
        (inputs(places: ["Home", "d"]), "off because a place where tracking is off"),
        (inputs(host: battery(14)), "coarse because battery 14 %"),
        (inputs(host: battery(14), places: ["d"], trip: .bicycle), "coarse because battery 14 %"),
        (inputs(host: battery(4)), "off because battery 4 %"),
        (inputs(host: battery(14, .charging)), "fine because on mains"),
        (inputs(host: battery(100, .full), places: ["Town"]), "coarse because place Town"),
        (inputs(host: battery(14, .unknown)), "coarse because battery 14 %"),
        (inputs(places: ["Town"], trip: .bicycle), "fine because trip, bicycle"),
        (inputs(places: ["d"], trip: .car), "coarse because trip, car"),
        (inputs(places: ["Home"], trip: .car), "off because a place where tracking is off"),
        (
            inputs("2026-03-06T20:00:00Z", host: battery(14), places: ["d"], trip: .car),
            "off because schedule, outside of its windows"
        ),
        (
            inputs("1970-01-01T20:00:00Z", trusted: false),
            "normal because the clock is not trusted, so the schedule does not hold"
        ),
        (inputs("1970-01-01T20:00:00Z", places: ["d"], trusted: false), "fine because place Depot"),
    ])
    func `the first rule in order decides`(_ inputs: ProfileResolver.Input, _ words: String) throws {
        var resolver = try Self.resolver()
        let resolution = resolver.resolve(inputs)
        #expect(resolution.words == words)
    }

    @Test func `without rules tracking is as configured, and nothing falls due`() throws {
        var resolver = try Self.resolver("{}")
        #expect(!resolver.hasRules)
        let resolution = resolver.resolve(Self.inputs(host: Self.battery(3), places: ["Home"], trip: .car))
        #expect(resolution == ProfileChoice(.normal, .noRule))
    }

    @Test func `what holds outside of windows needs a window`() {
        let problems = Given.problems("profiles: {schedule: {outside: off}}")
        expectMessages(problems, begin: ["trackd.yaml:1: profiles.schedule.outside"])
    }

    @Test func `a level that sways around its bound switches once`() throws {
        var resolver = try Self.resolver()
        let levels: [Double] = [21, 20, 19.9, 20, 21, 20, 24, 25, 24, 20, 19]
        let profiles = levels.map { resolver.resolve(Self.inputs(host: Self.battery($0))).profile }
        #expect(
            profiles == [
                .normal, .normal, .coarse, .coarse, .coarse, .coarse, .coarse, .normal, .normal, .normal, .coarse,
            ])
        let hosts = [Self.battery(19, .charging), Self.battery(21), nil]
        let others = hosts.map { resolver.resolve(Self.inputs(host: $0)).profile }
        #expect(others == [.fine, .normal, .normal], "mains end it, and a machine without a battery has no rule")
    }

    @Test func `a battery that says no level twice goes on as it was, and one that says none for longer is gone`()
        throws
    {
        var resolver = try Self.resolver()
        let hosts = [Self.battery(19), nil, nil, Self.battery(21), nil, nil, nil, Self.battery(21)]
        let profiles = hosts.map { resolver.resolve(Self.inputs(host: $0)).profile }
        #expect(profiles == [.coarse, .coarse, .coarse, .coarse, .coarse, .coarse, .normal, .normal])
    }

    @Test(arguments: [[Double?](), [nil], [nil, nil]])
    func `a rule that the hysteresis keeps holds after a restart, though the battery says nothing at first`(
        _ first: [Double?]
    ) throws {
        var before = try Self.resolver()
        for level in [19.0, 22] { _ = before.resolve(Self.inputs(host: Self.battery(level))) }
        #expect(before.low == [20])
        var after = try Self.resolver()
        after.goOn(from: before.low)
        for level in first { _ = after.resolve(Self.inputs(host: level.map { Self.battery($0) })) }
        let held = after.resolve(Self.inputs(host: Self.battery(22))).profile
        #expect(held == .coarse)
        let ended = after.resolve(Self.inputs(host: Self.battery(25))).profile
        #expect(ended == .normal && after.low.isEmpty)
        var other = try Self.resolver()
        other.goOn(from: [77])
        #expect(other.low.isEmpty, "there is no such rule any more")
    }

    @Test func `other rules go on from what is known of the battery`() throws {
        var first = try Self.resolver()
        _ = first.resolve(Self.inputs(host: Self.battery(19)))
        _ = first.resolve(Self.inputs(host: Self.battery(22)))
        var second = try Self.resolver()
        second.goOn(from: first)
        let held = second.resolve(Self.inputs(host: Self.battery(22))).profile
        #expect(held == .coarse)
        var third = try Self.resolver("profiles: {power: [{below: 15, tracking: coarse}]}")
        third.goOn(from: first)
        let other = third.resolve(Self.inputs(host: Self.battery(22))).profile
        #expect(other == .normal)
    }

    @Test func `another level under one rule is nothing new for a log`() throws {
        var resolver = try Self.resolver()
        let first = resolver.resolve(Self.inputs(host: Self.battery(14)))
        let second = resolver.resolve(Self.inputs(host: Self.battery(13)))
        #expect(first.isSameRule(as: second) && first != second)
        let third = resolver.resolve(Self.inputs(host: Self.battery(4)))
        #expect(!first.isSameRule(as: third))
    }

    @Test func `time is looked at again at the bounds of windows only, and only while the clock is trusted`() throws {
        var resolver = try Self.resolver()
        let looks = [Self.inputs(), Self.inputs(places: ["Home"]), Self.inputs(trusted: false)]
            .map { resolver.resolve($0).next }
        let evening = Timestamp(rfc3339: "2026-03-06T18:00:00Z")
        #expect(looks == [evening, evening, nil])
        var other = try Self.resolver("profiles: {power: [{below: 15, tracking: coarse}]}")
        let never = other.resolve(Self.inputs()).next
        #expect(never == nil)
    }
}
