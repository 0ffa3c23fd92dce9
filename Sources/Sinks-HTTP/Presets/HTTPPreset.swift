import TrackEngineSettings

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
    /// A server with a link for GPSLogger for Android or OsmAnd, under the names of that link; without any, those of the custom
    /// address that GPSLogger begins with.
    case gpslogger
    /// A webhook of Home Assistant's integration GPSLogger.
    case homeAssistantWebhook = "home-assistant-webhook"
    /// ThingsBoard's HTTP device API.
    case thingsboard
    /// InfluxDB 2, by its line protocol.
    case influx
    /// InfluxDB 1, by its line protocol; its address names the database, `…/write?db=NAME`.
    case influx1
}

extension HTTPPreset {
    /// What a preset says about requests.
    struct Parts: Sendable {
        /// What becomes of parameters that an app would fill in.
        enum Placeholders {
            /// They stay as they are.
            case kept
            /// They are left out, since the preset has the receiver's names itself.
            case dropped
            /// They are filled in under the names that the address gives them; the preset's own names are for an address without.
            case filled
        }

        /// What is appended to the path of an address that does not end with it.
        var path = ""
        /// Ends of paths that the receiver shows for other apps; the path takes their place.
        var otherPaths: [String] = []
        /// Parts of the path as the receiver shows them to people, and what is used in their place.
        var link: (shown: [String], used: String)?
        /// What becomes of parameters that an app would fill in, in an address that the receiver shows.
        var placeholders = Placeholders.kept
        /// Parameters that are added to the address where it has no parameter of the name.
        var parameters: [String] = []
        /// Parameters that belong to the preset's record and take the place of those of the address, unless that has another record.
        var fixedParameters: [String] = []
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
        case .influx1: .influx1
        }
    }
}

extension HTTPPreset.Parts {
    /// A receiver's address with what the preset knows of its path and query.
    ///
    /// - Parameter hasOwnRecord: whether the configuration says what a record is.
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
    /// What was expected of an address that leads nowhere at the receiver; `nil` for one that may lead there.
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
        case .dawarich, .geopulse, .reitti, .wayfinder, .gpslogger: return nil
        }
    }
}
