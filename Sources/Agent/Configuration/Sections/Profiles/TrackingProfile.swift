package import TrackEngine

/// The amount of recording while a rule is in force.
package enum TrackingProfile: String, Sendable, Hashable, CaseIterable {
    /// No recording; waiting records are still delivered.
    case off
    /// The section `tracking` with the values of `profiles.coarse`.
    case coarse
    /// The section `tracking` with the values of `profiles.fine`.
    case fine
    /// The section `tracking` unchanged.
    case normal
}

/// The values of a profile in place of those of the section `tracking`; absent values are as configured there.
package struct TrackingChanges: Sendable, Hashable {
    package var desiredAccuracy: DesiredAccuracy?
    package var record: RecordingRule?
    package var distanceFilter: Int?
    package var disableSpeedMultiplier: Bool?
    package var speedMultiplier: Double?
    package var maximumThreshold: Double?
    package var maximumDeviation: Double?
    package var maximumInterval: Duration?
    package var interval: Duration?
    package var angle: Double?
    package var stationaryRadius: Double?
    package var minimumAccuracy: Double?
    package var stillAfter: Duration?
    package var standbyAfter: Duration?
    package var standbyInterval: Duration?

    /// No changes.
    package init() {}

    /// A point every 200 m, from a receiver that may sleep for ten seconds on the way and for two minutes at rest.
    package static var coarse: TrackingChanges {
        var changes = TrackingChanges()
        changes.desiredAccuracy = .kilometer
        changes.record = .distance
        changes.distanceFilter = 200
        changes.disableSpeedMultiplier = true
        changes.standbyInterval = .seconds(120)
        return changes
    }

    /// A point every 5 m at any speed.
    package static var fine: TrackingChanges {
        var changes = TrackingChanges()
        changes.desiredAccuracy = .best
        changes.record = .distance
        changes.distanceFilter = 5
        changes.disableSpeedMultiplier = true
        return changes
    }

    /// The configuration with these values in place of its own.
    package func applied(to configuration: RecordingConfiguration) -> RecordingConfiguration {
        var next = configuration
        func put<Value>(_ value: Value?, _ path: WritableKeyPath<RecordingConfiguration, Value>) {
            if let value { next[keyPath: path] = value }
        }
        put(desiredAccuracy, \.desiredAccuracy)
        put(record, \.record)
        put(distanceFilter, \.distanceFilter)
        put(disableSpeedMultiplier, \.disableSpeedMultiplier)
        put(speedMultiplier, \.speedMultiplier)
        put(maximumThreshold.map(Optional.some), \.maximumThreshold)
        put(maximumDeviation, \.maximumDeviation)
        put(maximumInterval, \.maximumInterval)
        put(interval.map(Optional.some), \.interval)
        put(angle.map(Optional.some), \.angle)
        put(stationaryRadius, \.stationaryRadius)
        put(minimumAccuracy.map(Optional.some), \.minimumAccuracy)
        put(stillAfter, \.stillAfter)
        put(standbyAfter, \.standbyAfter)
        put(standbyInterval, \.standbyInterval)
        return next
    }
}
