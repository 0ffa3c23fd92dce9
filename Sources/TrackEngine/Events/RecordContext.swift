/// Where the object is by name, and which trip is under way: what an event detector knows at a record besides its position.
///
/// It takes one word, and records that know the same share it. There is none where there is nothing to say.
public struct RecordContext: Sendable, Hashable {
    /// So many places a context has at most: the ones entered last of more.
    public static let placeLimit = 16

    private final class Storage: Sendable {
        let places: [PlaceName]
        let trip: CurrentTrip?

        init(_ places: [PlaceName], _ trip: CurrentTrip?) {
            self.places = places
            self.trip = trip
        }
    }

    private let storage: Storage

    /// Makes a context, or none of nothing.
    ///
    /// - Parameters:
    ///   - places: the named places in which the object is, in the order in which it came there.
    ///   - trip: the trip under way, if there is one.
    public init?(places: [PlaceName], trip: CurrentTrip? = nil) {
        guard !places.isEmpty || trip != nil else { return nil }
        storage = Storage(places.count > Self.placeLimit ? Array(places.suffix(Self.placeLimit)) : places, trip)
    }

    /// The named places in which the object is, in the order in which it came there, at most ``placeLimit``.
    public var places: [PlaceName] { storage.places }

    /// The trip under way.
    public var trip: CurrentTrip? { storage.trip }

    /// The context of the same trip in other places or of another trip there; itself where nothing is different, `nil` where nothing is left.
    package static func updated(
        _ context: RecordContext?, places: [PlaceName], trip: CurrentTrip?
    ) -> RecordContext? {
        // The detector's own list is compared by its buffer first: for most fixes nothing is copied or looked at.
        if let context, context.places == places, context.trip == trip { return context }
        let new = RecordContext(places: places, trip: trip)
        return new == context ? context : new
    }

    /// Whether both say the same.
    public static func == (left: RecordContext, right: RecordContext) -> Bool {
        left.storage === right.storage || left.places == right.places && left.trip == right.trip
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(places)
        hasher.combine(trip)
    }
}

/// A trip that has begun and not ended, as far as it does not change from fix to fix.
public struct CurrentTrip: Sendable, Hashable, Identifiable {
    /// The same as in every record of kind ``RecordKind/trip`` of this trip.
    public let id: EventID
    /// How the object travels; of a trip that began by itself what its speed says so far.
    public let mode: TripMode
    /// Where and when it began.
    public let start: Trip.Terminus
    /// What began it.
    public let startedBy: Trip.Trigger
    /// What the odometer showed where it began, in metres.
    public let odometerAtStart: Double

    /// Makes a trip.
    public init(
        id: EventID, mode: TripMode, start: Trip.Terminus, startedBy: Trip.Trigger, odometerAtStart: Double
    ) {
        self.id = id
        self.mode = mode
        self.start = start
        self.startedBy = startedBy
        self.odometerAtStart = odometerAtStart
    }

    /// The way travelled so far, in metres.
    ///
    /// - Parameter odometer: what the odometer shows now, in metres, such as ``TrackRecord/odometer``.
    public func distance(at odometer: Double) -> Double { max(0, odometer - odometerAtStart) }
}
