package import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// The places that were added while the agent ran, in addition to those of the configuration. A value: it decides,
/// and writes no file.
package struct SavedPlaces: Sendable, Hashable {
    /// The maximum number of places; more belong in a file of ``EventSettings/placeFiles``.
    package static let most = 10_000
    /// The longest change, in bytes.
    package static let longestChange = 1 << 20

    /// The places, in the order of their addition.
    package private(set) var places: [Place]

    /// - Parameter places: each id once.
    package init(_ places: [Place] = []) { self.places = places }

    /// The places to use together with the configured ones. A configured place replaces an added one with the same id.
    package func beside(_ configured: Set<String>) -> [Place] { places.filter { !configured.contains($0.id) } }

    /// Adds the places of a GeoJSON text. A place with an existing id gets the new name and area, and keeps its
    /// creation time unless the text has one.
    ///
    /// - Parameters:
    ///   - geoJSON: a feature, or a collection.
    ///   - configured: the ids of the configuration's places, which can be changed only there.
    ///   - now: the creation time of places without one in the text.
    /// - Returns: the ids, in the order of the text.
    package mutating func keep(
        _ geoJSON: [UInt8], beside configured: Set<String>, now: Timestamp
    ) throws(PlaceRejection) -> [String] {
        guard geoJSON.count <= Self.longestChange else {
            throw PlaceRejection("\(geoJSON.count) bytes: expected at most \(Self.longestChange)")
        }
        let file = PlaceFile(geoJSON)
        if let problem = file.problems.first { throw PlaceRejection("\(problem)") }
        guard !file.places.isEmpty else { throw PlaceRejection("expected GeoJSON with a place in it") }
        try keep(file.places, beside: configured, now: now)
        return file.places.map(\.id)
    }

    package mutating func keep(
        _ added: [Place], beside configured: Set<String>, now: Timestamp
    ) throws(PlaceRejection) {
        var next = places
        var indices = Dictionary(uniqueKeysWithValues: next.enumerated().map { ($1.id, $0) })
        for place in added {
            guard !configured.contains(place.id) else {
                throw PlaceRejection(
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
            throw PlaceRejection(
                "\(next.count) places: expected at most \(Self.most); a file of events.placeFiles holds more")
        }
        places = next
    }

    /// Removes places; all of them if no id is given.
    ///
    /// - Returns: the ids of the removed places.
    package mutating func remove(_ ids: [String]) throws(PlaceRejection) -> [String] {
        let known = Set(places.map(\.id))
        if let stranger = ids.first(where: { !known.contains($0) }) {
            let near = Suggestion.nearest(to: stranger, in: Array(known)).map { "; did you mean \($0)?" } ?? ""
            throw PlaceRejection("\(stranger.quoted(atMost: 64)): expected the id of a place that was added\(near)")
        }
        let gone = ids.isEmpty ? places.map(\.id) : ids
        places.removeAll { gone.contains($0.id) }
        return gone
    }
}

extension Place {
    /// A copy of the place with another creation time.
    fileprivate func made(at time: Timestamp) -> Place {
        // All other values are valid already.
        (try? Place(
            id: id, name: name, area: area, dwell: dwell, hysteresis: hysteresis, tags: tags, created: time)) ?? self
    }
}
