package import TrackEngine
import TrackEnginePlaces

/// Added places together with those of the configuration.
extension SavedPlaces {
    /// All places as GeoJSON; the member `kept` marks those that can be changed. Places that cut or blur positions
    /// are left out. Reads files.
    package func geoJSON(beside settings: EventSettings) throws(ConfigurationError) -> [UInt8] {
        let filed = try settings.filedPlaces()
        let ids = settings.configuredIDs(filed: filed)
        return PlaceFile.geoJSON(try settings.namedPlaces() + filed + beside(ids)) { !ids.contains($0.id) }
    }
}

extension EventSettings {
    /// The ids of its places, including hidden ones, and of the places in its files.
    func configuredIDs(filed: [Place]) -> Set<String> { Set(places.map { $0.id ?? $0.name } + filed.map(\.id)) }
}
