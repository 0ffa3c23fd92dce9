public import TrackEngine

/// All corrections by people, in the order in which they were made. A value without a clock: the same events always
/// give the same result.
///
/// ```swift
/// let (visits, trips) = book.corrected(visits: found.visits, trips: found.trips)
/// ```
public struct CorrectionLog: Sendable, Hashable {
    /// The largest number of corrections. A repeated correction of the same kind for an event replaces the earlier
    /// one.
    public static let maximumCount = 10_000

    /// The corrections.
    public private(set) var corrections: [Correction] = []

    /// Creates an empty book.
    public init() {}

    /// Restores a correction from a saved book; the book has none of its kind for the event yet.
    mutating func restore(_ correction: Correction) throws(CorrectionProblem) {
        guard corrections.count < Self.maximumCount else {
            throw CorrectionProblem("expected at most \(Self.maximumCount) corrections")
        }
        corrections.append(correction)
    }

    /// Adds a correction, or removes those of an event.
    ///
    /// - Throws: An error if the book is full, or if there is no correction to remove.
    public mutating func take(_ order: Correction.Order) throws(CorrectionProblem) {
        switch order {
        case .correct(let correction):
            corrections.removeAll { $0.isReplaced(by: correction) }
            guard corrections.count < Self.maximumCount else {
                throw CorrectionProblem("expected at most \(Self.maximumCount) corrections")
            }
            corrections.append(correction)
        case .undo(let kind, let id):
            let count = corrections.count
            // Corrections of a part are removed together with the split that created the part.
            var ids: Set<EventID> = [id]
            for correction in corrections where correction.kind == kind && ids.contains(correction.id) {
                if let part = correction.secondPart { ids.insert(part) }
            }
            corrections.removeAll { $0.kind == kind && (ids.contains($0.id) || $0.secondPart == id) }
            guard corrections.count < count else {
                throw CorrectionProblem("expected the id of a \(kind.name) that was corrected")
            }
        }
    }

    /// The events after all corrections, each kind ordered by time.
    ///
    /// - Parameters:
    ///   - visits: The detected visits, one for each id.
    ///   - trips: The detected trips, one for each id.
    public func corrected(visits: [Visit], trips: [Trip]) -> (visits: [Visit], trips: [Trip]) {
        var (visits, trips) = (CorrectableList(visits), CorrectableList(trips))
        for correction in corrections {
            switch correction.kind {
            case .visit: if let joined = visits.apply(correction) { trips.removeAll(within: joined) }
            case .trip: if let joined = trips.apply(correction) { visits.removeAll(within: joined) }
            case .location, .transition, .action, .heartbeat, .power: break
            }
        }
        return (visits.events, trips.events)
    }

    /// A book with some of the corrections, selected with their indexes in this one.
    package func only(_ isWanted: (Correction, Int) -> Bool) -> CorrectionLog {
        var book = CorrectionLog()
        book.corrections = corrections.enumerated().filter { isWanted($1, $0) }.map(\.element)
        return book
    }
}

extension Correction {
    /// Whether another correction makes the same kind of change to the same event.
    fileprivate func isReplaced(by other: Correction) -> Bool {
        guard kind == other.kind, id == other.id else { return false }
        return switch (change, other.change) {
        case (.rename, .rename), (.mode, .mode), (.reject, .reject): true
        case (.merge, .merge): true
        case (.split(let time, _), .split(let new, _)): time == new
        case _: false
        }
    }
}
