public import TrackEngine

/// All that can be found in a track: places entered and left, stays, trips, heartbeats.
///
/// ```swift
/// var events = TrackEventDetector.Configuration()
/// events.places = [try Place(id: "depot", name: "Depot", area: .circle(centre: depot, radius: 150))]
/// events.stays = StayAndTripSettings()
/// let tracker = try Tracker(
///     device: "van-7", store: store, sources: [source], sinks: [sink],
///     detector: TrackEventDetector(events, device: "van-7"))
/// ```
///
/// At one fix, places come first, then stays and trips, then heartbeats.
public struct TrackEventDetector: EventDetector {
    /// What is looked for.
    public struct Configuration: Sendable {
        /// Places whose entering and leaving is told, and which stays and trips are named by.
        public var places: [Place] = []
        /// What the fences take for granted.
        public var fences = GeofenceConfiguration()
        /// What counts as a stay and as a trip; absent where neither is looked for.
        public var stays: StayAndTripSettings?
        /// The time between signs of life at rest; absent for none.
        public var heartbeat: Duration?

        /// Nothing is looked for.
        public init() {}

        /// Whether anything is looked for.
        public var isEmpty: Bool { places.isEmpty && stays == nil && heartbeat == nil }
    }

    /// The first byte of ``state``.
    private static let version: UInt8 = 1

    private var fences: GeofenceMonitor?
    private var stays: StayAndTripDetector?
    private var heartbeat: HeartbeatDetector?
    /// The places in which the object is, and the trip under way. It is made anew when one of them is different.
    public private(set) var context: RecordContext?

    /// A detector at its beginning.
    ///
    /// - Throws: `ConfigurationError` with all that is wrong with the configuration.
    public init(_ configuration: Configuration, device: DeviceID) throws(ConfigurationError) {
        if !configuration.places.isEmpty {
            fences = try GeofenceMonitor(places: configuration.places, configuration: configuration.fences)
        }
        if let settings = configuration.stays {
            let index = try PlaceIndex(configuration.places)
            stays = try StayAndTripDetector(settings, device: device) {
                index.smallestPlace(containing: $0)?.reference
            }
        }
        heartbeat = try configuration.heartbeat.map { interval throws(ConfigurationError) in
            try HeartbeatDetector(interval: interval)
        }
    }

    /// The places in which the object is, in the order in which it came there.
    public var inside: [PlaceName] { fences?.inside ?? [] }

    /// Looks at a fix.
    public mutating func observe(_ fix: ObservedFix, report: (DetectedEvent) -> Void) {
        fences?.observe(fix, report: report)
        stays?.observe(fix, report: report)
        heartbeat?.observe(fix, report: report)
        updateContext()
    }

    private mutating func updateContext() {
        context = RecordContext.updated(context, places: inside, trip: stays?.ongoingTrip)
    }

    /// Looks at a fix that must not be recorded: places are entered and left, and nothing is told of it.
    public mutating func witness(_ fix: ObservedFix) {
        fences?.witness(fix)
        updateContext()
    }

    /// No stay, no pass through a place and no heartbeat is of the time that is concealed.
    public mutating func conceal() {
        fences?.conceal()
        stays?.conceal()
        heartbeat?.conceal()
    }

    /// Lets time pass without a fix: what falls due, in the order of its time.
    public mutating func pass(to time: Timestamp, report: (DetectedEvent) -> Void) {
        // Each step lets something fall due that was due, and none of the three has more than a few at one time.
        // Heartbeats are no steps of their own: after a long gap there is one and not hundreds.
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

    /// Ends stays and trips at the newest fix: the recording ends there.
    public mutating func end(report: (DetectedEvent) -> Void) {
        stays?.end(report: report)
        updateContext()
    }

    /// When something falls due next.
    public var deadline: Timestamp? {
        [fences?.deadline, stays?.deadline, heartbeat?.deadline].compactMap(\.self).min()
    }

    /// Begins or ends a trip by hand.
    public mutating func perform(_ request: EventRequest, report: (DetectedEvent) -> Void) -> Bool {
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

    /// The states of the parts, each behind its length; one that is not there has none.
    public var state: [UInt8] {
        var writer = StateWriter()
        writer.write(Self.version)
        for part in [fences?.state, stays?.state, heartbeat?.state] {
            writer.write(UInt32(part?.count ?? 0))
            writer.write(part ?? [])
        }
        return writer.bytes
    }

    /// Goes on from a kept state. A part that is not looked for any more loses what it knew; one that is new begins.
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
}

extension TrackEventDetector {
    /// Goes on with other places or other rules. What is known of places that are the same stays known.
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
    /// A part behind its length.
    fileprivate mutating func part() -> [UInt8]? { number(UInt32.self).flatMap { bytes(Int($0)) } }
}
