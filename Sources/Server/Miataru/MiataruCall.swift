/// What Miataru's apps ask of a server. The words are its paths, behind `/v1` or not.
package enum MiataruCall: String, Sendable, CaseIterable {
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
