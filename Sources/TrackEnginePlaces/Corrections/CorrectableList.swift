import TrackEngine

/// Events of one kind, ordered by time. A correction finds its event by id or time without a scan of all events.
struct CorrectableList<Event: Correctable> {
    /// The largest difference between the beginnings of one stay that is detected with different settings, in
    /// seconds.
    private static var tolerance: Double { 600 }

    /// The remaining parts of each detected event: the event itself, its parts, or none.
    private var slots: [[Event]]
    /// The beginnings of the detected events.
    private let begins: [Timestamp]
    /// The slot of each detected or created event, even if the event was changed later.
    private var slotOfID: [EventID: Int] = [:]

    private struct Place {
        let slot: Int
        let index: Int
    }

    init(_ events: [Event]) {
        let sorted = events.sorted { $0.begin < $1.begin }
        slots = sorted.map { [$0] }
        begins = sorted.map(\.begin)
        for (slot, event) in sorted.enumerated() where slotOfID[event.id] == nil { slotOfID[event.id] = slot }
    }

    /// The corrected events.
    var events: [Event] { slots.flatMap(\.self) }

    /// Applies a correction to its event. Returns the joined event after a merge.
    mutating func apply(_ correction: Correction) -> Event? {
        guard let place = place(of: correction) else { return nil }
        let event = slots[place.slot][place.index]
        switch correction.change {
        case .reject: slots[place.slot].remove(at: place.index)
        case .rename, .mode: slots[place.slot][place.index] = event.changed(correction.change)
        case .split(let time, let point):
            guard let second = correction.secondPart, let parts = event.split(at: time, point, second) else {
                return nil
            }
            slots[place.slot].replaceSubrange(place.index...place.index, with: [parts.0, parts.1])
            slotOfID[second] = place.slot
        case .merge(let last):
            let others = takeAll(after: place, upTo: last)
            guard !others.isEmpty else { return nil }
            let joined = others.reduce(event) { $0.joined(with: $1) }
            slots[place.slot][place.index] = joined
            return joined
        }
        return nil
    }

    /// Removes the events that lie within one of another kind.
    mutating func removeAll(within other: some Correctable) {
        // A part may be in the slot before.
        for slot in max(firstSlot(from: other.begin) - 1, 0)..<slots.count {
            if let finish = other.finish, begins[slot] > finish { return }
            slots[slot].removeAll { other.covers($0) }
        }
    }

    /// Removes and returns the events after one, up to those that begin at a time.
    private mutating func takeAll(after place: Place, upTo last: Timestamp) -> [Event] {
        var taken: [Event] = []
        var (slot, index) = (place.slot, place.index + 1)
        while slot < slots.count, slot == place.slot || begins[slot] <= last {
            while index < slots[slot].count {
                guard slots[slot][index].begin <= last else { return taken }
                taken.append(slots[slot].remove(at: index))
            }
            (slot, index) = (slot + 1, 0)
        }
        return taken
    }

    // MARK: Finding the event

    /// The event with the correction's id. Only if no event has had the id, because detection with other settings
    /// assigned another one, the event of the same time.
    private func place(of correction: Correction) -> Place? {
        if let slot = slotOfID[correction.id] {
            return slots[slot].firstIndex { $0.id == correction.id }.map { Place(slot: slot, index: $0) }
        }
        return correction.to.map { place(from: correction.from, to: $0) } ?? placeOfOpen(from: correction.from)
    }

    /// The event with the largest overlap in time, which must be at least half of the longer span of both.
    private func place(from: Timestamp, to: Timestamp) -> Place? {
        let length = to.duration(since: from)
        var best: (place: Place, share: Double)?
        // An event that begins more than its own length earlier is too long; a part may be in the slot before.
        for slot in max(firstSlot(from: from.advanced(by: .zero - length)) - 1, 0)..<slots.count {
            guard begins[slot] < to else { break }
            for (index, event) in slots[slot].enumerated() {
                guard let end = event.finish else { continue }
                let both = min(to, end).duration(since: max(from, event.begin))
                let share = both / max(length, end.duration(since: event.begin))
                if share >= 0.5, share > best?.share ?? 0 { best = (Place(slot: slot, index: index), share) }
            }
        }
        return best?.place
    }

    /// The event that began at about the same time as one that was not complete when it was corrected.
    ///
    /// An event that began later counts only if events from before are known. Otherwise it may be the next stay,
    /// because the intended one is no longer available.
    private func placeOfOpen(from: Timestamp) -> Place? {
        var best: (place: Place, apart: Double)?
        for slot in firstSlot(from: from.advanced(by: .seconds(-Self.tolerance)))..<slots.count {
            guard begins[slot] <= from || slot > 0 && begins[0] < from else { break }
            for (index, event) in slots[slot].enumerated() {
                let apart = event.begin.duration(since: from) / .seconds(1)
                guard apart <= Self.tolerance else { return best?.place }
                let isOver = event.finish.map { $0 <= from } ?? false
                if !isOver, abs(apart) < best?.apart ?? .infinity {
                    best = (Place(slot: slot, index: index), abs(apart))
                }
            }
        }
        return best?.place
    }

    /// The first slot with an event that began at a time or later.
    private func firstSlot(from time: Timestamp) -> Int {
        var (low, high) = (0, begins.count)
        while low < high {
            let middle = (low + high) / 2
            if begins[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
