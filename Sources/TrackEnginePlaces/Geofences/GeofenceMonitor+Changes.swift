import TrackEngine

extension GeofenceMonitor {
    /// The changes that a fix causes; empty for most fixes, and then without an allocation.
    struct Outcome {
        /// A place that was passed or entered.
        struct Entry {
            let place: Int
            /// The share of the way from the fix before; 1 for a place that contains the fix itself.
            let share: Double
            /// Whether the object is outside again.
            let isLeft: Bool
        }

        /// The places that the object left.
        var left: [Int] = []
        /// The places that the object entered.
        var entered: [Entry] = []
        /// The places in which the object was found, and those in which it may be.
        var found: [Int] = []
        var unclear: [Int] = []
        /// Whether unseen or undecided places must be updated.
        var decides = false

        var isEmpty: Bool { left.isEmpty && entered.isEmpty && found.isEmpty && !decides }
    }

    func accuracy(_ accuracy: Double?) -> Double { max(accuracy ?? configuration.assumedAccuracy, 1) }

    func isPresent(_ place: Int) -> Bool {
        var index = 0
        while index < presences.count {
            if presences[index].place == place { return true }
            index += 1
        }
        return false
    }

    /// Adds the places that the object has left.
    func findLeft(_ here: SavedFix, _ changes: inout Outcome) {
        var position = 0
        while position < presences.count {
            let place = presences[position].place
            // The distance is enough to decide that the object is outside; the share of the disc inside is
            // irrelevant here.
            let distance = index.places[place].area.distance(from: here.point)
            if distance > accuracy(here.accuracy) + index.places[place].hysteresis { changes.left.append(place) }
            position += 1
        }
    }

    /// Adds the places that the object has entered or passed, or in which it is found.
    func findEntered(_ here: SavedFix, after last: SavedFix?, _ changes: inout Outcome) {
        let accuracy = accuracy(here.accuracy)
        let pass = last.flatMap { self.pass(from: $0, to: here) }
        let isLookingAround = unseen != .none
        let margin = max(accuracy, pass?.accuracy ?? 0) + (isLookingAround ? index.maximumHysteresis : 0)
        var search = PlaceSearch(
            SpaceBox(from: pass?.from ?? here.point, to: here.point, margin: margin), in: index)
        while let place = search.next(in: index) {
            if !isPresent(place), !undecided.contains(place) { look(at: place, here, accuracy, pass, &changes) }
        }
        changes.decides = isLookingAround
        decide(here, accuracy, &changes)
    }

    /// Tests a place in which the object is not known to be.
    private func look(
        at place: Int, _ here: SavedFix, _ accuracy: Double, _ pass: GeofencePath?, _ changes: inout Outcome
    ) {
        let standing = standing(at: place, here, accuracy)
        if unseen.contains(place) {
            switch standing {
            case .inside: changes.found.append(place)
            case .unclear: changes.unclear.append(place)
            case .outside: break
            }
        } else if standing == .inside {
            changes.entered.append(Outcome.Entry(place: place, share: 1, isLeft: false))
        } else if let share = pass?.share(inside: index.places[place].area) {
            changes.entered.append(Outcome.Entry(place: place, share: share, isLeft: standing == .outside))
        }
    }

    private func standing(at place: Int, _ here: SavedFix, _ accuracy: Double) -> GeofenceState {
        GeofenceRule.standing(
            of: index.places[place].area, hysteresis: index.places[place].hysteresis, at: here.point,
            accuracy: accuracy)
    }

    /// Tests the places again that no fix has decided yet.
    private func decide(_ here: SavedFix, _ accuracy: Double, _ changes: inout Outcome) {
        var position = 0
        while position < undecided.count {
            let place = undecided[position]
            switch standing(at: place, here, accuracy) {
            case .inside:
                changes.found.append(place)
                changes.decides = true
            case .outside: changes.decides = true
            case .unclear: changes.unclear.append(place)
            }
            position += 1
        }
    }

    /// The way between two fixes, if it is known.
    private func pass(from last: SavedFix, to here: SavedFix) -> GeofencePath? {
        let gap = here.time.duration(since: last.time)
        guard gap > .zero, gap <= configuration.maximumGap else { return nil }
        let squared = last.point.squaredChord(to: here.point)
        guard squared <= configuration.maximumStep * configuration.maximumStep else { return nil }
        return GeofencePath(
            from: last.point, to: here.point, accuracy: max(accuracy(last.accuracy), accuracy(here.accuracy)))
    }

    /// Applies the changes and reports them.
    mutating func apply(_ changes: Outcome, _ fix: Fix, _ report: (DetectorEvent) -> Void) {
        for place in changes.left {
            let isHidden = presences.contains { $0.place == place && $0.isHidden }
            presences.removeAll { $0.place == place }
            if !isHidden { tell(.leave, place, at: fix, report) }
        }
        for entry in changes.entered.sorted(by: { ($0.share, $0.place) < ($1.share, $1.place) }) {
            tell(.enter, entry.place, at: fix, report)
            if entry.isLeft {
                tell(.leave, entry.place, at: fix, report)
            } else {
                presences.append(Presence(place: entry.place, since: fix.time, hasDwelt: false))
            }
        }
        for place in changes.found.sorted() {
            presences.append(Presence(place: place, since: fix.time, hasDwelt: false))
        }
        if changes.decides {
            undecided = changes.unclear.sorted()
            unseen = .none
        }
        updateInside()
    }
}
