package import TrackEngine
package import TrackEnginePlaces

/// The stays and trips detected in one recorded track, and their agreement with its labels.
package struct TripTrial: Sendable {
    /// The durations that are scored, in seconds: one, three and five minutes.
    package static let durations = [60.0, 180, 300]

    /// The agreement with the labels.
    package struct Score: Sendable {
        /// All actual rests.
        package let rests: [TimeSpan]
        /// The stretches where a rest is uncertain.
        package let unsure: [TimeSpan]
        /// The match of the found stops with the rests, under the given settings.
        package let matching: StopMatching
        /// The score under the given settings.
        package let score: StopScore
        /// The scores with stops of each of ``TripTrial/durations``, with the other settings unchanged.
        package let scores: [StopScore]
    }

    /// The track's file.
    package let name: String
    /// The track.
    package let recording: TripRecording
    /// The given settings.
    package let settings: VisitAndTripSettings
    /// The findings under these settings.
    package let findings: TripList
    /// The agreement with the labels; absent without labels.
    package let judgement: Score?

    /// Tries settings on a track.
    ///
    /// - Throws: the problems of the settings.
    package init(
        _ name: String, _ recording: TripRecording, _ settings: VisitAndTripSettings, places: PlaceIndex,
        labels: TripLabelList.Track?
    ) throws(ConfigurationError) {
        self.name = name
        self.recording = recording
        self.settings = settings
        findings = try TripList(of: recording, settings, places: places)
        guard let labels, let start = recording.start else {
            judgement = nil
            return
        }
        let (rests, unsure) = (labels.rests(from: start), labels.unsure(from: start))
        var scores: [StopScore] = []
        for duration in Self.durations {
            var other = settings
            other.stopAfter = .seconds(duration)
            other.gap = max(other.gap, other.stopAfter)
            let found = try TripList(of: recording, other, places: places)
            let matching = StopMatching(found.stops, rests: rests, unsure: unsure, duration: duration)
            scores.append(Self.score(found, matching, rests, duration))
        }
        let duration = settings.stopAfter.inSeconds
        let matching = StopMatching(findings.stops, rests: rests, unsure: unsure, duration: duration)
        judgement = Score(
            rests: rests, unsure: unsure, matching: matching,
            score: Self.score(findings, matching, rests, duration), scores: scores)
    }

    private static func score(
        _ findings: TripList, _ matching: StopMatching, _ rests: [TimeSpan], _ duration: Double
    ) -> StopScore {
        var score = StopScore()
        score.add(findings.stops, matching)
        score.addTrips(findings.ways, rests: rests, duration: duration)
        return score
    }

    /// The seconds from the first fix to a time, as labels count them.
    package func offset(_ time: Double) -> Double { time - (recording.start ?? time) }

    /// The last part of the file's path.
    var shortName: String { String(name.split(separator: "/").last ?? "") }

    /// The rank for the order of trials: mistakes under the given settings, then at the scored durations.
    private var badness: (Int, Int) {
        guard let judgement else { return (0, 0) }
        return (judgement.score.mistakes, judgement.scores.reduce(0) { $0 + $1.mistakes })
    }

    /// The trials, those with the most mistakes first; those without labels come last, in their order.
    package static func worstFirst(_ trials: [TripTrial]) -> [TripTrial] {
        trials.enumerated().sorted { one, other in
            one.element.badness == other.element.badness
                ? one.offset < other.offset : one.element.badness > other.element.badness
        }.map(\.element)
    }

    /// The sum of all scores at each of ``durations``; absent if no track has labels.
    package static func total(_ trials: [TripTrial]) -> [StopScore]? {
        let judged = trials.compactMap(\.judgement)
        guard !judged.isEmpty else { return nil }
        return durations.indices.map { index in
            judged.reduce(into: StopScore()) { $0.add($1.scores[index]) }
        }
    }
}
