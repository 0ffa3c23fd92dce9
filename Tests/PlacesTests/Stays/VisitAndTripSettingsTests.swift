import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct VisitAndTripSettingsTests {
    @Test func `the defaults are Traccar's and valid`() throws {
        let settings = try VisitAndTripSettings().validated()
        #expect(settings.stopAfter == .seconds(180))
        #expect(settings.minimumDistance == 200)
        #expect(settings.gap == .seconds(3600))
    }

    @Test func `every impossible value is a problem, all at once`() {
        var settings = VisitAndTripSettings()
        settings.stopAfter = .seconds(5)
        settings.radius = .nan
        settings.minimumDistance = 0
        settings.gap = .seconds(10)
        settings.maximumAccuracy = -1
        let error = #expect(throws: ConfigurationError.self) { _ = try settings.validated() }
        expectMessages(
            error?.problems.map(\.description),
            begin: ["stopAfter", "stayRadius", "minimumDistance", "gap", "maximumAccuracy"])
    }

    @Test func `a gap shorter than a stop is a problem`() {
        var settings = VisitAndTripSettings()
        settings.stopAfter = .seconds(1200)
        settings.gap = .seconds(600)
        #expect(throws: ConfigurationError.self) { _ = try settings.validated() }
        #expect(throws: ConfigurationError.self) { _ = try VisitAndTripDetector(settings, device: "van-7") }
    }

    @Test func `trips alone, or visits alone`() throws {
        let track = ObservedTrack(Scenario.carTown.track(seed: 61))
        var settings = VisitAndTripSettings()
        settings.reportsVisits = false
        let trips = Findings(try VisitAndTripDetector.events(of: track, settings))
        #expect(trips.visits.isEmpty && !trips.trips.isEmpty)
        settings.reportsVisits = true
        settings.reportsTrips = false
        let visits = Findings(try VisitAndTripDetector.events(of: track, settings))
        #expect(!visits.visits.isEmpty && visits.trips.isEmpty)
    }
}
