import Testing
import TrackEngine
import TrackEngineAgent

/// When a change from afar has proved itself.
@Suite struct TrialMonitorTests {
    private typealias Reading = TrialMonitor.Reading

    /// What follows from each sighting, one after the other.
    private func verdicts(_ sightings: Reading...) -> [TrialMonitor.Decision] {
        var proof = TrialMonitor()
        return sightings.map { proof.look($0) }
    }

    @Test func `a record that the receiver has confirmed proves it, but none from before it was applied`() {
        #expect(
            verdicts(
                Reading(isApplied: false), Reading(isApplied: false, recorded: 9, delivered: 9),
                Reading(recorded: 10, delivered: 9), Reading(recorded: 10, delivered: 10),
                Reading(recorded: 11, delivered: 11)) == [.wait, .wait, .wait, .wait, .proven])
    }

    @Test(arguments: RecordCause.allCases)
    func `only a record that the recording rule wanted proves anything`(_ cause: RecordCause) {
        let silent: Set<RecordCause> = [.first, .still, .departed, .requested, .resumed, .detected]
        let causes = [RecordCause.departed: 2].merging([cause: 3]) { $1 }
        #expect(TrialMonitor.recorded(by: causes) == (silent.contains(cause) ? 0 : 3))
    }

    @Test func `a delivery without a record of the rule's proves nothing: a filter that records nothing is undone`() {
        #expect(
            verdicts(
                Reading(recorded: 10, queued: 5), Reading(recorded: 10, delivered: 5),
                Reading(recorded: 10, delivered: 6))
                == [.wait, .wait, .wait])
    }

    @Test func `records that nobody confirms prove nothing`() {
        #expect(
            verdicts(
                Reading(), Reading(recorded: 1, queued: 1), Reading(recorded: 9, queued: 9),
                Reading(recorded: 9, refused: 9))
                == [.wait, .send, .wait, .wait])
    }

    @Test func `behind a queue the record itself has to be among the settled ones`() {
        // 3 wait, the record is the last of 4: 4 settlements later it is among them.
        #expect(
            verdicts(
                Reading(queued: 3), Reading(recorded: 1, queued: 4), Reading(recorded: 5, queued: 5, delivered: 3),
                Reading(recorded: 6, queued: 5, delivered: 4)) == [.wait, .send, .wait, .proven])
    }

    @Test func `a command proves it, but none from before it was applied`() {
        #expect(
            verdicts(Reading(commands: 4), Reading(commands: 4), Reading(commands: 5)) == [.wait, .wait, .proven])
        #expect(
            verdicts(Reading(), Reading(recorded: 1, queued: 1), Reading(commands: 1)) == [.wait, .send, .proven])
    }
}
