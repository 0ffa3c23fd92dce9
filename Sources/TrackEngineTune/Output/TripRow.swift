package import TrackEngine
internal import TrackEnginePlaces
internal import TrackEngineSettings

/// One finding in a track, or one missed rest, as a row of the table, the JSON and the page.
package struct TripRow: Sendable {
    /// The kinds of row.
    package enum Kind: Sendable, Hashable {
        /// A stop; the number counts from 1.
        case stop(Visit, number: Int)
        case trip(Trip)
        /// A rest of the labels without a matching stop.
        case missed
    }

    /// The kind of this row.
    package let kind: Kind
    package let span: TimeSpan
    /// The verdict of the labels on a stop; absent for trips and without labels.
    package let verdict: StopMatching.Result?

    /// All rows of a trial, in order of time.
    package static func rows(of trial: TripTrial) -> [TripRow] {
        let findings = trial.findings
        let stops = zip(findings.visits, findings.stops).enumerated().map { index, found in
            TripRow(
                kind: .stop(found.0, number: index + 1), span: found.1,
                verdict: trial.judgement?.matching.verdicts[index])
        }
        let trips = zip(findings.trips, findings.ways).map { TripRow(kind: .trip($0), span: $1, verdict: nil) }
        let missed = trial.judgement?.matching.missed ?? []
        return (stops + trips + missed.map { TripRow(kind: .missed, span: $0, verdict: nil) })
            .sorted { $0.span.begin < $1.span.begin }
    }

    /// `stop 3`, `trip`, `rest`.
    package var title: String {
        switch kind {
        case .stop(_, let number): "stop \(number)"
        case .trip: "trip"
        case .missed: "rest"
        }
    }

    /// The verdict of the labels: `found`, `wrong`, `unsure`, `missed`; empty if there is none.
    package var word: String {
        switch (kind, verdict) {
        case (.missed, _): "missed"
        case (_, .found): "found"
        case (_, .wrong): "wrong"
        case (_, .undecided): "unsure"
        case (_, nil): ""
        }
    }

    /// The errors of a stop that is a rest, or the length of a trip.
    package var details: String {
        switch kind {
        case .stop(let visit, _):
            let place = visit.place.map { "at \($0.name), " } ?? ""
            guard case .found(let rest) = verdict else { return "\(place)radius \(visit.radius.fixed(0)) m" }
            let (arrival, departure) = (span.begin - rest.begin, span.end - rest.end)
            return "\(place)radius \(visit.radius.fixed(0)) m, off by \(arrival.signed) and \(departure.signed) s"
        case .trip(let trip):
            let speed = span.length > 0 ? trip.distance / span.length * 3.6 : 0
            return "\((trip.distance / 1000).fixed(1)) km, \(speed.fixed(0)) km/h, \(trip.mode.name)"
        case .missed: return "no stop shares half of its time"
        }
    }
}

extension Double {
    /// A whole number with its sign: `+12`, `-3`, `0`.
    fileprivate var signed: String {
        let whole = rounded()
        return (whole > 0 ? "+" : "") + (whole == 0 ? 0 : whole).fixed(0)
    }
}

extension TripTrial {
    /// A summary of the track and the findings: `296 fixes in 2 h of track, 3 stops, 2 trips`.
    package var summary: String {
        let span = Duration.seconds(recording.length)
        var text = "\(recording.fixes.count.counted("fix", "fixes")) in \(span.spoken), "
        text += "\(findings.visits.count.counted("stop", "stops")), \(findings.trips.count.counted("trip", "trips"))"
        if recording.refused > 0 { text += "; \(recording.refused) refused by the gates" }
        if recording.leftOut > 0 { text += "; \(recording.leftOut) were too many and are left out" }
        return text
    }

    /// The verdict of the labels on the whole track; absent without labels.
    package var judged: String? {
        guard let score = judgement?.score else { return nil }
        return "\(score.found) found, \(score.missed) missed, \(score.wrong) wrong; "
            + "\(score.trips.counted("trip", "trips")) between rests, \(score.splitTrips) split, \(score.joinedTrips) joined"
    }

    /// The settings under their names in the configuration.
    var settingsText: String {
        "stopAfter \(settings.stopAfter.spoken), stayRadius \(settings.radius.short) m, "
            + "minimumDistance \(settings.minimumDistance.short) m, gap \(settings.gap.spoken)"
    }
}

extension Int {
    fileprivate func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}

extension TripRecording {
    /// The time from the first fix to the last one, in seconds.
    var length: Double {
        guard let first = fixes.first, let last = fixes.last else { return 0 }
        return last.fix.time.unixSeconds - first.fix.time.unixSeconds
    }
}
