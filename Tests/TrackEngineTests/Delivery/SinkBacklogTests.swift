import Testing
import TrackEngine

@Suite("What waits for a sink")
struct SinkBacklogTests {
    private func record(_ sequence: Int64, event: RecordEvent? = nil) -> TrackRecord {
        let fix = Road.fix(Double(sequence))
        return TrackRecord(
            sequence: RecordSequence(rawValue: sequence),
            draft: RecordDraft(
                id: RecordID(device: "d", source: "s", fix: fix, cause: .distance), fix: fix, isMoving: true,
                event: event, cause: .distance, source: "s"))
    }

    @Test
    func `records that are stored add up, and the oldest and newest are known`() {
        var waiting = SinkBacklog()
        waiting.stored([record(1), record(2)])
        waiting.stored([record(3)])
        #expect(waiting.count == 3)
        #expect(waiting.oldest == Road.fix(1).time)
        #expect(waiting.newest?.sequence.rawValue == 3)
        waiting.settled(2, oldest: Road.fix(3).time)
        #expect(waiting.count == 1)
        #expect(waiting.oldest == Road.fix(3).time)
    }

    @Test
    func `two processors that report in the other order do not make an older record the newest`() {
        var waiting = SinkBacklog()
        waiting.stored([record(2)])
        waiting.stored([record(1)])
        #expect(waiting.newest?.sequence.rawValue == 2)
    }

    @Test
    func `a count that news have overtaken is not believed`() {
        var waiting = SinkBacklog()
        let before = waiting.changes
        waiting.stored([record(7)])
        let old = Backlog(count: 6, oldest: Road.fix(1).time, newest: record(6))
        #expect(waiting.counted(old, since: before) == false)
        #expect(waiting.count == 1)
        #expect(waiting.newest?.sequence.rawValue == 7)
        let current = Backlog(count: 7, oldest: Road.fix(1).time, newest: record(7))
        let now = waiting.changes
        #expect(waiting.counted(current, since: now) == true)
        #expect(waiting.count == 7)
        #expect(waiting.counts == 2)
    }

    @Test
    func `a record stored while the store is asked is not forgotten when it had nothing`() {
        var waiting = SinkBacklog()
        let before = waiting.changes
        waiting.stored([record(1)])
        waiting.foundEmpty(since: before)
        #expect(waiting.count == 1)
        let now = waiting.changes
        waiting.foundEmpty(since: now)
        #expect(waiting.count == 0)
        #expect(waiting.oldest == nil)
    }

    @Test
    func `a motion change asks once for a sync below the threshold`() {
        var waiting = SinkBacklog()
        waiting.stored([record(1)])
        #expect(waiting.takeBypass() == false)
        waiting.stored([record(2, event: .motionChange), record(3)])
        #expect(waiting.takeBypass() == true)
        #expect(waiting.takeBypass() == false)
    }
}
