import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent

/// Walks the stored properties of what decides which profile holds: each survives a restart, is configured, or is told again.
@Suite struct ProfilePropertyTests {
    private static let yaml = """
        profiles:
          schedule: {zone: UTC, windows: [{from: 08:00, to: 18:00, tracking: fine}]}
          power: [{below: 20, tracking: coarse}, {below: 5, tracking: off}, {onMains: true, tracking: fine}]
        """

    private static let properties = [
        "schedule": "configured", "outside": "configured", "trips": "configured", "places": "configured",
        "hasRules": "configured", "power.rules": "configured", "power.low": "survives",
        "power.host": "told again: the battery is read before the first decision",
        "power.silences": "counted anew: a battery that is silent counts as absent two readings later",
    ]

    private static func resolver() throws -> ProfileResolver {
        let configuration = try Given.configuration(yaml)
        return ProfileResolver(configuration.profiles, places: configuration.events.places)
    }

    private static func walk(_ resolver: ProfileResolver) -> [String: String] {
        Mirror.storedProperties(of: resolver, parts: ["PowerMonitor"])
    }

    private static func input(_ percent: Double?) -> ProfileResolver.Input {
        let host = HostStatus(
            batteryLevel: percent.map { $0 / 100 }, batteryState: percent == nil ? .unknown : .unplugged)
        return ProfileResolver.Input(time: Timestamp(secondsSince1970: 1_772_398_800), host: host)
    }

    @Test func `each property survives, or has a reason why it need not`() throws {
        #expect(Set(try Self.walk(Self.resolver()).keys) == Set(Self.properties.keys))
    }

    @Test func `the battery rules in force are written, read and in force again, whatever the level was`() async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let fresh = try Self.walk(Self.resolver())["power.low"]
            var resolver = try Self.resolver()
            for percent in [50, 19, 22, 4, 9, 3, 12, 24, 25, 18] {
                let choice = resolver.resolve(Self.input(Double(percent)))
                try PowerFile(in: folder).write(resolver.low)
                var next = try Self.resolver()
                next.goOn(from: PowerFile(in: folder).read())
                #expect(next.low == resolver.low, "at \(percent) %")
                #expect(next.resolve(Self.input(Double(percent))) == choice, "at \(percent) %")
                resolver = next
            }
            #expect(Self.walk(resolver)["power.low"] != fresh)
        }
    }

    /// Two readings without a level are tolerated, the third means that there is no battery; a restart begins with none.
    @Test func `a battery that is silent when the process starts is waited for, and not for ever`() throws {
        var resolver = try Self.resolver()
        _ = resolver.resolve(Self.input(19))
        _ = resolver.resolve(Self.input(nil))
        for _ in 0..<2 {
            var next = try Self.resolver()
            next.goOn(from: resolver.low)
            for _ in 0..<2 {
                _ = next.resolve(Self.input(nil))
                #expect(next.low == [20])
            }
            resolver = next
        }
        _ = resolver.resolve(Self.input(nil))
        #expect(resolver.low == [])
    }
}
