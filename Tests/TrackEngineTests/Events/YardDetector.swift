import Synchronization
import TrackEngine

/// Knows one place: the road from 1000 to 2000 metres. It tells of it like a real detector, and of a sign of life at rest.
struct YardDetector: EventDetector {
    static let yard = PlaceName(id: "yard", name: "Yard")
    static let metres = 1000.0..<2000
    private var isInside = false
    private var last: Timestamp?

    static func metres(of fix: Fix) -> Double {
        ((fix.coordinate.latitude - Road.origin.latitude) * 110_574.4).rounded()
    }

    private mutating func move(to fix: Fix) -> Transition.Event? {
        let isNow = Self.metres.contains(Self.metres(of: fix))
        defer { isInside = isNow }
        return isNow == isInside ? nil : isNow ? .enter : .leave
    }

    mutating func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) {
        last = observed.fix.time
        guard let event = move(to: observed.fix) else { return }
        report(DetectorEvent(RestingDetector.transition(event, at: observed.fix), at: observed.fix))
    }

    mutating func witness(_ observed: DetectorFix) { _ = move(to: observed.fix) }

    mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
        guard let due = deadline, due <= time else { return }
        last = due
        report(DetectorEvent(.heartbeat, at: Fix(time: due, coordinate: Road.origin)))
    }

    var deadline: Timestamp? { last?.advanced(by: .seconds(60)) }

    var context: RecordContext? { isInside ? RecordContext(places: [Self.yard]) : nil }

    mutating func perform(_ request: EventRequest, report: (DetectorEvent) -> Void) -> Bool { true }

    var state: [UInt8] { [isInside ? 1 : 0] }

    mutating func resume(from state: [UInt8]) -> Bool {
        isInside = state == [1]
        return true
    }
}

/// A gate that a test closes, for the whole road or for the yard.
final class ScriptedGate: RecordingGate {
    private struct State {
        var isClosed = false
        var yardIsOff = false
        var notes: [Bool] = []
        var notesAtStart: [Bool]?
    }

    private let state = Mutex(State())

    init(isClosed: Bool = false, yardIsOff: Bool = false) {
        state.withLock { ($0.isClosed, $0.yardIsOff) = (isClosed, yardIsOff) }
    }

    func set(isClosed: Bool) { state.withLock { $0.isClosed = isClosed } }
    func set(yardIsOff: Bool) { state.withLock { $0.yardIsOff = yardIsOff } }
    /// Whether the object was said to be in the yard, each time.
    var notes: [Bool] { state.withLock { $0.notes } }
    /// What was said before a run began.
    var notesAtStart: [Bool]? { state.withLock { $0.notesAtStart } }

    var isClosed: Bool { state.withLock { $0.isClosed } }
    func isClosed(at newest: ReceivedFix) -> Bool { isClosed }
    var dependsOnPlaces: Bool { state.withLock { $0.yardIsOff } }
    func admits(_ fix: Fix?, _ context: RecordContext?) -> Bool {
        let isInYard = fix.map { YardDetector.metres.contains(YardDetector.metres(of: $0)) } ?? false
        return !(dependsOnPlaces && (context != nil || isInYard))
    }
    func note(_ context: RecordContext?, of source: SourceID) { state.withLock { $0.notes.append(context != nil) } }
    func prepare() async { state.withLock { $0.notesAtStart = $0.notes } }
}
