package import TrackEngine

/// A named place of the demonstration, an agent without a configuration and without a receiver: its simulated vehicle
/// drives from one place to the next and stops at each, so that trips and visits appear within the first minutes.
package struct DemonstrationPlace: Sendable, Hashable {
    package let name: String
    package let centre: Coordinate

    /// The places in the order of the drive, which begins at the last one.
    package static let all = [
        DemonstrationPlace(name: "Work", centre: Coordinate(latitude: 52.5245, longitude: 13.4105)),
        DemonstrationPlace(name: "Shop", centre: Coordinate(latitude: 52.517, longitude: 13.4125)),
        DemonstrationPlace(name: "Home", centre: Coordinate(latitude: 52.52, longitude: 13.405)),
    ]

    /// Stops that are longer than ``stopAfter`` and than a red light.
    static let parking = ParkingModel(afterDriving: nil, stay: .seconds(80) ... .seconds(100))

    /// The time of rest that is a visit, in seconds: longer than a red light.
    static let stopAfter = 60

    /// The configuration of the agent: the events to detect, and the places.
    static var configuration: String {
        let places = all.map { place in
            """
                - {name: \(place.name), latitude: \(place.centre.latitude), longitude: \(place.centre.longitude)}

            """
        }
        return """
            tracking: {fetchActivity: true}
            events:
              visits: true
              trips: true
              stopAfter: \(stopAfter)
              places:

            """ + places.joined()
    }
}

extension SimulatedSettings {
    /// A vehicle that drives between the places of the demonstration.
    static var demonstration: SimulatedSettings {
        var settings = SimulatedSettings()
        settings.start = DemonstrationPlace.all.last?.centre
        settings.stops = DemonstrationPlace.all.map(\.centre)
        return settings
    }
}
