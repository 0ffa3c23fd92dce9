package import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// The places that were added while the agent ran, beside those of the configuration. A value: it decides, and writes nothing.
package struct KeptPlaces: Sendable, Hashable {
    /// How many there may be; more belong into a file of ``EventSettings/placeFiles``.
    package static let most = 10_000
    /// The longest change, in bytes.
    package static let longestChange = 1 << 20

    /// The places, in the order in which they were added.
    package private(set) var places: [Place]

    /// - Parameter places: each id once.
    package init(_ places: [Place] = []) { self.places = places }

    /// Those that go with the places of the configuration, which come first: of one id only theirs holds.
    package func beside(_ configured: Set<String>) -> [Place] { places.filter { !configured.contains($0.id) } }

    /// Adds what a GeoJSON text says; a place of an id that is there gets another name and area, and keeps when it was made.
    ///
    /// - Parameters:
    ///   - geoJSON: a feature, or a collection.
    ///   - configured: the ids of the places of the configuration, which are changed there.
    ///   - now: when places are made that do not say so themselves.
    /// - Returns: the ids, in their order.
    package mutating func keep(
        _ geoJSON: [UInt8], beside configured: Set<String>, now: Timestamp
    ) throws(PlaceRefusal) -> [String] {
        guard geoJSON.count <= Self.longestChange else {
            throw PlaceRefusal("\(geoJSON.count) bytes: expected at most \(Self.longestChange)")
        }
        let file = PlaceFile(geoJSON)
        if let problem = file.problems.first { throw PlaceRefusal("\(problem)") }
        guard !file.places.isEmpty else { throw PlaceRefusal("expected GeoJSON with a place in it") }
        try keep(file.places, beside: configured, now: now)
        return file.places.map(\.id)
    }

    package mutating func keep(
        _ added: [Place], beside configured: Set<String>, now: Timestamp
    ) throws(PlaceRefusal) {
        var next = places
        var indices = Dictionary(uniqueKeysWithValues: next.enumerated().map { ($1.id, $0) })
        for place in added {
            guard !configured.contains(place.id) else {
                throw PlaceRefusal(
                    "\(place.id.quoted(atMost: 64)): expected an id of no place of the configuration, which is changed there"
                )
            }
            let index = indices[place.id]
            let made = place.made(at: place.created ?? index.flatMap { next[$0].created } ?? now)
            if let index {
                next[index] = made
            } else {
                indices[place.id] = next.count
                next.append(made)
            }
        }
        guard next.count <= Self.most else {
            throw PlaceRefusal(
                "\(next.count) places: expected at most \(Self.most); a file of events.placeFiles holds more")
        }
        places = next
    }

    /// Removes places; all where no id is given.
    ///
    /// - Returns: the ids of those that are gone.
    package mutating func remove(_ ids: [String]) throws(PlaceRefusal) -> [String] {
        let known = Set(places.map(\.id))
        if let stranger = ids.first(where: { !known.contains($0) }) {
            let near = Suggestion.nearest(to: stranger, in: Array(known)).map { "; did you mean \($0)?" } ?? ""
            throw PlaceRefusal("\(stranger.quoted(atMost: 64)): expected the id of a place that was added\(near)")
        }
        let gone = ids.isEmpty ? places.map(\.id) : ids
        places.removeAll { gone.contains($0.id) }
        return gone
    }
}

extension Place {
    /// The same place, made at another time.
    fileprivate func made(at time: Timestamp) -> Place {
        // All but the time has been found good.
        (try? Place(
            id: id, name: name, area: area, dwell: dwell, hysteresis: hysteresis, tags: tags, created: time)) ?? self
    }
}
