import TrackEngine

extension GeofenceMonitor {
    /// The version of the state's format. Earlier versions are read as well: version 1 has no doubtful fix, version
    /// 2 no altitude, speed and single places, version 3 no hidden stays.
    private static let version: UInt8 = 4
    /// The largest number of stays in the state: 640 of at most 76 bytes are 48 640. If there are more, the oldest
    /// are saved.
    private static let maximumPresences = 640
    /// The largest number of places for which the state records individually whether they are known: the state is
    /// saved with each record.
    private static let maximumKnown = 256

    /// The places that contain the object, since when, and for which places this is known. 67 bytes, 51 more for a
    /// doubtful fix, 12 plus the id for each place that contains the object, and 4 for each of at most 256 places.
    public var state: [UInt8] {
        var writer = StateWriter()
        writer.write(Self.version)
        let isSettled = unseen == .none && undecided.isEmpty && presences.count <= Self.maximumPresences
        writer.write(isPresent: isSettled)
        writer.write(index.signature)
        for fix in [last, doubtful] {
            writer.write(isPresent: fix != nil)
            fix?.write(to: &writer)
        }
        let presences = presences.prefix(Self.maximumPresences)
        writer.write(UInt16(presences.count))
        for presence in presences {
            writer.write(index.places[presence.place].id)
            writer.write(presence.since)
            writer.write(isPresent: presence.hasDwelt)
            writer.write(isPresent: presence.isHidden)
        }
        let known = places.count > Self.maximumKnown ? [] : places.indices.filter(isSeen)
        writer.write(UInt16(known.count))
        for place in known { writer.write(UInt32(truncatingIfNeeded: index.places[place].signature)) }
        return writer.bytes
    }

    /// Continues from a saved state.
    ///
    /// The object remains in the places that still exist, by their id. It is outside of all others with an unchanged
    /// area, so that places entered meanwhile are reported. It may be found in a new place, as at the start, unless
    /// the newest fix lies outside of that. With more than 256 places, one that is new or different makes all others
    /// new.
    @discardableResult
    public mutating func resume(from state: [UInt8]) -> Bool {
        var reader = StateReader(state)
        guard let version = reader.number(UInt8.self), (1...Self.version).contains(version),
            let isSettled = reader.isPresent(), let signature = reader.number(UInt64.self),
            let last = SavedFix.optional(from: &reader, version),
            let doubtful = version < 2 ? .some(nil) : SavedFix.optional(from: &reader, version),
            let kept = Self.stays(&reader, version), let known = version < 3 ? [] : Self.known(&reader), reader.isAtEnd
        else { return false }
        let isSame = isSettled && signature == index.signature
        goOn(kept, last, last == nil ? nil : doubtful) {
            isSame || known.contains(UInt32(truncatingIfNeeded: $0.signature))
        }
        return true
    }

    /// Continues from the state of another monitor, which may watch other places.
    package mutating func goOn(from other: GeofenceMonitor) {
        let indices = Dictionary(zip(other.places.map(\.id), 0...), uniquingKeysWith: { first, _ in first })
        let stays = other.presences.map {
            SavedPresence(
                id: other.places[$0.place].id, since: $0.since, hasDwelt: $0.hasDwelt, isHidden: $0.isHidden)
        }
        goOn(stays, other.last, other.doubtful) { place in
            indices[place.id].map { other.places[$0].area == place.area && other.isSeen($0) } ?? false
        }
    }

    private mutating func goOn(
        _ stays: [SavedPresence], _ last: SavedFix?, _ doubtful: SavedFix?, isSeen: (Place) -> Bool
    ) {
        presences = located(stays)
        (self.last, self.doubtful, undecided) = (last, doubtful, [])
        let present = Set(presences.map(\.place))
        let isUnseen = places.indices.map { place in
            !present.contains(place) && !isSeen(places[place])
                && !(last.map { isOutside($0, of: places[place]) } ?? false)
        }
        unseen = isUnseen.contains(true) ? .some(isUnseen) : .none
        updateInside()
    }

    private func isOutside(_ fix: SavedFix, of place: Place) -> Bool {
        place.area.distance(from: fix.point) > accuracy(fix.accuracy) + place.hysteresis
    }

    /// Whether it is known for a place, by its index, if the object is inside.
    private func isSeen(_ place: Int) -> Bool { !unseen.contains(place) && !undecided.contains(place) }

    /// A saved stay.
    private struct SavedPresence {
        let id: String
        let since: Timestamp
        let hasDwelt: Bool
        let isHidden: Bool
    }

    /// The signatures of the places for which it was known whether the object is inside.
    private static func known(_ reader: inout StateReader) -> Set<UInt32>? {
        guard let count = reader.number(UInt16.self) else { return nil }
        var known: Set<UInt32> = []
        for _ in 0..<count {
            guard let place = reader.number(UInt32.self) else { return nil }
            known.insert(place)
        }
        return known
    }

    /// The stays of a state; `nil` if the state is too short.
    private static func stays(_ reader: inout StateReader, _ version: UInt8) -> [SavedPresence]? {
        guard let count = reader.number(UInt16.self) else { return nil }
        var stays: [SavedPresence] = []
        for _ in 0..<count {
            guard let id = reader.text(), let since = reader.time(), let hasDwelt = reader.isPresent(),
                let isHidden = version < 4 ? false : reader.isPresent()
            else { return nil }
            stays.append(SavedPresence(id: id, since: since, hasDwelt: hasDwelt, isHidden: isHidden))
        }
        return stays
    }

    /// The stays at places that still exist, each place once.
    private func located(_ stays: [SavedPresence]) -> [Presence] {
        guard !stays.isEmpty else { return [] }
        var missing = Set(stays.map(\.id))
        var indices: [String: Int] = [:]
        for (index, place) in places.enumerated() where missing.remove(place.id) != nil { indices[place.id] = index }
        return stays.compactMap { stay in
            indices.removeValue(forKey: stay.id).map {
                Presence(place: $0, since: stay.since, hasDwelt: stay.hasDwelt, isHidden: stay.isHidden)
            }
        }
    }
}

extension GeofenceMonitor.SavedFix {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(time)
        writer.write(coordinate)
        for value in [accuracy, altitude, speed] {
            writer.write(isPresent: value != nil)
            writer.write(value ?? 0)
        }
    }

    /// Reads an optional fix: `.some(nil)` if the state has none, `nil` if the state is unreadable.
    fileprivate static func optional(from reader: inout StateReader, _ version: UInt8) -> Self?? {
        guard let isPresent = reader.isPresent() else { return nil }
        guard isPresent else { return .some(nil) }
        guard let time = reader.time(), let coordinate = reader.coordinate(), coordinate.isValid,
            let hasAccuracy = reader.isPresent(), let accuracy = reader.double(), accuracy >= 0
        else { return nil }
        var values: [Double?] = [nil, nil]
        for index in values.indices where version > 2 {
            guard let isPresent = reader.isPresent(), let value = reader.double(), value.isFinite else { return nil }
            values[index] = isPresent ? value : nil
        }
        return Self(
            time: time, coordinate: coordinate, accuracy: hasAccuracy ? accuracy : nil, altitude: values[0],
            speed: values[1])
    }
}
