package import TrackEngine
package import TrackEnginePlaces

/// What the detection of stays and trips makes of one recorded track, and how that fits its labels.
package struct TripTrial: Sendable {
    /// The durations that are scored, in seconds: one, three and five minutes.
    package static let durations = [60.0, 180, 300]

    /// How it fits its labels.
    package struct Judgement: Sendable {
        /// Every rest there was.
        package let rests: [TimeSpan]
        /// Where nobody can tell.
        package let unsure: [TimeSpan]
        /// Which of the stops found are rests, under the settings that were asked for.
        package let matching: StopMatching
        /// The score under those settings.
        package let score: StopScore
        /// The scores with stops of each of ``TripTrial/durations``, all else the same.
        package let scores: [StopScore]
    }

    /// The track's file.
    package let name: String
    /// The track.
    package let recording: TripRecording
    /// The settings that were asked for.
    package let settings: StayAndTripSettings
    /// What was found with them.
    package let findings: TripFindings
    /// How that fits the labels; absent without any.
    package let judgement: Judgement?

    /// Tries settings on a track.
    ///
    /// - Throws: what is wrong with the settings.
    package init(
        _ name: String, _ recording: TripRecording, _ settings: StayAndTripSettings, places: PlaceIndex,
        labels: TripLabels.Track?
    ) throws(ConfigurationError) {
        self.name = name
        self.recording = recording
        self.settings = settings
        findings = try TripFindings(of: recording, settings, places: places)
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
            let found = try TripFindings(of: recording, other, places: places)
            let matching = StopMatching(found.stops, rests: rests, unsure: unsure, duration: duration)
            scores.append(Self.score(found, matching, rests, duration))
        }
        let duration = settings.stopAfter.inSeconds
        let matching = StopMatching(findings.stops, rests: rests, unsure: unsure, duration: duration)
        judgement = Judgement(
            rests: rests, unsure: unsure, matching: matching,
            score: Self.score(findings, matching, rests, duration), scores: scores)
    }

    private static func score(
        _ findings: TripFindings, _ matching: StopMatching, _ rests: [TimeSpan], _ duration: Double
    ) -> StopScore {
        var score = StopScore()
        score.add(findings.stops, matching)
        score.addTrips(findings.ways, rests: rests, duration: duration)
        return score
    }

    /// Seconds from the first fix to a moment, as labels count them.
    package func offset(_ time: Double) -> Double { time - (recording.start ?? time) }

    /// The last part of the file's path.
    package var shortName: String { String(name.split(separator: "/").last ?? "") }

    /// How bad it is: mistakes under the settings asked for, then at the scored durations.
    private var badness: (Int, Int) {
        guard let judgement else { return (0, 0) }
        return (judgement.score.mistakes, judgement.scores.reduce(0) { $0 + $1.mistakes })
    }

    /// The trials, those with the most mistakes first; those without labels stay behind, in their order.
    package static func worstFirst(_ trials: [TripTrial]) -> [TripTrial] {
        trials.enumerated().sorted { one, other in
            one.element.badness == other.element.badness
                ? one.offset < other.offset : one.element.badness > other.element.badness
        }.map(\.element)
    }

    /// The sum of all scores at each of ``durations``; absent where no track has labels.
    package static func total(_ trials: [TripTrial]) -> [StopScore]? {
        let judged = trials.compactMap(\.judgement)
        guard !judged.isEmpty else { return nil }
        return durations.indices.map { index in
            judged.reduce(into: StopScore()) { $0.add($1.scores[index]) }
        }
    }
}
