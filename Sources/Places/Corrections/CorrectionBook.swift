public import TrackEngine

/// All that people have put right, in the order in which they said it. A value without a clock: what it makes of the same events is
/// always the same.
///
/// ```swift
/// let (visits, trips) = book.corrected(visits: found.visits, trips: found.trips)
/// ```
public struct CorrectionBook: Sendable, Hashable {
    /// The most corrections; one of an event that was corrected before in the same way takes the former's place.
    public static let maximumCount = 10_000

    /// The corrections.
    public private(set) var corrections: [Correction] = []

    /// Nothing is corrected.
    public init() {}

    /// Takes a correction that a book had; there is none of its kind before it.
    mutating func restore(_ correction: Correction) throws(CorrectionProblem) {
        guard corrections.count < Self.maximumCount else {
            throw CorrectionProblem("expected at most \(Self.maximumCount) corrections")
        }
        corrections.append(correction)
    }

    /// Takes a correction, or takes back those of an event.
    ///
    /// - Throws: when the book is full, or when there is nothing to take back.
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
            // What was said of a part goes with the division that made the part.
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

    /// The events as people want them, each kind in the order of time.
    ///
    /// - Parameters:
    ///   - visits: what was found, one for each id.
    ///   - trips: the same.
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

    /// A book of some of the corrections, by their place in this one.
    package func only(_ isWanted: (Correction, Int) -> Bool) -> CorrectionBook {
        var book = CorrectionBook()
        book.corrections = corrections.enumerated().filter { isWanted($1, $0) }.map(\.element)
        return book
    }
}

extension Correction {
    /// Whether another correction says the same thing of the same event anew.
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
