package import TrackEngine
import TrackEngineSettings

/// Processes fixes with the pipeline and a detector in their own time, and reports the detected events.
///
/// A pure value: the same fixes and configuration give the same events with the same ids, as a tracker finds them in
/// a recording.
package struct EventRun: Sendable {
    private let device: DeviceID
    private let wallClock: Timestamp
    private let privacyFilter: (any PrivacyFilter)?
    private var pipeline: TrackPipeline
    private var detector: any EventDetector
    private var latest: Fix?
    /// The last fix that the detector has observed.
    private var observed: DetectorFix?
    /// The number of fixes.
    package private(set) var fixes = 0
    /// The number of fixes that the privacy filter has dropped.
    package private(set) var hidden = 0
    /// The number of detected events.
    package private(set) var events = 0

    private static let source: SourceID = "replay"

    /// A track at its beginning; the parameters are those of ``ReplayRun``.
    package init(
        _ configuration: RecordingConfiguration, _ detector: any EventDetector, device: DeviceID,
        wallClock: Timestamp, privacyFilter: (any PrivacyFilter)?
    ) {
        self.device = device
        self.wallClock = wallClock
        self.privacyFilter = privacyFilter
        self.detector = detector
        pipeline = TrackPipeline(configuration, timeBase: .fixTime)
    }

    /// Passes a fix to the detector, if it passes the gates, after the deadlines before it.
    package mutating func process(_ fix: Fix, report: (RecordDraft) -> Void) {
        fixes += 1
        guard let fix = privacyFilter.map({ $0.covered(fix) }) ?? fix else {
            hidden += 1
            detector.conceal()
            return
        }
        pipeline.replay(fix, wallClock: wallClock) { _, _ in }
        guard let passed = pipeline.latest, passed != latest else { return }
        let observed = DetectorFix(
            fix: passed, isMoving: pipeline.isMoving, odometer: pipeline.odometer, beginsLeg: latest == nil)
        latest = passed
        self.observed = observed
        var found: [DetectorEvent] = []
        if let due = detector.deadline, due <= passed.time { detector.pass(to: passed.time) { found.append($0) } }
        detector.observe(observed) { found.append($0) }
        for event in found { report(draft(of: event, observed)) }
        events += found.count
    }

    /// Ends open events at the last fix, where the recording ends.
    package mutating func end(report: (RecordDraft) -> Void) {
        guard let observed else { return }
        var found: [DetectorEvent] = []
        detector.end { found.append($0) }
        for event in found { report(draft(of: event, observed)) }
        events += found.count
    }

    private func draft(of event: DetectorEvent, _ observed: DetectorFix) -> RecordDraft {
        RecordDraft(
            id: RecordID(device: device, source: Self.source, fix: event.fix, content: event.content), fix: event.fix,
            isMoving: observed.isMoving, cause: .detected, source: Self.source, odometer: observed.odometer,
            content: event.content, context: detector.context)
    }

    /// `1234 fixes, 5 events`
    package var summary: String {
        fixes.counted("fix") + (hidden > 0 ? ", \(hidden) hidden" : "") + ", " + events.counted("event")
    }

    /// An event as a line for users, without positions: `2026-03-01 10:00:30  arrival Home`.
    package static func line(_ draft: RecordDraft) -> String {
        let time = EventText.time(draft.fix.time)
        return "\(time)  \(words(draft.content))"
    }

    private static func words(_ content: RecordContent) -> String {
        switch content {
        case .visit(let visit):
            let from = visit.arrival
            let place = visit.place?.name ?? "at no named place"
            guard let departure = visit.departure else {
                return "arrival \(place), since \(EventText.time(from))"
            }
            return "departure \(place), after \(EventText.span(from, departure))" + recordingEnd(visit.endedBy)
        case .trip(let trip):
            let start = trip.start.place?.name ?? "?"
            guard let end = trip.end else {
                return
                    "trip begins, \(trip.mode.name), from \(start), since \(EventText.time(trip.start.time))"
            }
            return "trip ends, \(trip.mode.name), \(EventText.kilometres(trip.distance)), "
                + "\(EventText.span(trip.start.time, end.time)), \(start) to \(end.place?.name ?? "?")"
                + recordingEnd(trip.endedBy)
        case .transition(let transition): return "\(transition.event.name) \(transition.place.name)"
        case .action(let action): return action.name
        case .location, .heartbeat, .power: return content.kind.name
        }
    }

    private static func recordingEnd(_ reason: Trip.Reason?) -> String {
        reason == .recording ? ", where the recording ends" : ""
    }
}
