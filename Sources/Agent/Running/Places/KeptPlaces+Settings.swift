package import TrackEngine
import TrackEnginePlaces

/// Added places beside those of the configuration.
extension KeptPlaces {
    /// All places as GeoJSON, `kept` telling which can be changed. Where positions are cut or blurred nobody is to learn of the place.
    /// It reads files.
    package func geoJSON(beside settings: EventSettings) throws(ConfigurationError) -> [UInt8] {
        var configured: [Place] = []
        for place in settings.places where place.privacy != .cut && place.privacy != .blur {
            if let place = try place.place { configured.append(place) }
        }
        configured += try settings.filedPlaces()
        let ids = try settings.configuredIDs
        return PlaceFile.geoJSON(configured + beside(ids)) { !ids.contains($0.id) }
    }
}

extension EventSettings {
    /// The ids of its places and of those in its files. It reads files.
    package var configuredIDs: Set<String> {
        get throws(ConfigurationError) {
            var ids = Set(places.map { $0.id ?? $0.name })
            ids.formUnion(try filedPlaces().map(\.id))
            return ids
        }
    }
}
