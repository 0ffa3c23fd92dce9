/// The tracker's own events in a live source's track, and which of them are recorded. A part of the track's state.
struct TrackerEvents: Sendable, Hashable {
    /// The kinds to record: ``RecordKinds/action``, ``RecordKinds/power``, both, or none.
    var kinds: RecordKinds
    /// The position of the last recorded pause while its end is not recorded.
    private(set) var paused: Fix?
    /// The last known state of the power supply. The first known state is not an event, because no change was observed.
    var power: HostStatus.BatteryState?

    init(_ kinds: RecordKinds) { self.kinds = kinds }

    /// Begins a pause. Returns the position for its record, or `nil` if it is not recorded.
    mutating func pause(at fix: Fix?) -> Fix? {
        // A pause with a new end is recorded already.
        guard kinds.contains(.action), paused == nil, let fix else { return nil }
        paused = fix
        return fix
    }

    /// Notes that the end of the pause is recorded.
    mutating func resumed() { paused = nil }

    /// Continues from the state of an earlier run.
    mutating func goOn(paused: Fix?, power: HostStatus.BatteryState?) {
        if kinds.contains(.action) { self.paused = paused }
        if kinds.contains(.power) { self.power = power }
    }

    /// Forgets the position where the pause began.
    mutating func forgetPlace() { paused = nil }

    /// Whether a state of the power supply differs from the last known one; an unknown state never does.
    func isNews(_ state: HostStatus.BatteryState) -> Bool { state != .unknown && state != power }
}
