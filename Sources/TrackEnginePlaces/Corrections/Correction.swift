public import TrackEngine

/// A person's correction of a visit or a trip.
///
/// It identifies the event by its id. Its span counts only if no event has the id: detection with other settings may
/// find the same stay under another id, a few minutes earlier or later.
public struct Correction: Sendable, Hashable {
    /// The difference from the detected event.
    public enum Change: Sendable, Hashable {
        /// A visit was at a place with this name.
        case rename(String)
        /// A trip had this mode.
        case mode(TripMode)
        /// The event did not happen.
        case reject
        /// The event and all later ones of its kind, up to the one that begins at a time, are a single one.
        case merge(upTo: Timestamp)
        /// The event ended at a time, and another one began.
        case split(at: Timestamp, SplitPoint?)
    }

    /// The point at which a trip was split.
    public struct SplitPoint: Sendable, Hashable {
        /// The position.
        public let coordinate: Coordinate
        /// The distance from the start of the trip along the way, in metres.
        public let distance: Double

        /// Creates a point.
        public init(coordinate: Coordinate, distance: Double) {
            self.coordinate = coordinate
            self.distance = distance
        }
    }

    /// ``/TrackEngine/RecordKind/visit`` or ``/TrackEngine/RecordKind/trip``.
    public let kind: RecordKind
    /// The event's id, as displayed.
    public let id: EventID
    /// The beginning of the event, as displayed.
    public let from: Timestamp
    /// The end of the event; `nil` if it had not ended.
    public let to: Timestamp?
    /// The change.
    public let change: Change

    /// Creates a correction of an event.
    public init(kind: RecordKind, id: EventID, from: Timestamp, to: Timestamp? = nil, _ change: Change) {
        (self.kind, self.id, self.from, self.to, self.change) = (kind, id, from, to, change)
    }

    /// The problem with the time in the change, given the event as displayed; `nil` if the time fits.
    public var problem: CorrectionProblem? {
        switch change {
        case .merge(let last) where last <= from:
            return CorrectionProblem("expected the last to be a \(kind.name) that begins later than the first")
        case .split(let time, _) where time <= from || to.map { time >= $0 } ?? false:
            let end = to.map { "between \(from) and \($0)" } ?? "after \(from)"
            return CorrectionProblem("expected a moment within the \(kind.name), \(end)")
        case .rename, .mode, .reject, .merge, .split: return nil
        }
    }

    /// The id of the second part of a split event.
    var secondPart: EventID? {
        guard case .split(let time, _) = change else { return nil }
        return EventID(device: DeviceID(rawValue: id.description), kind: kind, beginning: time)
    }

    /// A person's request: a change, or the removal of all changes of an event.
    public enum Order: Sendable, Hashable {
        /// Adds a change.
        case correct(Correction)
        /// Removes all corrections of an event.
        case undo(RecordKind, EventID)
    }
}

/// The reason why a correction was rejected.
public struct CorrectionProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation that was not met.
    public let description: String

    init(_ description: String) { self.description = description }
}
