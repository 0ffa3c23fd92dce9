import TrackEngine

/// The values of an event that templates can name.
extension RecordContent {
    var transition: Transition? { if case .transition(let transition) = self { transition } else { nil } }

    var trip: Trip? { if case .trip(let trip) = self { trip } else { nil } }

    private var visit: Visit? { if case .visit(let visit) = self { visit } else { nil } }

    /// The named place: that of a transition or a visit, or the destination of a trip.
    var place: PlaceName? { transition?.place ?? visit?.place ?? trip?.end?.place }

    /// The id that the records of one visit or trip share.
    var eventID: EventID? { visit?.id ?? trip?.id }

    /// The arrival, or the start of a trip.
    var begin: Timestamp? { visit?.arrival ?? trip?.start.time }

    /// The departure, or the end of a trip.
    var end: Timestamp? { visit?.departure ?? trip?.end?.time }
}
