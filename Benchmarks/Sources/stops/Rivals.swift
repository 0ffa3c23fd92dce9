import TrackEngine
import TrackEngineTune

/// The published rules of others, as oracles: what they say about the same fixes. Each is there as published and in a form
/// that is kinder to it, so that nothing is won by a detail of dates or of noise.
enum Rival: String, CaseIterable {
    case traccarNew = "Traccar, new logic"
    case traccarNewDatedBack = "Traccar, new logic, dated back"
    case traccarOld = "Traccar, older logic"
    case traccarOldOneKnot = "Traccar, older logic, motion above 1 kn"
    case autoPause = "Overland's auto-pause"
    case autoPauseDatedBack = "Overland's auto-pause, dated back"

    /// The stops; its time to stop is the duration asked for, all else its default.
    func stops(_ fixes: [DetectorFix], duration: Double) -> [TimeSpan] {
        switch self {
        case .traccarNew, .traccarNewDatedBack:
            Self.traccarNew(
                fixes, minDistance: 200, minDuration: duration, stopGap: 3600, datesBack: self == .traccarNewDatedBack)
        case .traccarOld: Self.traccarOld(fixes, parking: duration, threshold: 0.01 * 0.514444)
        case .traccarOldOneKnot: Self.traccarOld(fixes, parking: duration, threshold: 0.514444)
        case .autoPause: Self.autoPause(fixes, radius: 100, time: duration, datesBack: false)
        case .autoPauseDatedBack: Self.autoPause(fixes, radius: 100, time: duration, datesBack: true)
        }
    }

    /// `NewMotionProcessor` of Traccar: moving with the first fix at least `minDistance` from the place of the last event;
    /// stopped with the first that has all kept fixes, which reach back `minDuration`, within `minDistance`; a gap longer
    /// than `stopGap` with a fast way in it ends the trip before it. Dated back, a stop begins with the oldest kept fix and
    /// ends with the last one near.
    private static func traccarNew(
        _ fixes: [DetectorFix], minDistance: Double, minDuration: Double, stopGap: Double, datesBack: Bool
    ) -> [TimeSpan] {
        guard let first = fixes.first?.fix else { return [] }
        var kept: [Fix] = []
        var isMoving = (first.speed ?? 0) > 0.01 * 0.514444
        var begin = first.time.seconds
        var anchor = first
        var stops: [TimeSpan] = []
        for fix in fixes.map(\.fix) {
            if let last = kept.last, let oldest = kept.first {
                let gap = fix.time.seconds - last.time.seconds
                let way = last.coordinate.distance(to: fix.coordinate)
                if gap > stopGap, way >= minDistance, way / gap > minDistance / minDuration {
                    if !isMoving { stops.append(TimeSpan(begin: begin, end: last.time.seconds)) }
                    (isMoving, begin, anchor) = (false, fix.time.seconds, fix)
                } else if isMoving {
                    let isNear = kept.allSatisfy { $0.coordinate.distance(to: fix.coordinate) < minDistance }
                    if isNear, fix.time.seconds - oldest.time.seconds >= minDuration {
                        (isMoving, begin, anchor) = (false, (datesBack ? oldest : fix).time.seconds, fix)
                    }
                } else if anchor.coordinate.distance(to: fix.coordinate) >= minDistance {
                    stops.append(TimeSpan(begin: begin, end: (datesBack ? last : fix).time.seconds))
                    (isMoving, anchor) = (true, fix)
                }
            }
            kept.append(fix)
            while kept.count > 1, fix.time.seconds - kept[1].time.seconds >= minDuration { kept.removeFirst() }
        }
        if !isMoving, let last = fixes.last { stops.append(TimeSpan(begin: begin, end: last.fix.time.seconds)) }
        return stops
    }

    /// `MotionProcessor` with `TripsConfig`: motion is a speed above the threshold, 0.01 knots by default; a trip after 300 s or 500 m of motion, a stop
    /// after `parking` seconds without, both dated back to where the motion changed; 3600 s without a fix end a trip.
    private static func traccarOld(_ fixes: [DetectorFix], parking: Double, threshold: Double) -> [TimeSpan] {
        guard let first = fixes.first else { return [] }
        var streak = false
        var state = false
        var since: (time: Double, odometer: Double)?
        var stops: [TimeSpan] = []
        var begin = first.fix.time.seconds
        var last = first
        func change(_ moving: Bool, at time: Double) {
            if moving, !streak { stops.append(TimeSpan(begin: begin, end: time)) }
            if !moving, streak { begin = time }
            streak = moving
        }
        for observed in fixes {
            let (fix, time) = (observed.fix, observed.fix.time.seconds)
            defer { last = observed }
            if time - last.fix.time.seconds >= 3600, streak {
                change(false, at: last.fix.time.seconds)
                (state, since) = (false, nil)
                continue
            }
            // Without a speed Traccar has 0; here the way between fixes tells it, to the rule's advantage.
            let span = time - last.fix.time.seconds
            let implied = span > 0 ? last.fix.coordinate.distance(to: fix.coordinate) / span : 0
            let moving = (fix.speed ?? (implied > 0.5 ? implied : 0)) > threshold
            if moving == state {
                guard let from = since else { continue }
                let isDue =
                    moving
                    ? time - from.time >= 300 || observed.odometer - from.odometer >= 500 : time - from.time >= parking
                if isDue {
                    change(moving, at: from.time)
                    since = nil
                }
            } else {
                state = moving
                since = streak == moving ? nil : (time, observed.odometer)
            }
        }
        if !streak { stops.append(TimeSpan(begin: begin, end: last.fix.time.seconds)) }
        return stops
    }

    /// Updates pause when all fixes of the stop time lie within the stop radius of the oldest of them, and resume with the
    /// first fix outside: the settings "stop radius" (up to 200 m) and "stop time" of Overland's forks. The system's own
    /// pause, which Overland itself uses, is not published; this is what can be written down of it.
    private static func autoPause(_ fixes: [DetectorFix], radius: Double, time: Double, datesBack: Bool) -> [TimeSpan] {
        var stops: [TimeSpan] = []
        var anchor: Fix?
        var last: Fix?
        for fix in fixes.map(\.fix) {
            defer { last = fix }
            guard let from = anchor, let before = last else {
                anchor = fix
                continue
            }
            guard from.coordinate.distance(to: fix.coordinate) > radius else { continue }
            if before.time.seconds - from.time.seconds >= time {
                stops.append(
                    TimeSpan(
                        begin: from.time.seconds + (datesBack ? 0 : time), end: (datesBack ? before : fix).time.seconds)
                )
            }
            anchor = fix
        }
        if let anchor, let last, last.time.seconds - anchor.time.seconds >= time {
            stops.append(TimeSpan(begin: anchor.time.seconds + (datesBack ? 0 : time), end: last.time.seconds))
        }
        return stops
    }
}
