import TrackEngine
import TrackEnginePlaces
import TrackEngineTune

/// A track as detectors see it: the fixes that pass the quality gates, with what the pipeline says of them.
struct ObservedTrack: Sendable {
    let fixes: [DetectorFix]

    init(_ track: LabelledTrack) {
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        var observed: [DetectorFix] = []
        observed.reserveCapacity(track.fixes.count)
        var isFirst = true
        for fix in track.fixes {
            if track.legs.contains(fix.time) {
                pipeline.interrupt { _, _ in }
                isFirst = true
            }
            var passes = true
            pipeline.replay(fix) { decided, decision in
                if decided.time == fix.time, case .reject(let reason) = decision { passes = !reason.isOfGate }
            }
            guard passes else { continue }
            observed.append(
                DetectorFix(
                    fix: fix, isMoving: pipeline.isMoving, odometer: pipeline.odometer, beginsLeg: isFirst))
            isFirst = false
        }
        fixes = observed
    }
}

extension RejectionReason {
    /// Whether a quality gate refused the fix, and not the rule of what to record.
    var isOfGate: Bool {
        switch self {
        case .notInMotion, .standby, .tooNear, .unneeded: false
        default: true
        }
    }
}

/// What a detector made of a track.
struct Detection: Sendable {
    var stops: [TimeSpan] = []
    var trips: [TimeSpan] = []
}

extension VisitAndTripDetector {
    /// Settings for stops of a duration, all else by default.
    static func settings(stopAfter seconds: Double) -> VisitAndTripSettings {
        var settings = VisitAndTripSettings()
        settings.stopAfter = .milliseconds(Int64(seconds * 1000))
        return settings
    }

    /// All events of a track.
    static func events(
        of track: ObservedTrack, _ settings: VisitAndTripSettings = VisitAndTripSettings(),
        place: @escaping @Sendable (Coordinate) -> PlaceName? = { _ in nil }
    ) throws -> [DetectorEvent] {
        var detector = try VisitAndTripDetector(settings, device: "van-7", place: place)
        var events: [DetectorEvent] = []
        for fix in track.fixes { detector.observe(fix) { events.append($0) } }
        return events
    }

    /// The stays and trips of a track; what lasts at its end, ends there.
    static func detection(of track: ObservedTrack, _ settings: VisitAndTripSettings) throws -> Detection {
        let end = track.fixes.last?.fix.time ?? Timestamp(seconds: 0)
        var stops: [EventID: TimeSpan] = [:]
        var trips: [EventID: TimeSpan] = [:]
        for event in try events(of: track, settings) {
            switch event.content {
            case .visit(let visit):
                stops[visit.id] = TimeSpan(begin: visit.arrival.seconds, end: (visit.departure ?? end).seconds)
            case .trip(let trip):
                trips[trip.id] = TimeSpan(begin: trip.start.time.seconds, end: (trip.end?.time ?? end).seconds)
            case .location, .transition, .action, .heartbeat, .power: break
            }
        }
        return Detection(
            stops: stops.values.sorted { $0.begin < $1.begin }, trips: trips.values.sorted { $0.begin < $1.begin })
    }
}

extension StopScore {
    /// Scores the trips of a labelled track.
    mutating func addTrips(_ detected: [TimeSpan], of track: LabelledTrack, duration: Double) {
        addTrips(detected, rests: track.rests, duration: duration)
    }
}
