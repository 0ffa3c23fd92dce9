/// What a live source's track tells of the tracker and its machine, and what of it has been told. A value: a lane keeps it.
struct SelfReport: Sendable, Hashable {
    /// ``RecordKinds/action`` and ``RecordKinds/power``, or one of them, or nothing.
    var kinds: RecordKinds
    /// Where a pause began that was told of and whose end was not.
    private(set) var paused: Fix?
    /// The power supply that was known last. What is known first is no news: nobody saw it change.
    var power: HostStatus.BatteryState?

    init(_ kinds: RecordKinds) { self.kinds = kinds }

    /// A pause begins; returns the place where it is told of, if it is.
    mutating func pause(at fix: Fix?) -> Fix? {
        // A pause that is changed has been told of.
        guard kinds.contains(.action), paused == nil, let fix else { return nil }
        paused = fix
        return fix
    }

    /// The end of the pause has been told.
    mutating func resumed() { paused = nil }

    /// Goes on from what an earlier run told.
    mutating func goOn(paused: Fix?, power: HostStatus.BatteryState?) {
        if kinds.contains(.action) { self.paused = paused }
        if kinds.contains(.power) { self.power = power }
    }

    /// Nobody is to know any more where the pause began.
    mutating func forgetPlace() { paused = nil }

    /// Whether a state of the power supply is another one than the last that was known; an unknown one is none.
    func isNews(_ state: HostStatus.BatteryState) -> Bool { state != .unknown && state != power }
}
