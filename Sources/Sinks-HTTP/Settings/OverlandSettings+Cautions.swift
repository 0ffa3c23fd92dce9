package import TrackEngine
import TrackEngineSettings

extension OverlandSettings: WarningSettings {
    /// Warnings about records that the receiver acknowledges but does not store or show. The receiver is that of the
    /// preset, with keys that override the preset, or the one that the address suggests, with the preset that helps.
    package func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String] {
        guard let receiver else { return [] }
        var wanted = self
        wanted.adopt(receiver)
        let hint = preset == nil ? "; preset: \(receiver.rawValue) helps" : ""
        return (traps(of: receiver, wanted.configuration) + unknownEvents(to: receiver)).map { $0 + hint }
            + (receiver == .phonetrack ? [Self.confirmsAnything] : [])
            + (receiver == .incognita ? unsuitable(tracking) : [])
    }

    /// The events that the receiver would store as positions, which a preset therefore does not send.
    private func unknownEvents(to receiver: OverlandPreset) -> [String] {
        let events = events.filter { $0 != .heartbeat }.map(\.rawValue)
        guard !receiver.parts.knowsEvents, !events.isEmpty else { return [] }
        let consequence = preset == nil ? "keeps each as a position that never was" : "knows no events, none is sent"
        return ["events = [\(events.joined(separator: ", "))]: \(receiver.rawValue) \(consequence)"]
    }

    /// Recording settings that do not suit incognita's map.
    private func unsuitable(_ tracking: RecordingConfiguration) -> [String] {
        var cautions: [String] = []
        if tracking.maximumThreshold.map({ $0 > 100 }) ?? true {
            cautions.append(
                "tracking.maximumThreshold = \(tracking.maximumThreshold?.written ?? "null"): incognita draws no line between places over 100 m apart; 100 keeps them near"
            )
        }
        if tracking.minimumAccuracy.map({ $0 > 200 }) ?? true {
            cautions.append(
                "tracking.minimumAccuracy = \(tracking.minimumAccuracy?.written ?? "null"): incognita replies ok and shows no position that is less exact than 200 m"
            )
        }
        return cautions
    }

    private var receiver: OverlandPreset? { preset ?? OverlandPreset(path: path) }

    private var path: String { Endpoint(ifReadable: url).map { String($0.target.prefix { $0 != "?" }) } ?? "" }

    private static let confirmsAnything =
        "url = …: PhoneTrack's link for Overland replies ok to every request; type: http with preset: phonetrack confirms each position"

    /// The keys with values that do not suit the receiver, each with the consequence.
    private func traps(of receiver: OverlandPreset, _ wanted: OverlandSink.Configuration) -> [String] {
        let own = configuration
        let lacksAccuracy = wanted.assumedAccuracy != nil && own.assumedAccuracy == nil
        return switch receiver {
        case .wayfinder: wayfinderTraps(wanted)
        case .geopulse:
            trap(
                "assumedAccuracy", "null", lacksAccuracy, "GeoPulse replies ok and drops records of unknown accuracy")
        case .reitti:
            trap(
                "assumedAccuracy", "null", lacksAccuracy,
                "Reitti replies ok to records of unknown accuracy and may drop them")
        case .compass:
            trap(
                "token", "***", (token != nil || auth.isOn) && own.tokenParameter == nil,
                "Compass reads its token from the address alone")
        case .incognita:
            trap("profile", own.profile.rawValue, own.profile != .trace, "incognita's /dump expects profile: trace")
                + trap(
                    "timestamps", "milliseconds", own.timestampPrecision == .milliseconds,
                    "incognita's ranges of time miss fractions")
        case .phpTracksRecorder, .phonetrack:
            trap(
                "battery", shown("battery"), own.unknownBattery == .unknown,
                "an unknown battery becomes -100 per cent there")
        case .overlandTS:
            trap("success", shown("success"), own.success != .any2xx, "overland-ts replies without a body")
        case .pyoverland:
            trap(
                "maximumBodyLength", shown("maximumBodyLength"),
                own.maximumBodyLength.map { $0 > 202_400 } ?? true, "pyoverland takes 202400 bytes, about 400 records")
        case .overlandFlask:
            trap(
                "battery", shown("battery"), own.unknownBattery == .omitted,
                "Overland-Flask refuses records without a battery")
        case .dawarich, .webhook: []
        }
    }

    private func wayfinderTraps(_ wanted: OverlandSink.Configuration) -> [String] {
        let own = configuration
        return trap(
            "url", "…/overland", preset == nil && !path.hasSuffix("/"), "Wayfinder wants a / at the end and redirects")
            + trap(
                "integerSpeed", "false", own.integerSpeed != wanted.integerSpeed,
                "Wayfinder replies ok and stores no record with a fraction in its speed")
            + trap(
                "battery", shown("battery"), own.unknownBattery != wanted.unknownBattery,
                "Wayfinder replies ok and stores no record of an unknown battery")
            + trap(
                "profile", own.profile.rawValue, own.profile != .overland,
                "Wayfinder replies ok and stores no record without battery and name")
    }

    private func trap(_ key: String, _ value: String, _ differs: Bool, _ consequence: String) -> [String] {
        differs ? ["\(key) = \(value): \(consequence)"] : []
    }

    /// The value of a key, unless it may tell a secret.
    private func shown(_ key: String) -> String {
        switch Self.fields.first(where: { $0.name == key })?.show(self) {
        case .word(let text), .text(let text): text
        case .secret, .masked, .list, .table, nil: "***"
        }
    }
}
