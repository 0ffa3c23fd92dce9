import TrackEngine

extension GeofenceMonitor {
    /// Of what form the state is. Earlier ones are read as well: the first one knew of no doubt, the second of no altitude and speed.
    private static let version: UInt8 = 3
    /// So many stays fit into the state: 640 of at most 75 bytes are 48 000. Of more, the oldest are kept.
    private static let maximumPresences = 640

    /// Where the object is, since when, and for which places that holds; 65 bytes, 51 more for a fix in doubt, and 11 and the id for each place in which
    /// the object is.
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
        }
        return writer.bytes
    }

    /// Goes on from a kept state.
    ///
    /// The object remains in the places that are still there, by their id. If they are the same places with the same areas as
    /// then, it is outside of all others, so that what it entered meanwhile is reported; otherwise it may be found in them,
    /// as at the start.
    @discardableResult
    public mutating func resume(from state: [UInt8]) -> Bool {
        var reader = StateReader(state)
        guard let version = reader.number(UInt8.self), (1...Self.version).contains(version),
            let isSettled = reader.isPresent(), let signature = reader.number(UInt64.self),
            let last = LastFix.optional(from: &reader, version),
            let doubtful = version < 2 ? .some(nil) : LastFix.optional(from: &reader, version)
        else { return false }
        guard let kept = Self.stays(&reader) else { return false }
        presences = located(kept)
        self.last = last
        self.doubtful = last == nil ? nil : doubtful
        unseen = isSettled && signature == index.signature ? .none : .all
        undecided = []
        updateInside()
        return true
    }

    /// A stay as it was kept.
    private struct KeptStay {
        let id: String
        let since: Timestamp
        let hasDwelt: Bool
    }

    /// The stays of a state that ends behind them; `nil` for anything else.
    private static func stays(_ reader: inout StateReader) -> [KeptStay]? {
        guard let count = reader.number(UInt16.self) else { return nil }
        var stays: [KeptStay] = []
        for _ in 0..<count {
            guard let id = reader.text(), let since = reader.time(), let hasDwelt = reader.isPresent() else {
                return nil
            }
            stays.append(KeptStay(id: id, since: since, hasDwelt: hasDwelt))
        }
        return reader.isAtEnd ? stays : nil
    }

    /// The stays at places that are still there, each place once.
    private func located(_ stays: [KeptStay]) -> [Presence] {
        guard !stays.isEmpty else { return [] }
        var missing = Set(stays.map(\.id))
        var indices: [String: Int] = [:]
        for (index, place) in places.enumerated() where missing.remove(place.id) != nil { indices[place.id] = index }
        return stays.compactMap { stay in
            indices.removeValue(forKey: stay.id).map {
                Presence(place: $0, since: stay.since, hasDwelt: stay.hasDwelt)
            }
        }
    }
}

extension GeofenceMonitor.LastFix {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(time)
        writer.write(coordinate)
        for value in [accuracy, altitude, speed] {
            writer.write(isPresent: value != nil)
            writer.write(value ?? 0)
        }
    }

    /// What may be absent: `.some(nil)` where the state says so, `nil` where nothing can be read.
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
