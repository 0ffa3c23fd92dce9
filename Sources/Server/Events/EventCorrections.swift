package import TrackEngine
package import TrackEngineHistory
import TrackEngineSettings

/// What people have corrected of visits and trips, in the order in which they said it.
///
/// The history keeps what was found; this is laid over it when somebody looks. Applied to what is corrected already it changes
/// nothing.
package struct EventCorrections: Sendable, Hashable {
    /// What is different.
    enum Change: Sendable, Hashable {
        /// A visit's place has this name.
        case rename(String)
        /// A trip was made in this mode.
        case mode(TripMode)
        /// It was none.
        case reject
        /// A later one of the same kind belongs to it.
        case merge(EventID)
        /// It is two from a moment on.
        case split(Timestamp)
    }

    private struct Correction: Sendable, Hashable {
        let kind: RecordKind
        let id: EventID
        let change: Change
    }

    private let corrections: [Correction]

    /// No corrections.
    package init() { corrections = [] }

    /// Reads what ``/TrackEngineSettings/PlaceKeeping/corrections()`` returns; what cannot be read is passed over.
    package init(_ json: [UInt8]) {
        let list = JSONValue(ifReadable: json)?["corrections"]?.array ?? []
        corrections = list.compactMap { entry in
            guard let kind = entry["kind"]?.string.flatMap(RecordKind.init(name:)), let id = EventID(entry["id"]),
                let change = entry["change"].flatMap(Change.init)
            else { return nil }
            return Correction(kind: kind, id: id, change: change)
        }
    }

    package var isEmpty: Bool { corrections.isEmpty }

    /// The ids of events that are needed beside some: of each merge of which one part is there, the other.
    package func partners(of events: [HistoryEvent]) -> [EventID] {
        var known = Set(events.map(\.id))
        var partners: [EventID] = []
        for correction in corrections {
            guard case .merge(let other) = correction.change else { continue }
            for (here, there) in [(correction.id, other), (other, correction.id)]
            where known.contains(here) && known.insert(there).inserted {
                partners.append(there)
            }
        }
        return partners
    }

    /// The moments at which some events are split.
    package func splits(of events: [HistoryEvent]) -> [Timestamp] {
        let known = Set(events.map(\.id))
        return corrections.compactMap { correction in
            guard case .split(let time) = correction.change, known.contains(correction.id) else { return nil }
            return time
        }
    }

    /// Events as they are with the corrections, in the order of their beginnings, and those that were rejected.
    ///
    /// - Parameters:
    ///   - events: as they were found.
    ///   - places: where the device was at the moments of ``splits(of:)``, as far as that is known.
    package func apply(
        to events: [HistoryEvent], places: [Timestamp: Coordinate] = [:]
    ) -> (kept: [HistoryEvent], rejected: [HistoryEvent]) {
        var known = Dictionary(events.map { ($0.id, $0) }) { first, _ in first }
        var rejected: [HistoryEvent] = []
        for correction in corrections {
            guard let event = known[correction.id], event.recordContent.kind == correction.kind else { continue }
            switch correction.change {
            case .rename(let name): known[event.id] = event.renamed(name)
            case .mode(let mode): known[event.id] = event.travelled(by: mode)
            case .reject:
                known[event.id] = nil
                rejected.append(event)
            case .merge(let id):
                guard let other = known[id], let merged = event.merged(with: other) else { continue }
                known[id] = nil
                known[event.id] = merged
            case .split(let time):
                guard let (first, second) = event.split(at: time, place: places[time]) else { continue }
                known[first.id] = first
                known[second.id] = second
            }
        }
        func sorted(_ events: some Sequence<HistoryEvent>) -> [HistoryEvent] {
            events.sorted { ($0.begin, $0.id.rawValue) < ($1.begin, $1.id.rawValue) }
        }
        return (sorted(known.values), sorted(rejected))
    }
}

extension EventCorrections.Change {
    /// Reads one of `{"rename"}`, `{"mode"}`, `{"reject"}`, `{"merge"}` and `{"split"}`.
    fileprivate init?(_ json: JSONValue) {
        if let name = json["rename"]?.string {
            self = .rename(name)
        } else if let mode = json["mode"]?.string.flatMap(TripMode.init(name:)) {
            self = .mode(mode)
        } else if json["reject"]?.boolean == true {
            self = .reject
        } else if let id = EventID(json["merge"]) {
            self = .merge(id)
        } else if let time = json["split"]?.string.flatMap({ Timestamp(rfc3339: $0) }) {
            self = .split(time)
        } else {
            return nil
        }
    }
}

extension EventID {
    fileprivate init?(_ json: JSONValue?) {
        guard let id = json?.string.flatMap({ RecordID($0) }) else { return nil }
        self.init(rawValue: id.rawValue)
    }
}
