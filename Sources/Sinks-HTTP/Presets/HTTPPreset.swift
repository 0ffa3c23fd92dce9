import TrackEngineSettings

/// Receivers with known requests: with a preset, a configuration needs only the receiver's address.
public enum HTTPPreset: String, Sendable, Hashable, CaseIterable {
    /// Dawarich, by its points interface, which also keeps the course.
    case dawarich
    /// GeoPulse, by its Overland endpoint.
    case geopulse
    /// Reitti, by its Overland endpoint.
    case reitti
    /// Wayfinder, by its Overland endpoint, in the only form that it stores.
    case wayfinder
    /// PhoneTrack for Nextcloud, by the only one of its links with a reply that shows whether a position was stored.
    case phonetrack
    /// A server with a link for GPSLogger for Android or OsmAnd, under the names of that link; without any, those of
    /// the custom address that GPSLogger begins with.
    case gpslogger
    /// A webhook of Home Assistant's integration GPSLogger.
    case homeAssistantWebhook = "home-assistant-webhook"
    /// ThingsBoard's HTTP device API.
    case thingsboard
    /// InfluxDB 2, by its line protocol.
    case influx
    /// InfluxDB 1, by its line protocol; its address names the database, `…/write?db=NAME`.
    case influx1

    /// The parts of requests that a preset defines.
    struct Settings: Sendable {
        /// The treatment of parameters that an app would fill in.
        enum PlaceholderRule {
            /// They stay as they are.
            case kept
            /// They are left out, since the preset has the receiver's names itself.
            case dropped
            /// They are filled in under the names that the address gives them; the preset's own names are for an
            /// address without.
            case filled
        }

        /// The path that is appended to an address that does not end with it.
        var path = ""
        /// Path endings that the receiver shows for other apps; they are replaced by the path.
        var otherPaths: [String] = []
        /// Parts of the path in the form that the receiver shows to people, and their replacement.
        var link: (shown: [String], used: String)?
        /// The treatment of parameters that an app would fill in, in an address that the receiver shows.
        var placeholders = PlaceholderRule.kept
        /// Parameters that are added to the address where it has no parameter of the name.
        var parameters: [String] = []
        /// Parameters that belong to the preset's record and replace those of the address, unless the configuration
        /// has its own record.
        var fixedParameters: [String] = []
        var method = HTTPSink.Configuration.Method.post
        var format = HTTPSink.Configuration.Format.json
        var body: String?
        var record: String?
        var success = HTTPSink.Configuration.SuccessRule()
        /// The word before a token.
        var tokenScheme = "Bearer"
    }

    /// The replies that acknowledge a request.
    package var success: HTTPSink.Configuration.SuccessRule { parts.success }

    var parts: Settings {
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
        case .influx1: .influx1
        }
    }
}

extension HTTPPreset.Settings {
    /// A receiver's address completed with the preset's path and query.
    ///
    /// - Parameter hasOwnRecord: Whether the configuration defines its own record.
    func address(for url: String, hasOwnRecord: Bool = false) -> String {
        let shown = placeholders == .filled ? ReceiverAddress.filled(url) : nil
        var url = shown ?? (placeholders == .kept ? url : ReceiverAddress.withoutPlaceholders(url))
        if let link, let range = link.shown.lazy.compactMap({ url.firstRange(of: $0) }).first {
            url.replaceSubrange(range, with: link.used)
            url = url.replacing("/?", with: "?")
            if url.hasSuffix("/") { url.removeLast() }
        }
        if !hasOwnRecord { url = ReceiverAddress.without(fixedParameters, url) }
        return ReceiverAddress.completed(
            url, path: path, others: otherPaths, parameters: (shown == nil ? parameters : []) + fixedParameters)
    }
}

extension HTTPPreset {
    /// The expected form of an address that cannot be right for the receiver; `nil` for a possible address.
    func problem(of url: String) -> String? {
        let path = Endpoint(ifReadable: ReceiverAddress.withoutPlaceholders(url)).map { $0.target.prefix { $0 != "?" } }
        let names = ReceiverAddress.names(in: url)
        switch self {
        case .phonetrack:
            guard let path, path == "/" || path.contains("/apps/phonetrack"),
                !parts.address(for: url).contains("/logGet/")
            else { return nil }
            return "the link that PhoneTrack shows for a session, …/apps/phonetrack/log/gpslogger/TOKEN/NAME"
        case .homeAssistantWebhook: return path == "/" ? "the webhook's address, …/api/webhook/ID" : nil
        case .thingsboard: return path == "/" ? "the device's address, …/api/v1/TOKEN" : nil
        case .influx:
            if names.contains("db") { return "preset: influx1, because db names a database of InfluxDB 1" }
            return names.contains("bucket") ? nil : "…?org=NAME&bucket=NAME, where the records go"
        case .influx1:
            if names.contains("bucket") { return "preset: influx, because bucket is a name of InfluxDB 2" }
            return names.contains("db") ? nil : "…/write?db=NAME, where the records go"
        case .gpslogger:
            return ReceiverAddress.unknownPlaceholder(in: url).map {
                "no \($0) beside other text: there is no field for it. Without it, or type: http with fields such as "
                    + "%{time} and %{device} in its place"
            }
        case .dawarich, .geopulse, .reitti, .wayfinder: return nil
        }
    }
}
