import TrackEngine

/// A detector that tells of each leg's end: a dwell at "stop" when nothing has moved for a minute, an arrival when the tenth fix
/// comes. It remembers how many fixes it has seen.
struct RestingDetector: EventDetector {
    private(set) var seen = 0
    private var last: Fix?
    private var isResting = false

    static func transition(_ event: Transition.Event, at fix: Fix) -> RecordContent {
        .transition(
            Transition(
                event: event, place: PlaceName(id: "stop", name: "Stop"), centre: fix.coordinate, radius: 50,
                created: Road.start))
    }

    mutating func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) {
        seen += 1
        last = observed.fix
        isResting = false
        if seen % 10 == 0 { report(DetectorEvent(Self.transition(.enter, at: observed.fix), at: observed.fix)) }
    }

    mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
        guard let last, let deadline, time >= deadline else { return }
        isResting = true
        report(DetectorEvent(Self.transition(.dwell, at: last), at: last))
    }

    var deadline: Timestamp? { isResting ? nil : last?.time.advanced(by: .seconds(60)) }

    var state: [UInt8] { [UInt8(truncatingIfNeeded: seen)] }

    mutating func resume(from state: [UInt8]) -> Bool {
        guard state.count == 1 else { return false }
        seen = Int(state[0])
        return true
    }
}
