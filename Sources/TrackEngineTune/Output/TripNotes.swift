/// Notes for readers of the figures on stops and trips.
package enum TripNotes {
    /// The notes without labels.
    package static let plain = [
        "Seconds count from the first fix of the file, as labels do. Stops and trips that last at the end of the file end there."
    ]

    /// The notes with labels.
    package static let judged =
        plain + [
            "At a duration D every rest of 1.25 D or more is to be found, and none below 0.8 D; rests in between, and those "
                + "that the labels call unsure, are neither right nor wrong. A stop is found if it shares half of its time "
                + "with the rest (intersection over union).",
            "Arrival and departure: medians of those found. A trip between two such rests is split if parts of it are two "
                + "trips or more, joined if a trip holds two of them.",
        ]
}
