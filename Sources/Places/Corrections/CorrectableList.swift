import TrackEngine

/// Events of one kind in the order of time, which a correction finds by their ids or by their times without looking at all others.
struct CorrectableList<Event: Correctable> {
    /// How far the beginning of one stay may be told apart with other settings, in seconds.
    private static var tolerance: Double { 600 }

    /// An event as it was found, or what became of it: nothing, or its parts.
    private var slots: [[Event]]
    /// When the events began as they were found.
    private let begins: [Timestamp]
    /// Where each event is that was found or made, whatever has become of it since.
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

    /// The events.
    var events: [Event] { slots.flatMap(\.self) }

    /// Corrects what is meant; returns what was joined of several.
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
        // A part may lie in the slot before.
        for slot in max(firstSlot(from: other.begin) - 1, 0)..<slots.count {
            if let finish = other.finish, begins[slot] > finish { return }
            slots[slot].removeAll { other.covers($0) }
        }
    }

    /// Takes out the events behind one, up to those that begin at a moment.
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

    // MARK: What is meant

    /// The event of the id; only where none has had it, because detection with other settings gave it another one, that of the same
    /// time.
    private func place(of correction: Correction) -> Place? {
        if let slot = slotOfID[correction.id] {
            return slots[slot].firstIndex { $0.id == correction.id }.map { Place(slot: slot, index: $0) }
        }
        return correction.to.map { place(from: correction.from, to: $0) } ?? placeOfOpen(from: correction.from)
    }

    /// The event that fills the same time: half of the longer one of both at least.
    private func place(from: Timestamp, to: Timestamp) -> Place? {
        let length = to.duration(since: from)
        var best: (place: Place, share: Double)?
        // One that begins earlier than its length before is too long; a part may lie in the slot before.
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

    /// The event that began about the same time as one that lasted when it was corrected.
    ///
    /// One that began later may be the next stay instead, where the one that is meant is not known any more. It is the same where
    /// events from before are known.
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

    /// The first slot whose event began at a moment or later.
    private func firstSlot(from time: Timestamp) -> Int {
        var (low, high) = (0, begins.count)
        while low < high {
            let middle = (low + high) / 2
            if begins[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
