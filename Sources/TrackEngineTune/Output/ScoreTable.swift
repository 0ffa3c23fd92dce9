internal import TrackEngineSettings

/// The figures of a score for the table in the terminal and for the page.
package enum ScoreTable {
    /// The titles of the columns.
    static let titles = [
        "Stops of", "Precision", "Recall", "F1", "Arrival off", "Departure off", "Trips", "Split", "Joined",
    ]

    /// The figures for stops of a duration in seconds.
    package static func cells(_ score: StopScore, of duration: Double) -> [String] {
        [
            "\((duration / 60).fixed(0)) min", score.precision.fixed(3), score.recall.fixed(3), score.f1.fixed(3),
            seconds(score.arrivalError), seconds(score.departureError), "\(score.trips)", "\(score.splitTrips)",
            "\(score.joinedTrips)",
        ]
    }

    private static func seconds(_ error: Double) -> String { error.isNaN ? "–" : "\(error.fixed(0)) s" }
}
