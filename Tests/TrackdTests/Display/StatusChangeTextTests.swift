import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

@Suite struct StatusChangeTextTests {
    @Test func `at first everything that is worth a line, then only what changes`() {
        var changes = StatusChangeText()
        #expect(
            changes.lines(for: SampleStatus.agent()) == [
                "source gpsd: receiving", "source gpsd: moving",
                "sink home: backing off: 503 Service Unavailable, next in 7 s",
            ])
        #expect(changes.lines(for: SampleStatus.agent()) == [])
    }

    @Test func `more fixes, records and deliveries are no change`() {
        var changes = StatusChangeText()
        _ = changes.lines(for: SampleStatus.agent())
        var (source, sync) = (SampleStatus.source, SampleStatus.failingSync)
        source.fixes += 1
        source.recorded += 1
        sync.queued += 5
        sync.tried += 1
        #expect(changes.lines(for: SampleStatus.agent(sources: [source], sync: sync)) == [])
    }

    @Test func `another try after the same failure of a source is no change`() {
        var changes = StatusChangeText()
        var source = SourceReport(id: "gpsd")
        source.status = .unavailable(reason: "nobody listens; trying again in 1 s")
        let first = changes.lines(for: SampleStatus.agent(sources: [source]))
        expectMessage(first.first, begin: "source gpsd")
        source.status = .unavailable(reason: "nobody listens; trying again in 3 s")
        #expect(changes.lines(for: SampleStatus.agent(sources: [source])) == [])
    }

    @Test func `a sink that recovers, a thing that comes to rest, a store that fails and works again`() {
        var changes = StatusChangeText()
        _ = changes.lines(for: SampleStatus.agent())
        var (source, sync) = (SampleStatus.source, SampleStatus.failingSync)
        source.isMoving = false
        (sync.failure, sync.activity) = (nil, .waiting)
        #expect(
            changes.lines(for: SampleStatus.agent(sources: [source], sync: sync, failure: "full: no room")) == [
                "source gpsd: still", "sink home: delivers", "store: full: no room",
            ])
        #expect(changes.lines(for: SampleStatus.agent(sources: [source], sync: sync)) == ["store: works again"])
    }

    @Test func `a failing sink, a source out of reach and a failing store are warnings, all else is not`() {
        var changes = StatusChangeText()
        var lost = SampleStatus.source
        lost.status = .unavailable(reason: "nobody listens")
        let troubles = changes.changes(for: SampleStatus.agent(sources: [lost], failure: "full")).filter(\.isTrouble)
        #expect(troubles.map(\.subject) == [.source, .sink, .store])
        #expect(troubles.allSatisfy { $0.level == .warning })
        #expect(troubles[1].metadata["sink"] == "home" && troubles[1].metadata["state"] == "backing off")
        let quiet = changes.changes(for: SampleStatus.agent())
        #expect(!quiet.isEmpty && quiet.allSatisfy { $0.level == .notice })
    }

    @Test func `no line names a position`() {
        var changes = StatusChangeText()
        #expect(!changes.lines(for: SampleStatus.agent()).joined().contains("50.08"))
    }
}

extension StatusChangeText {
    /// The changes as a person reads them.
    fileprivate mutating func lines(for status: AgentStatus) -> [String] { changes(for: status).map(\.line) }
}

/// What is said of a source whose fixes the gates refuse, one and all.
@Suite struct RejectionWarningChangesTests {
    private func agent(_ reason: RejectionReason?, fixes: Int = 61, lag: Duration = .seconds(7200)) -> AgentStatus {
        var source = SourceReport(id: "gpsd")
        source.status = .receiving
        source.steadyRefusal = reason.map { RejectionWarning($0, since: SampleStatus.ago(75), fixes: fixes, lag: lag) }
        return SampleStatus.agent(sources: [source])
    }

    @Test func `one warning for each reason, and a word when fixes pass again`() {
        var changes = StatusChangeText()
        _ = changes.changes(for: agent(nil))
        let first = changes.changes(for: agent(.stale))
        #expect(
            first.map(\.line) == [
                "source gpsd: every fix is refused: stale: their times are 7200 s behind the machine's clock: "
                    + "that clock or the receiver's is wrong"
            ])
        #expect(first.allSatisfy { $0.level == .warning })
        #expect(changes.changes(for: agent(.stale, fixes: 62)) == [])
        #expect(
            changes.changes(for: agent(.inaccurate)).map(\.line) == [
                "source gpsd: every fix is refused: inaccurate: look at the antenna and its view of the sky, and at "
                    + "tracking.minimumAccuracy and tracking.minimumSatellites"
            ])
        let end = changes.changes(for: agent(nil))
        #expect(end.map(\.line) == ["source gpsd: fixes pass again"] && end.allSatisfy { !$0.isTrouble })
    }

    @Test func `a clock that is behind has fixes ahead, and the status says both`() {
        let status = agent(.future, lag: .seconds(-90))
        let lines = StatusText.lines(status, StatusStyle(columns: 80)).map { $0.drop { $0 == " " } }
        let text = lines.joined(separator: " ")
        #expect(
            text.contains("every fix is refused for 1 min 15 s: future: their times are 90 s ahead of the machine's"))
        let json = status.json["sources"]?.array?.first?["allRefused"]
        #expect(json?["reason"]?.string == "future" && json?["lag"]?.number == -90 && json?["fixes"]?.number == 61)
        #expect(agent(nil).json["sources"]?.array?.first?["allRefused"] == nil)
    }
}
