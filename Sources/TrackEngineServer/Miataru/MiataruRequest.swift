/// The requests of Miataru's apps. The raw values are the paths, with or without `/v1` before them.
package enum MiataruRequest: String, Sendable, CaseIterable {
    case updateLocation = "UpdateLocation"
    case getLocation = "GetLocation"
    case getLocationHistory = "GetLocationHistory"
    case getLocationGeoJSON = "GetLocationGeoJSON"
    case getVisitorHistory = "GetVisitorHistory"
    case deleteLocation = "DeleteLocation"
    case setDeviceKey
    case setAllowedDeviceList
    case getAllowedDeviceList
    case setDeviceSlogan
    case getDeviceSlogan
    case getDeviceSecurityStatus
}
