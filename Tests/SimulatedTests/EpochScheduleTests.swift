import Testing
import TrackEngine
import TrackEngineSimulated

@Suite struct EpochScheduleTests {
    @Test func `continuous demand takes every epoch`() {
        var schedule = EpochSchedule(rate: 10)
        schedule.emitted(6)
        #expect(schedule.next(from: 7, under: .continuous) == 7)
    }

    @Test(arguments: [(1, 60_000, 160), (10, 60_000, 700), (10, 1_050, 111), (1, 500, 101), (1, 0, 101), (1, -5, 101)])
    func `after epoch 100 occasional demand takes the first one past the interval`(
        rate: Int, milliseconds: Int, next: Int
    ) {
        var schedule = EpochSchedule(rate: rate)
        schedule.emitted(100)
        #expect(schedule.next(from: 101, under: .occasional(every: .milliseconds(milliseconds))) == next)
    }

    @Test func `the first fix is always wanted, and an overdue one at once`() {
        var schedule = EpochSchedule(rate: 1)
        #expect(schedule.next(from: 0, under: .occasional(every: .seconds(60))) == 0)
        schedule.emitted(0)
        #expect(schedule.next(from: 75, under: .occasional(every: .seconds(60))) == 75)
    }

    @Test func `an interval without end is a day`() {
        var schedule = EpochSchedule(rate: 1)
        schedule.emitted(0)
        #expect(schedule.next(from: 1, under: .occasional(every: .seconds(Int64.max))) == 86_400)
    }
}
