internal import Logging

/// A source, and the tracker's resources that its processor uses.
struct SourceProcessorEnvironment: Sendable {
    let source: any FixSource
    let device: DeviceID
    let store: any FixStore
    let watch: MonotonicClock
    let wallClock: @Sendable () -> Timestamp
    let hostStatus: @Sendable () -> HostStatus?
    let logger: Logger
    let publisher: RecordPublisher
    /// Finds events in a source's track; each processor has a copy.
    let detector: (any EventDetector)?
    /// The rules about the source's positions.
    let rules: PositionRules
    /// The kinds of the tracker's own events to record: actions and the power supply.
    let ownEvents: RecordKinds

    /// Whether the source's fixes can be read again from their start.
    var isRecording: Bool { source is any RecordedSource }

    /// Returns the moment at which a fix is received. Where time is the fixes' own, the monotonic clock is not read,
    /// because no code uses the moment.
    var arrival: @Sendable () -> (moment: TrackInstant, wallClock: Timestamp) {
        switch source.timeBase {
        case .arrival: { [watch, wallClock] in (watch.now, wallClock()) }
        case .fixTime: { [wallClock] in (TrackInstant(nanoseconds: 0), wallClock()) }
        }
    }
}
