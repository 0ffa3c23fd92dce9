public import TrackEngine

/// What a person has put right of a visit or a trip.
///
/// It names the event by its id. Its span counts only where no event has the id: detection with other settings may find the same stay
/// under another one, a few minutes earlier or later.
public struct Correction: Sendable, Hashable {
    /// What is different from what was found.
    public enum Change: Sendable, Hashable {
        /// A visit was at a place of this name.
        case rename(String)
        /// A trip was made in this way.
        case mode(TripMode)
        /// There was nothing.
        case reject
        /// It and all later ones of its kind up to that which begins at a moment are one.
        case merge(upTo: Timestamp)
        /// At a moment it ended, and another one began.
        case split(at: Timestamp, SplitPoint?)
    }

    /// Where a trip was divided.
    public struct SplitPoint: Sendable, Hashable {
        /// The place.
        public let coordinate: Coordinate
        /// How far it is from the start of the trip, along the way, in metres.
        public let distance: Double

        /// Makes a point.
        public init(coordinate: Coordinate, distance: Double) {
            self.coordinate = coordinate
            self.distance = distance
        }
    }

    /// ``/TrackEngine/RecordKind/visit`` or ``/TrackEngine/RecordKind/trip``.
    public let kind: RecordKind
    /// The event's id, as it was shown.
    public let id: EventID
    /// When the event began, as it was shown.
    public let from: Timestamp
    /// When it ended; absent if it had not.
    public let to: Timestamp?
    /// What is different.
    public let change: Change

    /// Corrects an event.
    public init(kind: RecordKind, id: EventID, from: Timestamp, to: Timestamp? = nil, _ change: Change) {
        (self.kind, self.id, self.from, self.to, self.change) = (kind, id, from, to, change)
    }

    /// What is wrong with the moment that the change names, seen from the event as it was shown; `nil` where it fits.
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

    /// The id of the second part of an event that is split.
    var secondPart: EventID? {
        guard case .split(let time, _) = change else { return nil }
        return EventID(device: DeviceID(rawValue: id.description), kind: kind, beginning: time)
    }

    /// What a person wants: a change, or that all changes of an event are taken back.
    public enum Order: Sendable, Hashable {
        /// One more change.
        case correct(Correction)
        /// What was corrected of an event is taken back.
        case undo(RecordKind, EventID)
    }
}

/// Why a correction was not taken.
public struct CorrectionProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected.
    public let description: String

    init(_ description: String) { self.description = description }
}
