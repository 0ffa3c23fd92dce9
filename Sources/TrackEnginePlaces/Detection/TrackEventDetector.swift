public import TrackEngine

/// Detects all events of a track: transitions at places, stays, trips and heartbeats.
///
/// ```swift
/// var events = TrackEventDetector.Configuration()
/// events.places = [try Place(id: "depot", name: "Depot", area: .circle(centre: depot, radius: 150))]
/// events.stays = VisitAndTripSettings()
/// var configuration = Tracker.Configuration(device: "van-7", store: store, sources: [source], sinks: [sink])
/// configuration.detector = TrackEventDetector(events, device: "van-7")
/// let tracker = try Tracker(configuration: configuration)
/// ```
///
/// At one fix, transitions are reported first, then stays and trips, then heartbeats.
public struct TrackEventDetector: EventDetector {
    /// The events to detect.
    public struct Configuration: Sendable {
        /// The places with transitions to report, which also name stays and trips.
        public var places: [Place] = []
        /// The assumptions for geofences.
        public var fences = GeofenceConfiguration()
        /// The criteria for stays and trips; `nil` to detect neither.
        public var stays: VisitAndTripSettings?
        /// The interval of heartbeats at rest; `nil` for none.
        public var heartbeat: Duration?

        /// Creates a configuration that detects no events.
        public init() {}

        /// Whether no events are detected.
        public var isEmpty: Bool { places.isEmpty && stays == nil && heartbeat == nil }
    }

    /// The first byte of ``state``.
    private static let version: UInt8 = 1

    private var fences: GeofenceMonitor?
    private var stays: VisitAndTripDetector?
    private var heartbeat: HeartbeatDetector?
    /// The places that contain the object, and the current trip. It is created again when one of them changes.
    public private(set) var context: RecordContext?

    /// Creates a detector without a history.
    ///
    /// - Throws: `ConfigurationError` with all problems of the configuration.
    public init(_ configuration: Configuration, device: DeviceID) throws(ConfigurationError) {
        if !configuration.places.isEmpty {
            fences = try GeofenceMonitor(places: configuration.places, configuration: configuration.fences)
        }
        if let settings = configuration.stays {
            let index = try PlaceIndex(configuration.places)
            stays = try VisitAndTripDetector(settings, device: device) {
                index.smallestPlace(containing: $0)?.reference
            }
        }
        heartbeat = try configuration.heartbeat.map { interval throws(ConfigurationError) in
            try HeartbeatDetector(interval: interval)
        }
    }

    /// The places that contain the object, in the order in which it entered them.
    public var inside: [PlaceName] { fences?.inside ?? [] }

    /// Processes a fix.
    public mutating func observe(_ fix: DetectorFix, report: (DetectorEvent) -> Void) {
        fences?.observe(fix, report: report)
        stays?.observe(fix, report: report)
        heartbeat?.observe(fix, report: report)
        updateContext()
    }

    private mutating func updateContext() {
        context = RecordContext.updated(context, places: inside, trip: stays?.ongoingTrip)
    }

    /// Processes a fix that must not be recorded: the object enters and leaves places without events.
    public mutating func witness(_ fix: DetectorFix) {
        fences?.witness(fix)
        updateContext()
    }

    /// Excludes the hidden time from stays, passes through places and heartbeats.
    public mutating func conceal() {
        fences?.conceal()
        stays?.conceal()
        heartbeat?.conceal()
    }

    /// Advances the time without a fix and reports due events in the order of their times.
    public mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
        // Each step handles an event that was due, and none of the three has more than a few at one time. Heartbeats
        // are not separate steps: after a long gap there is one, not hundreds.
        while let due = [fences?.deadline, stays?.deadline].compactMap(\.self).min(), due <= time {
            heartbeat?.pass(to: due, report: report)
            fences?.pass(to: due, report: report)
            stays?.pass(to: due, report: report)
            if [fences?.deadline, stays?.deadline].compactMap(\.self).min().map({ $0 <= due }) ?? false { break }
        }
        fences?.pass(to: time, report: report)
        stays?.pass(to: time, report: report)
        heartbeat?.pass(to: time, report: report)
        updateContext()
    }

    /// Ends stays and trips at the newest fix, because the recording ends there.
    public mutating func end(report: (DetectorEvent) -> Void) {
        stays?.end(report: report)
        updateContext()
    }

    /// The time at which the next event is due.
    public var deadline: Timestamp? {
        [fences?.deadline, stays?.deadline, heartbeat?.deadline].compactMap(\.self).min()
    }

    /// Begins or ends a trip on request.
    public mutating func perform(_ request: EventRequest, report: (DetectorEvent) -> Void) -> Bool {
        guard stays != nil else { return false }
        defer { updateContext() }
        switch request {
        case .startTrip(let mode):
            stays?.startTrip(mode: mode, report: report)
            return true
        case .stopTrip: return stays?.stopTrip(report: report) ?? false
        }
    }

    // MARK: State

    /// The states of the parts, each after its length; the length is 0 for a missing part.
    public var state: [UInt8] {
        var writer = StateWriter()
        writer.write(Self.version)
        for part in [fences?.state, stays?.state, heartbeat?.state] {
            writer.write(UInt32(part?.count ?? 0))
            writer.write(part ?? [])
        }
        return writer.bytes
    }

    /// Continues from a saved state. A part that is no longer configured loses its state; a new one begins without a
    /// state.
    public mutating func resume(from state: [UInt8]) -> Bool {
        var reader = StateReader(state)
        guard reader.number(UInt8.self) == Self.version, let fences = reader.part(), let stays = reader.part(),
            let heartbeat = reader.part(), reader.isAtEnd
        else { return false }
        var next = self
        let isRead = [
            fences.isEmpty || next.fences?.resume(from: fences) ?? true,
            stays.isEmpty || next.stays?.resume(from: stays) ?? true,
            heartbeat.isEmpty || next.heartbeat?.resume(from: heartbeat) ?? true,
        ]
        guard isRead.allSatisfy(\.self) else { return false }
        self = next
        updateContext()
        return true
    }

    /// Continues with other places or other rules. Knowledge about unchanged places is kept.
    public mutating func goOn(from other: any EventDetector) {
        guard let other = other as? TrackEventDetector else {
            _ = resume(from: other.state)
            return
        }
        if let known = other.fences { fences?.goOn(from: known) }
        if let known = other.stays { stays?.resume(from: known.state) }
        if let known = other.heartbeat { _ = heartbeat?.resume(from: known.state) }
        updateContext()
    }
}

extension StateReader {
    /// Reads a part after its length.
    fileprivate mutating func part() -> [UInt8]? { number(UInt32.self).flatMap { bytes(Int($0)) } }
}
