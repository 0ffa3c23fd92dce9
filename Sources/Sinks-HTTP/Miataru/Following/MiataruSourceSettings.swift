import TrackEngine
public import TrackEngineSettings

extension MiataruSource {
    /// `type: miataru`: follows devices that share their position through a Miataru server.
    public static let plugin = SourcePlugin(MiataruSourceSettings.self)
}

/// `{type: miataru, url: "https://service.miataru.com", follow: [{id: …, name: Anna, group: family}]}`: followed
/// devices.
package struct MiataruSourceSettings: FollowSettings, MiataruServerSettings {
    package static let type = "miataru"
    package static let summary =
        "Follows devices through a Miataru server: their places go to histories and pages, never into the own track."

    package var address = ServerAddress(url: "")
    /// The id used for requests. Without one the agent makes and keeps an id.
    package var deviceID: SecretReference?
    /// The key that the server requires for the id.
    package var deviceKey: SecretReference?
    /// The devices to follow, in addition to those added by `trackd follow`.
    package var follow: [FollowedFields] = []
    /// The time between two requests, in seconds. Default 30.
    package var interval = 30
    /// The places at which arrivals of followed devices are reported.
    package var places: [PlaceFields] = []

    package init() {}

    package static let fields: [Field<Self>] =
        [
            .server,
            .secret("deviceID", \.deviceID)
                .meaning(
                    "The id under which it asks, which the owners of the devices see; null for one that is made and kept."
                ),
            .deviceKey,
            .tables("follow", \.follow, FollowedFields.fields, of: FollowedFields())
                .meaning("The devices to follow, in addition to those that trackd follow adds."),
            .integer("interval", \.interval, 5...3600, "seconds").meaning("How long it waits between two questions."),
            .tables("places", \.places, PlaceFields.fields, of: PlaceFields())
                .meaning("Named places; the arrival of a followed device at one is logged."),
        ] + Field.connection
}

/// A followed device in a configuration.
package struct FollowedFields: Sendable, Hashable {
    package var id: SecretReference?
    package var name = ""
    package var group: String?

    static let fields: [Field<Self>] = [
        .secret("id", \.id).required().meaning("The device's id; anyone with it can ask for its place."),
        .text("name", \.name, .device).required().meaning("Its name here."),
        .text("group", \.group, .line).meaning("The group that it belongs to."),
    ]
}

/// A named place in a configuration.
package struct PlaceFields: Sendable, Hashable {
    package var name = ""
    package var latitude = 0.0
    package var longitude = 0.0
    package var radius = 150.0

    static let fields: [Field<Self>] = [
        .text("name", \.name, .line).required().meaning("The place's name."),
        .number("latitude", \.latitude, -90...90, "degrees").required().meaning("Its middle, north of the equator."),
        .number("longitude", \.longitude, -180...180, "degrees").required().meaning("Its middle, east of Greenwich."),
        .number("radius", \.radius, NamedPlace.radii, "metres").meaning("How far around its middle it reaches."),
    ]

    var place: NamedPlace {
        var place = NamedPlace(name: name, coordinate: Coordinate(latitude: latitude, longitude: longitude))
        place.radius = radius
        return place
    }
}
