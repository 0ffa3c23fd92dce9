import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct TrackSegmentRuleTests {
    private func continuations(_ records: [RecordDraft]) -> [TrackSegmentRule.Link] {
        var segmentation = TrackSegmentRule()
        return records.map { segmentation.next($0) }
    }

    private func record(_ seconds: Int, isMoving: Bool = true, event: RecordEvent? = nil, _ source: SourceID = "a")
        -> RecordDraft
    {
        SampleRecords.record(
            seconds, at: SampleRecords.start.advanced(by: .seconds(seconds)), isMoving: isMoving, event: event,
            source: source)
    }

    @Test func `the first record begins a track, and the next ones are on its line`() {
        #expect(continuations([record(0), record(1), record(1), record(301)]) == [.track, .line, .line, .line])
    }

    @Test func `more than five minutes are a gap, exactly five are not`() {
        #expect(continuations([record(0), record(300), record(601)]) == [.track, .line, .segment])
    }

    @Test func `going back in time is a cut`() {
        #expect(continuations([record(10), record(9)]) == [.track, .segment])
    }

    @Test func `what follows the rest is a new trip, and the rest itself belongs to the old one`() {
        let records = [
            record(0, event: .motionChange), record(10), record(70, isMoving: false, event: .motionChange),
            record(80, event: .motionChange), record(90),
        ]
        #expect(continuations(records) == [.track, .line, .line, .segment, .line])
    }

    @Test func `another source is another track, and so is the first one when it comes again`() {
        #expect(
            continuations([record(0), record(1, "b"), record(2, "b"), record(3)]) == [.track, .track, .line, .track])
    }
}
