/// Receivers of which the requests are known: with one of these a configuration needs the receiver's address alone.
public enum HTTPPreset: String, Sendable, Hashable, CaseIterable {
    /// Dawarich, by its points interface, which keeps the course, too.
    case dawarich
    /// GeoPulse, by its Overland endpoint.
    case geopulse
    /// Reitti, by its Overland endpoint.
    case reitti
    /// Wayfinder, by its Overland endpoint, in the only form that it stores.
    case wayfinder
    /// PhoneTrack for Nextcloud, by the call of those of its links that says whether a place was kept.
    case phonetrack
    /// A server for the custom address that GPSLogger for Android begins with.
    case gpslogger
    /// A webhook of Home Assistant's integration GPSLogger.
    case homeAssistantWebhook = "home-assistant-webhook"
    /// ThingsBoard's HTTP device API.
    case thingsboard
    /// InfluxDB 2, by its line protocol.
    case influx
}

extension HTTPPreset {
    /// What a preset says about requests.
    struct Parts: Sendable {
        /// What is appended to the path of an address that does not end with it.
        var path = ""
        /// A part of the path as the receiver shows it to people, and what is used in its place.
        var link: (shown: String, used: String)?
        /// Parameters that are added to the address where it has no parameter of the name.
        var parameters: [String] = []
        var method = HTTPSink.Configuration.Method.post
        var format = HTTPSink.Configuration.Format.json
        var body: String?
        var record: String?
        var success = HTTPSink.Configuration.SuccessRule()
        /// The word in front of a token.
        var tokenScheme = "Bearer"
    }

    /// Which replies acknowledge a request.
    package var success: HTTPSink.Configuration.SuccessRule { parts.success }

    var parts: Parts {
        switch self {
        case .dawarich: .dawarich
        case .geopulse: .geopulse
        case .reitti: .reitti
        case .wayfinder: .wayfinder
        case .phonetrack: .phonetrack
        case .gpslogger: .gpslogger
        case .homeAssistantWebhook: .homeAssistantWebhook
        case .thingsboard: .thingsboard
        case .influx: .influx
        }
    }
}

extension HTTPPreset.Parts {
    /// A receiver's address with what the preset knows of its path and query.
    func address(for url: String) -> String {
        var url = url
        if let link, let range = url.firstRange(of: link.shown) { url.replaceSubrange(range, with: link.used) }
        return ReceiverAddress.completed(url, path: path, parameters: parameters)
    }
}
