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
        var visits = visits.sorted { $0.begin < $1.begin }
        var trips = trips.sorted { $0.begin < $1.begin }
        for correction in corrections {
            switch correction.kind {
            case .visit:
                if let joined = correction.apply(to: &visits) { trips.removeAll { joined.covers($0) } }
            case .trip:
                if let joined = correction.apply(to: &trips) { visits.removeAll { joined.covers($0) } }
            case .location, .transition, .action, .heartbeat, .power: break
            }
        }
        return (visits, trips)
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

    /// Corrects events in the order of time; returns what was joined of several.
    fileprivate func apply<Event: Correctable>(to events: inout [Event]) -> Event? {
        guard let index = index(in: events) else { return nil }
        switch change {
        case .reject: events.remove(at: index)
        case .rename, .mode: events[index] = events[index].changed(change)
        case .split(let time, let point):
            guard let secondPart, let parts = events[index].split(at: time, point, secondPart) else { return nil }
            events.replaceSubrange(index...index, with: [parts.0, parts.1])
        case .merge(let last):
            let end = events[index...].prefix { $0.begin <= last }.endIndex
            guard end > index + 1 else { return nil }
            let joined = events[index + 1..<end].reduce(events[index]) { $0.joined(with: $1) }
            events.replaceSubrange(index..<end, with: [joined])
            return joined
        }
        return nil
    }

    /// The event that is meant: that of the id, or the one that fills the same time.
    private func index(in events: [some Correctable]) -> Int? {
        if let index = events.firstIndex(where: { $0.id == id }) { return index }
        let shares = events.indices.map { (index: $0, share: share(of: events[$0])) }
        guard let best = shares.max(by: { $0.share < $1.share }), best.share >= 0.5 else { return nil }
        return best.index
    }

    /// How much of the longer one of two spans both have, from 0 to 1. Of one without an end the beginning alone can be compared.
    private func share(of event: some Correctable) -> Double {
        guard let to, let end = event.finish else {
            let apart = abs(event.begin.duration(since: from) / .seconds(1))
            return apart <= 600 ? 1 - apart / 1200 : 0
        }
        let both = min(to, end).duration(since: max(from, event.begin)) / .seconds(1)
        let longer = max(to.duration(since: from), end.duration(since: event.begin)) / .seconds(1)
        return longer > 0 ? max(0, both / longer) : 0
    }
}
