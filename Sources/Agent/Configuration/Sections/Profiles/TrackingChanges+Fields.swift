import TrackEngine
package import TrackEngineSettings

extension TrackingChanges {
    /// The keys of a profile: some keys of `tracking`, with the same names and bounds.
    package static let fields: [Field<Self>] = [
        .value("desiredAccuracy", \.desiredAccuracy, .desiredAccuracy, show: { .text($0.name) })
            .meaning("In place of tracking.desiredAccuracy; null for as there."),
        .choice("record", \.record).meaning("In place of tracking.record; null for as there."),
        .integer("distanceFilter", \.distanceFilter, Bounds.distanceFilter, "metres")
            .meaning("In place of tracking.distanceFilter; null for as there."),
        .value("disableSpeedMultiplier", \.disableSpeedMultiplier, .flag, show: { .word("\($0)") })
            .meaning("In place of tracking.disableSpeedMultiplier; null for as there."),
        .value("speedMultiplier", \.speedMultiplier, .number(Bounds.speedMultiplier), show: { .word($0.written) })
            .meaning("In place of tracking.speedMultiplier; null for as there."),
        .positive("maximumThreshold", \.maximumThreshold, upTo: 1_000_000_000, "metres")
            .meaning("In place of tracking.maximumThreshold; null for as there."),
        .positive("maximumDeviation", \.maximumDeviation, upTo: Bounds.maximumDeviation, "metres")
            .meaning("In place of tracking.maximumDeviation; null for as there."),
        .seconds("maximumInterval", \.maximumInterval, Bounds.maximumInterval)
            .meaning("In place of tracking.maximumInterval; null for as there."),
        .seconds("interval", \.interval, Bounds.interval)
            .meaning("In place of tracking.interval; null for as there."),
        .positive("angle", \.angle, upTo: Bounds.angle, "degrees")
            .meaning("In place of tracking.angle; null for as there."),
        .positive("stationaryRadius", \.stationaryRadius, upTo: Bounds.stationaryRadius, "metres")
            .meaning("In place of tracking.stationaryRadius; null for as there."),
        .positive("minimumAccuracy", \.minimumAccuracy, upTo: Bounds.minimumAccuracy, "metres")
            .meaning("In place of tracking.minimumAccuracy; null for as there."),
        .seconds("stillAfter", \.stillAfter, Bounds.stillAfter)
            .meaning("In place of tracking.stillAfter; null for as there."),
        .seconds("standbyAfter", \.standbyAfter, Bounds.standbyAfter)
            .meaning("In place of tracking.standbyAfter; null for as there."),
        .seconds("standbyInterval", \.standbyInterval, Bounds.standbyInterval)
            .meaning("In place of tracking.standbyInterval; null for as there."),
    ]

    private typealias Bounds = RecordingConfiguration.Bounds
}
