package import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// A request to add a circular place, on the command line and on its way to the agent.
package struct PlaceAddition: Sendable, Hashable {
    /// The name for users.
    package var name: String
    /// The id in messages; the name if absent.
    package var id: String?
    /// The centre; absent for the position of the object.
    package var centre: Coordinate?
    /// The radius, in metres.
    package var radius: Double
    /// The time inside after which a dwell event occurs.
    package var dwell: Duration?
    /// The tags, which group places.
    package var tags: [String]

    /// Makes a request.
    package init(
        _ name: String, id: String? = nil, centre: Coordinate? = nil, radius: Double = 100, dwell: Duration? = nil,
        tags: [String] = []
    ) {
        (self.name, self.id, self.centre, self.radius) = (name, id, centre, radius)
        (self.dwell, self.tags) = (dwell, tags)
    }

    /// Makes the place, with its centre at a coordinate.
    package func place(at centre: Coordinate) throws(PlaceRejection) -> Place {
        do throws(ConfigurationError) {
            return try Place(
                id: id ?? name, name: name, area: .circle(centre: centre, radius: radius), dwell: dwell, tags: tags)
        } catch {
            throw PlaceRejection(error.problems.map(\.description).joined(separator: "; "))
        }
    }
}

// MARK: - On the wire

extension PlaceAddition {
    /// The members of a request.
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("name", .string(name)), .init("radius", .number(radius))]
        if let id { members.append(.init("id", .string(id))) }
        if let centre {
            members += [.init("latitude", .number(centre.latitude)), .init("longitude", .number(centre.longitude))]
        }
        if let dwell { members.append(.init("dwell", .number(dwell / .seconds(1)))) }
        if !tags.isEmpty { members.append(.init("tags", .array(tags.map { .string($0) }))) }
        return members
    }

    /// Reads the members of a request.
    init(_ json: JSONValue) throws(ControlError) {
        guard let name = try json.text("name"), let radius = json["radius"]?.number else {
            throw .malformed("expected a \"name\" and a \"radius\" in metres")
        }
        self.init(name, id: try json.text("id"), radius: radius)
        if json["latitude"] != nil || json["longitude"] != nil {
            guard let coordinate = json.coordinate else {
                throw .malformed("expected \"latitude\" and \"longitude\" in degrees")
            }
            centre = coordinate
        }
        if let seconds = json["dwell"] {
            guard let seconds = seconds.number, (1...2_592_000).contains(seconds) else {
                throw .malformed("expected \"dwell\" to be 1 to 2592000 seconds")
            }
            dwell = .seconds(seconds)
        }
        tags = json["tags"]?.array?.compactMap(\.string) ?? []
    }
}
