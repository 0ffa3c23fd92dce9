import TrackEngineSettings

extension OverlandSettings {
    /// What the receiver that the address gives away would not store, or not show, though it says "ok".
    package var cautions: [String] {
        guard let endpoint = Endpoint(ifReadable: url) else { return [] }
        let path = String(endpoint.target.prefix { $0 != "?" })
        var cautions: [String] = []
        if path.contains("/wayfinder/overland") {
            if !path.hasSuffix("/") {
                cautions.append("url = …/overland: Wayfinder wants a / at the end and redirects")
            }
            if !integerSpeed {
                cautions.append(
                    "integerSpeed = false: Wayfinder says ok and stores no record whose speed has a fraction")
            }
            if battery != .mains {
                cautions.append(
                    "battery = \(battery.rawValue): Wayfinder says ok and stores no record of an unknown battery; mains helps"
                )
            }
        } else if path.hasSuffix("/api/overland") {
            cautions.append(
                "url = …/api/overland: GeoPulse says ok and drops records of unknown accuracy; type: http with preset: geopulse assumes 100 m"
            )
        } else if path.hasSuffix("/dump") {
            if profile == .overland {
                cautions.append("profile = overland: incognita's /dump is what profile: trace is for")
            }
            if timestamps == .milliseconds {
                cautions.append("timestamps = milliseconds: incognita's ranges of time miss fractions")
            }
            cautions.append(
                "url = …/dump: incognita draws no line between places far apart; tracking.maximumThreshold keeps them near"
            )
        } else if path.hasSuffix("/api/locations"), success != .any2xx {
            cautions.append("success = ok: overland-ts replies without a body, for which success: any2xx is")
        } else if path.contains("/submit/") {
            cautions.append(
                "url = …/submit/…: pyoverland takes 202400 bytes, about 400 records; maxBatchSize keeps below")
        }
        return cautions
    }
}
