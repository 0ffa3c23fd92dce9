import Testing
import TrackEngine

@Suite struct SyncStateMachineTests {
    static func at(_ second: Int64) -> TrackInstant { TrackInstant(nanoseconds: second * 1_000_000_000) }

    static func machine(_ configuration: SyncConfiguration = SyncConfiguration()) -> SyncStateMachine {
        SyncStateMachine(configuration)
    }

    static func fail(_ machine: inout SyncStateMachine, at second: Int64, retryAfter: Duration? = nil) {
        var generator = SystemRandomNumberGenerator()
        machine.failed(at: at(second), retryAfter: retryAfter, using: &generator)
    }

    @Test
    func `records gather until the threshold, then everything goes out`() {
        var machine = Self.machine()
        #expect(machine.next(queued: 11, at: Self.at(0)) == .wait(until: nil))
        #expect(machine.next(queued: 12, at: Self.at(1)) == .send)
        machine.succeeded()
        #expect(machine.next(queued: 3, at: Self.at(2)) == .send)
        machine.succeeded()
        #expect(machine.next(queued: 0, at: Self.at(3)) == .wait(until: nil))
        #expect(machine.next(queued: 3, at: Self.at(4)) == .wait(until: nil))
    }

    @Test
    func `few records wait for the interval at the most, from the first of them on`() {
        var machine = Self.machine(SyncConfiguration(interval: .seconds(300)))
        #expect(machine.next(queued: 0, at: Self.at(0)) == .wait(until: nil))
        #expect(machine.next(queued: 1, at: Self.at(100)) == .wait(until: Self.at(400)))
        #expect(machine.next(queued: 3, at: Self.at(399)) == .wait(until: Self.at(400)))
        #expect(machine.next(queued: 3, at: Self.at(400)) == .send)
        machine.succeeded()
        #expect(machine.next(queued: 0, at: Self.at(401)) == .wait(until: nil))
        #expect(machine.next(queued: 1, at: Self.at(500)) == .wait(until: Self.at(800)))
        #expect(machine.next(queued: 12, at: Self.at(501)) == .send)
    }

    @Test
    func `the interval neither sends where nothing is sent by itself, nor shortens a back-off`() {
        var silent = Self.machine(SyncConfiguration(autoSync: false, interval: .seconds(1)))
        #expect(silent.next(queued: 5, at: Self.at(0)) == .wait(until: nil))
        #expect(silent.next(queued: 5, at: Self.at(10)) == .wait(until: nil))
        var machine = Self.machine(SyncConfiguration(interval: .seconds(1)))
        _ = machine.next(queued: 1, at: Self.at(0))
        #expect(machine.next(queued: 1, at: Self.at(1)) == .send)
        Self.fail(&machine, at: 1)
        Self.fail(&machine, at: 1)
        #expect(machine.next(queued: 9, at: Self.at(2)) == .wait(until: Self.at(4)))
    }

    @Test
    func `an interval of no time or of more than a week is refused`() {
        #expect(throws: ConfigurationError.self) { try SyncConfiguration(interval: .zero).validated() }
        #expect(throws: ConfigurationError.self) { try SyncConfiguration(interval: .seconds(604_801)).validated() }
        #expect(throws: Never.self) { try SyncConfiguration(interval: .seconds(604_800)).validated() }
    }

    @Test
    func `a motion change skips the threshold but never the back-off`() {
        var machine = Self.machine()
        machine.bypassThreshold()
        #expect(machine.next(queued: 1, at: Self.at(0)) == .send)
        Self.fail(&machine, at: 0)
        Self.fail(&machine, at: 1)
        machine.bypassThreshold()
        #expect(machine.next(queued: 2, at: Self.at(2)) == .wait(until: Self.at(4)))
        #expect(machine.next(queued: 2, at: Self.at(4)) == .send)
    }

    @Test
    func `waits grow as CalmGeo's do and end with a success`() {
        var machine = Self.machine()
        machine.bypassThreshold()
        var now: Int64 = 0
        for wait in [1, 3, 7, 15, 31, 63, 127, 255, 511, 600, 600] as [Int64] {
            #expect(machine.next(queued: 1, at: Self.at(now)) == .send)
            Self.fail(&machine, at: now)
            #expect(machine.next(queued: 1, at: Self.at(now + wait - 1)) == .wait(until: Self.at(now + wait)))
            now += wait
        }
        #expect(machine.next(queued: 1, at: Self.at(now)) == .send)
        machine.succeeded()
        #expect(machine.tried == 0)
    }

    @Test
    func `the receiver's own wait is obeyed up to an hour, and never shortens ours`() {
        var machine = Self.machine()
        machine.bypassThreshold()
        _ = machine.next(queued: 1, at: Self.at(0))
        Self.fail(&machine, at: 0, retryAfter: .seconds(90))
        #expect(machine.phase == .backingOff(until: Self.at(90)))
        Self.fail(&machine, at: 0, retryAfter: .seconds(1_000_000_000))
        #expect(machine.phase == .backingOff(until: Self.at(3600)))
        Self.fail(&machine, at: 0, retryAfter: .zero)
        #expect(machine.phase == .backingOff(until: Self.at(7)))
    }

    @Test
    func `without autoSync only a request sends, and it ignores the back-off`() {
        var machine = Self.machine(SyncConfiguration(autoSync: false))
        machine.bypassThreshold()
        #expect(machine.next(queued: 500, at: Self.at(0)) == .wait(until: nil))
        machine.request()
        #expect(machine.next(queued: 500, at: Self.at(0)) == .send)
        Self.fail(&machine, at: 0)
        #expect(machine.next(queued: 500, at: Self.at(1000)) == .wait(until: nil))
        machine.request()
        #expect(machine.next(queued: 500, at: Self.at(0)) == .send)
    }

    @Test
    func `a pause looks again after 1, 2, 4, 8 and then every 15 minutes`() {
        var machine = Self.machine()
        machine.bypassThreshold()
        var now: Int64 = 0
        for wait in [60, 120, 240, 480, 900, 900] as [Int64] {
            #expect(machine.next(queued: 1, at: Self.at(now)) == .send)
            machine.paused(at: Self.at(now))
            #expect(machine.phase == .paused(until: Self.at(now + wait)))
            now += wait
        }
    }
}
