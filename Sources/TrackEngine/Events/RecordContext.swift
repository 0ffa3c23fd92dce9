/// The named places in which the object is and the trip under way, as an event detector knows them at a record.
///
/// A context takes one word, and records with equal contexts share it. There is no empty context.
public struct RecordContext: Sendable, Hashable {
    /// The maximum number of places in a context; of more, it contains those entered last.
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

    /// Creates a context, or `nil` without places and trip.
    ///
    /// - Parameters:
    ///   - places: the named places in which the object is, in the order of entering.
    ///   - trip: the trip under way, if there is one.
    public init?(places: [PlaceName], trip: CurrentTrip? = nil) {
        guard !places.isEmpty || trip != nil else { return nil }
        storage = Storage(places.count > Self.placeLimit ? Array(places.suffix(Self.placeLimit)) : places, trip)
    }

    /// The named places in which the object is, in the order of entering, at most ``placeLimit``.
    public var places: [PlaceName] { storage.places }

    /// The trip under way.
    public var trip: CurrentTrip? { storage.trip }

    /// Returns a context with these places and this trip: the given one if it is equal, `nil` if there are neither.
    package static func updated(
        _ context: RecordContext?, places: [PlaceName], trip: CurrentTrip?
    ) -> RecordContext? {
        // The detector's own list is compared by its buffer first: most fixes need no copy and no comparison of
        // elements.
        if let context, context.places == places, context.trip == trip { return context }
        let new = RecordContext(places: places, trip: trip)
        return new == context ? context : new
    }

    /// Whether both have the same places and trip.
    public static func == (left: RecordContext, right: RecordContext) -> Bool {
        left.storage === right.storage || left.places == right.places && left.trip == right.trip
    }

    /// Hashes places and trip.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(places)
        hasher.combine(trip)
    }
}

/// The properties of a trip under way that do not change from fix to fix.
public struct CurrentTrip: Sendable, Hashable, Identifiable {
    /// The same id as in every record of kind ``RecordKind/trip`` of this trip.
    public let id: EventID
    /// The mode of travel; for a trip that began automatically, the mode that its speed suggests so far.
    public let mode: TripMode
    /// The position and time at which it began.
    public let start: Trip.End
    /// The trigger that began it.
    public let startedBy: Trip.Reason
    /// The odometer where it began, in metres.
    public let odometerAtStart: Double

    /// Creates a trip.
    public init(
        id: EventID, mode: TripMode, start: Trip.End, startedBy: Trip.Reason, odometerAtStart: Double
    ) {
        self.id = id
        self.mode = mode
        self.start = start
        self.startedBy = startedBy
        self.odometerAtStart = odometerAtStart
    }

    /// Returns the distance travelled so far, in metres.
    ///
    /// - Parameter odometer: the present odometer, in metres, such as ``TrackRecord/odometer``.
    public func distance(at odometer: Double) -> Double { max(0, odometer - odometerAtStart) }
}
