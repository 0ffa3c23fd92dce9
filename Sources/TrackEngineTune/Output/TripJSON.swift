internal import TrackEngine
internal import TrackEnginePlaces

/// The stops and trips of tracks as one JSON object: seconds since the first fix of each file, metres, metres per
/// second.
package struct TripJSON {
    private let trials: [TripTrial]

    /// Creates the object for the trials of tracks.
    package init(_ trials: [TripTrial]) { self.trials = trials }

    /// The object with a line ending.
    package var bytes: [UInt8] {
        let document = JSONValue.members(
            ("tracks", .array(trials.map(track))), ("scores", TripTrial.total(trials).map(scores)))
        return document.bytes + [UInt8(ascii: "\n")]
    }

    private func track(_ trial: TripTrial) -> JSONValue {
        let rows = TripRow.rows(of: trial)
        func list(_ take: (TripRow) -> [JSONValue.Member]?) -> JSONValue {
            .array(
                rows.compactMap { row in
                    take(row).map { members in
                        .object(
                            [
                                .init("from", Self.rounded(trial.offset(row.span.begin))),
                                .init("to", Self.rounded(trial.offset(row.span.end))),
                            ] + members)
                    }
                })
        }
        let stops = list { row in
            guard case .stop(let visit, _) = row.kind else { return nil }
            return [
                .init("radius", Self.rounded(visit.radius)),
                .init("place", visit.place.map { .string($0.name) } ?? .null),
                .init("verdict", row.word.isEmpty ? .null : .string(row.word)),
            ]
        }
        let trips = list { row in
            guard case .trip(let trip) = row.kind else { return nil }
            return [.init("distance", Self.rounded(trip.distance)), .init("mode", .string(trip.mode.name))]
        }
        return .members(
            ("file", .string(trial.name)), ("fixes", .whole(trial.recording.fixes.count)),
            ("refused", .whole(trial.recording.refused)), ("leftOut", .whole(trial.recording.leftOut)),
            ("stopAfter", Self.rounded(trial.settings.stopAfter.inSeconds)), ("stops", stops), ("trips", trips),
            ("missed", trial.judgement.map { _ in list { $0.kind == .missed ? [] : nil } }),
            ("scores", trial.judgement.map { scores($0.scores) }))
    }

    private func scores(_ scores: [StopScore]) -> JSONValue {
        .array(
            zip(TripTrial.durations, scores).map { duration, score in
                .object([
                    .init("duration", .number(duration)),
                    .init("found", .number(Double(score.found))),
                    .init("missed", .number(Double(score.missed))),
                    .init("wrong", .number(Double(score.wrong))),
                    .init("precision", Self.rounded(score.precision)),
                    .init("recall", Self.rounded(score.recall)),
                    .init("f1", Self.rounded(score.f1)),
                    .init("arrivalError", Self.rounded(score.arrivalError)),
                    .init("departureError", Self.rounded(score.departureError)),
                    .init("trips", .number(Double(score.trips))),
                    .init("split", .number(Double(score.splitTrips))),
                    .init("joined", .number(Double(score.joinedTrips))),
                ])
            })
    }

    /// A number rounded to a thousandth; null for one that is not finite.
    private static func rounded(_ value: Double) -> JSONValue {
        value.isFinite ? .number((value * 1000).rounded() / 1000) : .null
    }
}
