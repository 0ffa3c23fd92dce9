package import TrackEngine
import TrackEnginePlaces

/// Added places beside those of the configuration.
extension KeptPlaces {
    /// All places as GeoJSON, `kept` telling which can be changed. Where positions are cut or blurred nobody is to learn of the place.
    /// It reads files.
    package func geoJSON(beside settings: EventSettings) throws(ConfigurationError) -> [UInt8] {
        let filed = try settings.filedPlaces()
        let ids = settings.configuredIDs(filed: filed)
        return PlaceFile.geoJSON(try settings.namedPlaces() + filed + beside(ids)) { !ids.contains($0.id) }
    }
}

extension EventSettings {
    /// The ids of its places, hidden ones as well, and of those in its files.
    func configuredIDs(filed: [Place]) -> Set<String> { Set(places.map { $0.id ?? $0.name } + filed.map(\.id)) }
}
