import Foundation
import Testing
import TrackEngine
import TrackEngineIntegrations

@Suite struct StatusTests {
    private var source: SourceReport {
        var report = SourceReport(id: "gpsd")
        report.status = .unavailable(reason: "connection refused")
        report.fixes = 120
        report.recorded = 17
        report.causes = [.first: 1, .distance: 16]
        report.odometer = 1234.5
        report.rejected = [.tooNear: 103]
        report.problems = [.malformed: 2]
        report.recentProblems = [SourceProblem(.malformed, line: 4, "a checksum"), SourceProblem(.overflow, "one")]
        report.latest = Samples.fix
        report.lastArrival = Samples.time
        report.isMoving = true
        report.nextRest = PendingRest(.still, due: Samples.time)
        report.context = Samples.context
        return report
    }

    private var sync: SyncState {
        var state = SyncState()
        state.activity = .backingOff
        state.tried = 2
        state.queued = 3
        state.oldest = Samples.time
        state.lastAttempt = Samples.time.advanced(by: .seconds(1))
        state.lastSuccess = Samples.time.advanced(by: .seconds(2))
        state.lastFailure = Samples.time.advanced(by: .seconds(3))
        state.nextDue = Samples.time.advanced(by: .seconds(4))
        state.failure = "HTTP 503"
        state.delivered = 14
        state.refused = 1
        state.lastRefusal = "HTTP 422"
        return state
    }

    @Test func `a status comes back as it was`() throws {
        let store = StoreStatus(
            count: 17, lastSequence: RecordSequence(rawValue: 18), bytes: 40_960, dropped: 1, deadLetters: 2,
            warning: "set aside")
        for status in [
            TrackerStatus(
                state: .running, time: Samples.time, sources: [source], sinks: [.init(id: "home", sync: sync)],
                store: store),
            TrackerStatus(
                state: .stopping, time: Samples.time, sources: [SourceReport(id: "s")],
                sinks: [.init(id: "home", sync: SyncState())], store: nil, storeFailure: "full"),
        ] {
            #expect(try Samples.roundTrip(status) == status)
        }
    }

    @Test func `every state and every activity comes back`() throws {
        let states: [TrackerState] = [.stopped, .running, .stopping]
        #expect(try Samples.roundTrip(states) == states)
        let activities: [SyncState.Activity] = [.waiting, .sending, .backingOff, .paused]
        #expect(try Samples.roundTrip(activities) == activities)
        let statuses: [SourceStatus] = [
            .connecting, .waiting(reason: "no position"), .receiving, .sleeping, .unavailable(reason: "gone"),
            .finished,
        ]
        #expect(try Samples.roundTrip(statuses) == statuses)
    }

    @Test func `a word that a newer release counts is left aside`() throws {
        var report = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(source)) as? [String: Any])
        report["rejected"] = ["too-near": 103, "too-loud": 1]
        let read = try JSONDecoder().decode(
            SourceReport.self, from: JSONSerialization.data(withJSONObject: report))
        #expect(read == source)
    }
}
