import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// The section `profiles`.
@Suite struct ProfileConfigurationTests {
    @Test func `everything reads back as it was`() throws {
        let configuration = try Given.configuration(
            """
            events: {visits: true, places: [{name: Home, latitude: 1, longitude: 1, tracking: off}]}
            profiles:
              coarse: {distanceFilter: 500, stillAfter: 300, standbyAfter: 400, desiredAccuracy: null}
              fine: {record: any, interval: 2}
              schedule:
                zone: Asia/Kathmandu
                windows: [{days: [sat, sun], from: 22:00, to: 06:00, tracking: off}, {tracking: fine}]
                outside: coarse
              power: [{below: 20, tracking: coarse}, {onMains: false, tracking: normal}]
              trips: [{mode: bicycle, tracking: fine}, {tracking: coarse}]
            """)
        #expect(configuration.profiles.schedule.windows.map(\.times) == ["22:00 to 06:00", "00:00 to 24:00"])
        #expect(configuration.profiles.trips.first?.mode == .bicycle)
        #expect(configuration.events.places.first?.tracking == .off)
        #expect(try Given.configuration(configuration.effectiveYAML) == configuration)
    }

    @Test func `a profile changes what it names and nothing else`() throws {
        let configuration = try Given.configuration(
            """
            tracking: {distanceFilter: 30, stillAfter: 120, fetchActivity: true, maximumSpeed: 60}
            profiles: {coarse: {stillAfter: 300, standbyAfter: 300, desiredAccuracy: null}, fine: {distanceFilter: 3}}
            """)
        var coarse = configuration.tracking
        (coarse.record, coarse.distanceFilter, coarse.disableSpeedMultiplier) = (.distance, 200, true)
        (coarse.stillAfter, coarse.standbyAfter, coarse.standbyInterval) = (.seconds(300), .seconds(300), .seconds(120))
        #expect(configuration.profiles.configuration(of: .coarse, configuration.tracking) == coarse)
        let fine = configuration.profiles.configuration(of: .fine, configuration.tracking)
        #expect(
            fine.distanceFilter == 3 && fine.fetchActivity && fine.maximumSpeed == 60
                && fine.stillAfter == .seconds(120))
        for profile in [TrackingProfile.normal, .off] {
            #expect(configuration.profiles.configuration(of: profile, configuration.tracking) == configuration.tracking)
        }
    }

    @Test func `all that is wrong is told at once, each with its key`() {
        let problems = Given.problems(
            """
            tracking: {maximumThreshold: 100}
            events: {places: [{name: Home, latitude: 1, longitude: 1, privacy: cut, sync: true, tracking: fine}]}
            profiles:
              coarse: {distanceFilter: -1, preset: miataru-1}
              schedule:
                zone: Mars/Base
                windows:
                  - {days: [], tracking: off}
                  - {days: [mon, monday], tracking: off}
                  - {from: 24:00, to: 25:00, tracking: off}
                  - {from: 08:00, to: 08:00, tracking: coarse}
                  - {from: 08:00, to: 00:00, tracking: sleep}
                  - {from: 08:00}
              power: [{tracking: off}, {below: 20, onMains: true, tracking: off}, {below: 0, tracking: off}]
              trips: [{mode: skateboard, tracking: fine}, {tracking: off}]
            """)
        for expected in [
            "events.places.Home.tracking", "events.places.Home.sync", "profiles.coarse.distanceFilter",
            "profiles.coarse.preset",
            "profiles.schedule.zone", "profiles.schedule.windows.0.days", "profiles.schedule.windows.1.days",
            "profiles.schedule.windows.2.from", "profiles.schedule.windows.2.to", "profiles.schedule.windows.3.to",
            "profiles.schedule.windows.4.tracking", "profiles.schedule.windows.4.to",
            "profiles.schedule.windows.5.tracking", "profiles.power.0", "profiles.power.1", "profiles.power.2.below",
            "profiles.trips.0.mode", "profiles.trips.1.tracking", "profiles.trips = ",
            "profiles.coarse.maximumThreshold",
        ] {
            #expect(problems.contains { $0.contains(expected) }, "\(expected) is not among \(problems)")
        }
    }

    @Test func `a profile that nobody uses contradicts nothing`() {
        #expect(Given.problems("tracking: {stillAfter: 10, standbyAfter: 20}") == [])
        #expect(Given.problems("tracking: {maximumThreshold: 100}") == [])
    }

    @Test func `a reload applies all of it`() throws {
        let base = try Given.configuration("{}")
        let new = try Given.configuration(
            "profiles: {schedule: {windows: [{tracking: coarse}]}, coarse: {distanceFilter: 9}}")
        let change = ConfigurationChange(from: base, to: new)
        #expect(change.restart == [] && change.live.contains("profiles.coarse.distanceFilter"))
    }
}
