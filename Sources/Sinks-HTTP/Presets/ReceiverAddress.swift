/// Functions that complete a receiver's address with a known path and query.
enum ReceiverAddress {
    /// The address with the path appended, unless it already ends with it, and with each parameter that it lacks.
    ///
    /// - Parameters:
    ///   - url: The user's text: the receiver's address, with or without path and query.
    ///   - path: The end of the path, `""` for none; if it ends with a slash, so does the address.
    ///   - others: Path endings that the receiver shows for other apps, which the path replaces.
    ///   - parameters: Parameters in the form `name=value`.
    static func completed(_ url: String, path: String, others: [String] = [], parameters: [String] = []) -> String {
        var (base, query) = halves(of: url)
        let slashed = base.hasSuffix("/") ? base : base + "/"
        if !path.isEmpty, !slashed.hasSuffix(path.hasSuffix("/") ? path : path + "/") {
            if let other = others.first(where: { slashed.hasSuffix($0 + "/") }) {
                base = String(slashed.dropLast(other.count + 1))
            }
            base += path.hasPrefix("/") && base.hasSuffix("/") ? String(path.dropFirst()) : path
        } else if path.hasSuffix("/"), !base.hasSuffix("/") {
            base += "/"
        } else if !path.isEmpty, !path.hasSuffix("/"), base.hasSuffix("/") {
            base.removeLast()
        }
        let given = Set(query.map { $0.prefix { $0 != "=" } })
        query += parameters.filter { !given.contains($0.prefix { $0 != "=" }) }
        return base + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The address without parameters that an app would fill in.
    static func withoutPlaceholders(_ url: String) -> String {
        let isOfPhoneTrack = url.contains("/apps/phonetrack/")
        return keeping(in: url) { !isPlaceholder($0, isBare: isOfPhoneTrack) }
    }

    /// The address with a field of ours in each parameter that an app would fill in, behind all others; `nil` where
    /// none of them is a place. Parameters without a corresponding field are left out.
    static func filled(_ url: String) -> String? {
        let (base, query) = halves(of: url)
        let placeholders = query.filter { isPlaceholder($0, isBare: false) }
        let filled = placeholders.compactMap { parameter -> String? in
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let field = Self.fields[parts[1]] else { return nil }
            return "\(parts[0])=%{\(field)}"
        }
        guard ["=%{latitude}", "=%{longitude}"].allSatisfy({ end in filled.contains { $0.hasSuffix(end) } }) else {
            return nil
        }
        let others = query.filter { !isPlaceholder($0, isBare: false) }
        return base + "?" + (others + filled).joined(separator: "&")
    }

    /// The fields with the same meaning as the words of GPSLogger and of OsmAnd.
    private static let fields: [Substring: String] = [
        "%LAT": "latitude", "%LON": "longitude", "%ALT": "altitude?", "%ACC": "accuracy?", "%SPD": "speed?",
        "%SPD_KPH": "speed:km/h?", "%DIR": "course?", "%SAT": "satellites?", "%TIME": "time",
        "%TIMESTAMP": "time:epoch",
        "%BATT": "battery:percent?", "%BAT": "battery:percent?", "%BATTCHARGING": "charging?",
        "%ISCHARGING": "charging?",
        "%AID": "device", "%SER": "device", "%ACT": "activity?", "%HDOP": "hdop?", "%PDOP": "pdop?", "{0}": "latitude",
        "{1}": "longitude", "{2}": "time:epochMilliseconds", "{3}": "accuracy?", "{4}": "altitude?", "{5}": "speed?",
        "{6}": "course?",
    ]

    /// The address without parameters of some names.
    ///
    /// - Parameter parameters: Parameters in the form `name=value`.
    static func without(_ parameters: [String], _ url: String) -> String {
        let names = Set(parameters.map { $0.prefix { $0 != "=" } })
        return keeping(in: url) { !names.contains($0.prefix { $0 != "=" }) }
    }

    private static func keeping(in url: String, _ isKept: (String) -> Bool) -> String {
        let (base, query) = halves(of: url)
        let kept = query.filter(isKept)
        return kept.count == query.count ? url : base + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// Whether a query has parameters that an app would fill in.
    static func hasPlaceholders(_ url: String) -> Bool {
        halves(of: url).query.contains { isPlaceholder($0, isBare: false) }
    }

    /// The names of the parameters of an address.
    static func names(in url: String) -> Set<String> {
        Set(halves(of: url).query.map { String($0.prefix { $0 != "=" }) })
    }

    /// The address before its query, and the parameters of the query.
    private static func halves(of url: String) -> (base: String, query: [String]) {
        let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (
            halves.first.map(String.init) ?? "",
            halves.count == 2 ? halves[1].split(separator: "&").map(String.init) : []
        )
    }

    /// Whether the value of a parameter is a placeholder of GPSLogger and Overland (`%LAT`) or of OsmAnd (`{0}`).
    ///
    /// - Parameter isBare: Whether the word may lack its percent sign (`LAT`), as in PhoneTrack's links.
    private static func isPlaceholder(_ parameter: String, isBare: Bool) -> Bool {
        let value = parameter.drop { $0 != "=" }.dropFirst()
        if value.first == "{", value.last == "}" { return Int(value.dropFirst().dropLast()) != nil }
        return value.first == "%" ? words.contains(value.dropFirst()) : isBare && words.contains(value)
    }

    private static let words: Set<Substring> = [
        "LAT", "LON", "ALT", "ACC", "SPD", "SPD_KPH", "DIR", "SAT", "TS", "TIME", "TIMEOFFSET", "TIMESTAMP",
        "STARTTIMESTAMP", "DATE", "BAT", "BATT", "BATTCHARGING", "ISCHARGING", "AID", "SER", "ACT", "DESC", "PROV",
        "HDOP", "VDOP", "PDOP", "DIST", "FILENAME", "PROFILE", "ALL",
    ]
}
