internal import Logging

/// The tracker's resources that a lane uses.
struct SourceProcessorEnvironment: Sendable {
    let device: DeviceID
    let store: any FixStore
    let watch: MonotonicClock
    let wallClock: @Sendable () -> Timestamp
    let hostStatus: @Sendable () -> HostStatus?
    let logger: Logger
    let hub: RecordPublisher
    /// Finds events in a source's track; each lane has a copy.
    let detector: (any EventDetector)?
    /// The rules about the source's positions.
    let rules: PositionRules
    /// The kinds of the tracker's own events to record: actions and the power supply.
    let told: RecordKinds

    /// Returns the moment at which a fix is received. Where time is the fixes' own, the monotonic clock is not read,
    /// because no code uses the moment.
    func arrival(_ timeBase: TimeBase) -> @Sendable () -> (moment: TrackInstant, wallClock: Timestamp) {
        switch timeBase {
        case .arrival: { [watch, wallClock] in (watch.now, wallClock()) }
        case .fixTime: { [wallClock] in (TrackInstant(nanoseconds: 0), wallClock()) }
        }
    }
}
