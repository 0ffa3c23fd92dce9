import TrackEngine
package import TrackEngineSettings

/// The settings in the member `set` of a reply, under this engine's keys.
///
/// The Overland app accepts labels ("10m", "off"). This engine also accepts numbers in metres and seconds, and its
/// own keys, `{"set": {"tracking.distanceFilter": 20}}`. Members without a counterpart are listed in ``ignored``.
///
/// | in `set.main` | here |
/// |---|---|
/// | `min_distance` | `tracking.distanceFilter` |
/// | `min_time` | `tracking.interval`, which counts with `record: any` and `all` |
/// | `desired_accuracy` | `tracking.desiredAccuracy` |
/// | `tracking_mode` significant, standard | `tracking.distanceFilter` 500, as configured |
package struct OverlandRemoteSettings: Sendable, Hashable {
    /// The requested values.
    package private(set) var values: [RemoteValue] = []
    /// Members without a meaning here, at most ``RemoteValue/maximumCount``.
    package private(set) var ignored: [String] = []

    /// Reads a reply; `nil` for one without settings.
    package init?(reply: [UInt8]) {
        guard let wanted = JSONValue(ifReadable: reply, maximumDepth: 8)?["set"]?.members, !wanted.isEmpty else {
            return nil
        }
        for member in wanted.prefix(RemoteValue.maximumCount) { read(member) }
        values = Array(values.prefix(RemoteValue.maximumCount))
    }

    private mutating func read(_ member: JSONValue.Member) {
        if member.name == "main", let main = member.value.members {
            for setting in main.prefix(RemoteValue.maximumCount) { read(setting: setting) }
        } else if let own = RemoteValue.all(in: .object([member])), own.allSatisfy({ $0.key.contains(".") }) {
            values += own
        } else {
            ignored.append(member.name)
        }
    }

    private mutating func read(setting: JSONValue.Member) {
        let value = setting.value
        switch setting.name {
        case "min_distance": take("tracking.distanceFilter", setting, value.metres.map { "\($0)" })
        case "min_time": take("tracking.interval", setting, value.seconds.map { "\($0)" })
        case "desired_accuracy": take("tracking.desiredAccuracy", setting, value.accuracy)
        case "tracking_mode":
            let distance: String? =
                switch value.string {
                case "significant": "500"
                case "standard": RemoteValue.asConfigured
                case _: nil
                }
            take("tracking.distanceFilter", setting, distance)
        default: ignored.append("main.\(setting.name)")
        }
    }

    private mutating func take(_ key: String, _ setting: JSONValue.Member, _ text: String?) {
        guard let text else { return ignored.append("main.\(setting.name)") }
        values.removeAll { $0.key == key }
        values.append(RemoteValue(key, text))
    }
}

extension JSONValue {
    /// `"50m"`, `"1km"`, `"off"` or a number.
    fileprivate var metres: Int? { string == "off" ? 0 : amount(["km": 1000, "m": 1]) }

    /// `"5s"`, `"2m"` or a number.
    fileprivate var seconds: Int? { amount(["s": 1, "m": 60]) }

    private func amount(_ units: [String: Int]) -> Int? {
        if let number { return Int(exactly: number).flatMap { (0...1_000_000).contains($0) ? $0 : nil } }
        guard let text = string else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 1_000_000, let unit = units[String(text.dropFirst(digits.count))] else {
            return nil
        }
        return count * unit
    }

    /// The value of the key for an accuracy.
    fileprivate var accuracy: String? {
        switch (string, number) {
        case ("nav", _), (_, -2): "bestForNavigation"
        case ("best", _), (_, -1): "best"
        case ("10m", _), (_, 10): "tenMeters"
        case ("100m", _), (_, 100): "hundredMeters"
        case ("1km", _), (_, 1000): "kilometer"
        case ("3km", _), (_, 3000): "threeKilometers"
        case _: nil
        }
    }
}
