/// A part of a link that an app fills in: GPSLogger its words behind percent signs in either case (`%LAT`), OsmAnd
/// numbers in braces (`{0}`), anywhere in the address and also several in one value (`loc=%LAT,%LON`).
///
/// Source: https://github.com/mendhak/gpslogger, CustomUrlManager; OsmAnd's LiveMonitoringHelper
struct AppLinkText {
    enum Part: Equatable {
        case literal(String)
        /// A word, and the field of ours with the same meaning, `nil` if there is none.
        case placeholder(String, field: String?)
    }

    private(set) var parts: [Part] = []

    init(_ text: some StringProtocol) {
        var literal = ""
        var rest = Substring(text)
        var previousEscapeEnd: String.Index?
        while let mark = rest.firstIndex(where: { $0 == "%" || $0 == "{" }) {
            literal += rest[..<mark]
            rest = rest[mark...]
            let digits = rest.dropFirst().prefix(2)
            let isEscape = rest.first == "%" && digits.count == 2 && digits.allSatisfy(\.isHexDigit)
            // Directly behind another escape, as in %E2%82%ACC, %AC is the rest of a character.
            if let word = Self.placeholder(at: rest), !(isEscape && previousEscapeEnd == mark) {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                parts.append(.placeholder(String(rest.prefix(word.length)), field: word.field))
                rest = rest.dropFirst(word.length)
            } else {
                if isEscape { previousEscapeEnd = digits.endIndex }
                literal.append(rest.removeFirst())
            }
        }
        if !literal.isEmpty || !rest.isEmpty { parts.append(.literal(literal + rest)) }
    }

    /// Whether an app fills in something.
    var hasPlaceholders: Bool { parts.contains { if case .placeholder = $0 { true } else { false } } }

    /// The text with fields of ours; `nil` if there is none for a placeholder. A placeholder alone leaves its parameter
    /// out where the value is unknown; one beside others is empty then.
    func filled(isPath: Bool = false) -> String? {
        let isAlone = parts.count == 1 && !isPath
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(_, let field):
                guard let field else { return nil }
                text += "%{" + (isAlone || field.last != "?" ? field : String(field.dropLast())) + "}"
            }
        }
        return text
    }

    /// The first placeholder beside other text for which there is no field.
    var unknownBesideOthers: String? {
        guard parts.count > 1 else { return nil }
        for case .placeholder(let word, field: nil) in parts { return word }
        return nil
    }

    /// The placeholder with which a text begins; of several words the longest.
    private static func placeholder(at text: some StringProtocol) -> (length: Int, field: String?)? {
        if text.first == "{" {
            let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard (1...2).contains(digits.count), text.dropFirst(digits.count + 1).first == "}" else { return nil }
            return (digits.count + 2, Int(digits).flatMap { numbered.indices.contains($0) ? numbered[$0] : nil })
        }
        let letters = text.dropFirst().prefix(longest).uppercased()
        for length in stride(from: letters.count, to: 1, by: -1) {
            if let field = words[String(letters.prefix(length))] { return (length + 1, field) }
        }
        return nil
    }

    /// The fields of OsmAnd's numbers.
    private static let numbered = [
        "latitude", "longitude", "time:epochMilliseconds", "accuracy?", "altitude?", "speed?", "course?",
    ]

    /// The fields of GPSLogger's words, and of those of Overland and PhoneTrack.
    private static let words: [String: String?] = [
        "LAT": "latitude", "LON": "longitude", "ALT": "altitude?", "ACC": "accuracy?", "SPD": "speed?",
        "SPD_KPH": "speed:km/h?", "DIR": "course?", "SAT": "satellites?", "TIME": "time", "TIMEOFFSET": "time",
        "TIMESTAMP": "time:epoch", "TS": "time:epoch", "BAT": "battery:percent?", "BATT": "battery:percent?",
        "BATTCHARGING": "charging?", "ISCHARGING": "charging?", "CHARGING": "charging?", "AID": "device",
        "SER": "device", "ACT": "activity?", "HDOP": "hdop?", "PDOP": "pdop?", "VDOP": nil, "DATE": nil,
        "STARTTIMESTAMP": nil, "DESC": nil, "PROV": nil, "DIST": nil, "FILENAME": nil, "PROFILE": nil, "ALL": nil,
    ]

    private static let longest = 14

    /// Whether a text is one of the words, without its percent sign.
    static func isWord(_ text: some StringProtocol) -> Bool { words[String(text)] != nil }
}
