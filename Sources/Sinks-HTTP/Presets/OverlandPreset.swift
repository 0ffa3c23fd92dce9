public import TrackEngine

/// Receivers of the Overland format, each with its own rules for the records that it stores. A sink with a preset
/// follows these rules and sends to the receiver's path.
public enum OverlandPreset: String, Sendable, Hashable, CaseIterable {
    /// Compass, which reads its token only from the query.
    case compass
    /// Dawarich, by its Overland endpoint. Its points interface, ``HTTPPreset/dawarich``, also keeps the course.
    case dawarich
    /// Reitti.
    case reitti
    /// GeoPulse.
    case geopulse
    /// Wayfinder.
    case wayfinder
    /// incognita, in the form of the Trace app.
    case incognita
    /// php-tracks-recorder.
    case phpTracksRecorder = "php-tracks-recorder"
    /// Overland-Flask.
    case overlandFlask = "overland-flask"
    /// pyoverland; its address contains the token, `…/submit/TOKEN`.
    case pyoverland
    /// overland-ts, which replies without a body.
    case overlandTS = "overland-ts"
    /// PhoneTrack for Nextcloud, by its link for Overland, which confirms every request.
    case phonetrack
    /// A custom flow or script that accepts the format and replies with any status from 200 to 299.
    case webhook

    /// The requirements of a receiver: one table for the sink's configuration, its settings and the warnings.
    struct Settings: Sendable {
        /// The path that is appended to an address that does not end with it.
        var path = ""
        var profile = OverlandSink.Configuration.Profile.overland
        var success: OverlandSink.Configuration.SuccessRule?
        var integerSpeed = false
        var unknownBattery = OverlandSink.Configuration.UnknownBattery.unknown
        var assumedAccuracy: Int?
        var maximumBodyLength: Int?
        var tokenParameter: String?
        /// Path endings that the receiver shows for other apps; they are replaced by the path.
        var otherPaths: [String] = []
        /// For a receiver with a link as its address: the required part of the path, and the expected form of the
        /// link.
        var link: (mark: String, expectation: String)?
        /// Whether the receiver distinguishes visits, trips and actions from positions.
        var knowsEvents = true

        /// A receiver's address with its path.
        func address(for url: String) -> String {
            ReceiverAddress.completed(url, path: path, others: otherPaths)
        }
    }

    var parts: Settings {
        switch self {
        case .compass: Settings(path: "/api/input", tokenParameter: "token")
        case .dawarich:
            Settings(
                path: "/api/v1/overland/batches",
                otherPaths: ["/api/v1/owntracks/points", "/api/v1/points", "/api/v1"],
                knowsEvents: false)
        case .reitti:
            Settings(
                path: "/api/v1/ingest/overland", assumedAccuracy: 100,
                otherPaths: ["/api/v1/ingest/owntracks", "/api/v1/ingest", "/api/v1"],
                knowsEvents: false)
        // A battery of -1 would be shown as -100 per cent; an omitted battery is 0.
        case .geopulse:
            Settings(
                path: "/api/overland", unknownBattery: .omitted, assumedAccuracy: 100,
                otherPaths: ["/api/owntracks", "/api/dawarich"], knowsEvents: false)
        case .wayfinder:
            Settings(
                path: "/api/wayfinder/overland/", integerSpeed: true, unknownBattery: .mains,
                otherPaths: ["/api/wayfinder/owntracks"])
        case .incognita: Settings(path: "/dump", profile: .trace)
        // It prints a warning before its JSON for each missing property, and stores a battery of -1 as -100 per
        // cent.
        case .phpTracksRecorder: Settings(path: "/record.php", unknownBattery: .mains, knowsEvents: false)
        case .overlandFlask: Settings(path: "/api", knowsEvents: false)
        case .pyoverland:
            Settings(maximumBodyLength: 202_400, link: ("/submit/", "its address with the token, …/submit/TOKEN"))
        case .overlandTS: Settings(path: "/api/locations", success: .any2xx)
        case .phonetrack:
            Settings(
                unknownBattery: .mains,
                link: ("/log/overland/", "a session's link for Overland, …/apps/phonetrack/log/overland/TOKEN/NAME"),
                knowsEvents: false)
        case .webhook: Settings(success: .any2xx)
        }
    }

    /// The receiver that the path of an address indicates; `nil` if it could be any.
    init?(path: String) {
        // The TrackEngine server has the paths of other receivers after the token of a device.
        guard !path.hasPrefix("/t/") else { return nil }
        let ends: [(String, OverlandPreset)] = [
            ("/api/input", .compass), ("/overland/batches", .dawarich), ("/ingest/overland", .reitti),
            ("/wayfinder/overland", .wayfinder), ("/wayfinder/overland/", .wayfinder), ("/api/overland", .geopulse),
            ("/dump", .incognita), ("/record.php", .phpTracksRecorder), ("/api/locations", .overlandTS),
        ]
        if let found = ends.first(where: { path.hasSuffix($0.0) }) {
            self = found.1
        } else if path == "/api" {
            self = .overlandFlask
        } else if path.contains("/apps/phonetrack/log/overland/") {
            self = .phonetrack
        } else if path.contains("/submit/") {
            self = .pyoverland
        } else {
            return nil
        }
    }
}

extension OverlandSink.Configuration {
    /// The known requirements of a receiver; all of them can be changed afterwards.
    ///
    /// - Parameters:
    ///   - url: The receiver's address; a missing path is completed.
    ///   - deviceID: The name under which the receiver stores the records.
    ///   - preset: The receiver.
    public init(url: String, deviceID: DeviceID, preset: OverlandPreset) {
        let parts = preset.parts
        self.init(url: parts.address(for: url), deviceID: deviceID)
        adopt(parts)
    }

    /// Sets the values that a receiver needs.
    mutating func adopt(_ parts: OverlandPreset.Settings) {
        profile = parts.profile
        success = parts.success
        integerSpeed = parts.integerSpeed
        unknownBattery = parts.unknownBattery
        assumedAccuracy = parts.assumedAccuracy
        maximumBodyLength = parts.maximumBodyLength
        tokenParameter = parts.tokenParameter
    }
}
