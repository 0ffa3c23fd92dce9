package import TrackEngine
public import TrackEngineSettings

extension ReplaySource {
    /// `type: replay`: recorded files.
    public static let plugin = SourcePlugin(ReplaySettings.self)
}

/// `{type: replay, path: drive.nmea, speed: 10}`: recorded files, one after the other.
package struct ReplaySettings: RecordedSettings {
    package static let type = "replay"
    package static let summary = "Recorded files, one after the other."

    /// The files, at least one; a single text or a list. Those that gzip or zip packed are unpacked.
    package var paths: [String] = []
    /// The format of the files; by default it is recognised by their contents.
    package var format: Format?
    /// The begin of the UTC day on which each file begins, for NMEA that has no dates.
    package var date: Timestamp?
    /// The zone of times that are written without one: a name for `ZoneOffsetTable`. Default UTC.
    package var timeZone = "UTC"
    /// How fast they are replayed. Default 1, as in life.
    package var speed = Speed.times(1)
    /// Begins again at the end. Default false; not possible at speed `max`, which would never come to rest.
    package var loop = false
    /// Replays the files though the store has them already; `trackd run --again` sets it, no file does.
    package var startsOver = false

    package init() {}

    /// The formats of recorded files.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// NMEA 0183 sentences.
        case nmea
        /// GPX 1.0 or 1.1.
        case gpx
        /// gpsd's reports, one JSON object a line.
        case gpsd
        /// Overland requests or GeoJSON.
        case overland
        /// The same under its other name.
        case geojson
        /// CalmGeo's records, one JSON object a line or an array.
        case calmgeo
        /// Comma-separated values with a header.
        case csv
        /// KML's tracks and points with a time.
        case kml
        /// Garmin's Training Center Database.
        case tcx
    }

    /// The pace of a replay.
    package enum Speed: Sendable, Hashable {
        /// So many times as fast as recorded, within `ReplayPace.speeds`.
        case times(Double)
        /// As fast as the machine can, on the fixes' own time.
        case maximum
    }

    package static let fields: [Field<Self>] = [
        .value("path", \.paths, .paths, show: { .texts($0) }).required()
            .meaning("The recorded file, or several that make one recording; gzip and zip are unpacked."),
        .choice("format", \.format).meaning("The format of the files; null detects it in each file."),
        .value("date", \.date, .day, show: { .text(String($0.rfc3339(.nanoseconds).prefix(10))) })
            .meaning("The UTC day on which each file begins, for NMEA sentences without a date; null for none."),
        .text("timeZone", \.timeZone, .zone)
            .meaning("The zone of times that are written without one: UTC, an offset such as +01:00, or a name."),
        .value("speed", \.speed, .speed, show: \.shown)
            .meaning("How many times as fast as recorded the files are replayed; max for as fast as the machine can."),
        .flag("loop", \.loop).meaning("Begins again at the end."),
    ]

    package mutating func startOver() { startsOver = true }

    package mutating func check(_ table: inout TableDecoder) {
        for path in paths where !TextRule.path.isSatisfied(by: path) {
            table.reject("path", path.quoted(atMost: 200), TextRule.path.expectation)
        }
        if loop, paths.count > 1 {
            table.reject("loop", nil, "false with several files, because their times would go backward")
        }
        if loop, speed == .maximum { table.reject("loop", nil, "false at speed max, which would never come to rest") }
    }
}

extension ValueRule<[String]> {
    /// A path or several.
    fileprivate static var paths: ValueRule {
        ValueRule(.list, "a path or a list of paths") { node in
            if let text = node.text { return TextRule.line.isSatisfied(by: text) ? [text] : nil }
            guard let elements = node.elements, !elements.isEmpty else { return nil }
            let texts = elements.compactMap(\.text).filter(TextRule.line.isSatisfied(by:))
            return texts.count == elements.count ? texts : nil
        }
    }
}

extension ValueRule<Timestamp> {
    fileprivate static var day: ValueRule {
        ValueRule(.time, ReplayOptions.dayForm) { node in node.text.flatMap { ReplayOptions.startDate($0) } }
    }
}

extension TextRule {
    fileprivate static let zone = TextRule(expectation: ZoneOffsetTable.nameExpectation) {
        ZoneOffsetTable(name: $0) != nil
    }
}

extension ValueRule<ReplaySettings.Speed> {
    fileprivate static var speed: ValueRule {
        let range = ReplayPace.speeds
        return ValueRule(.number, "\(range.lowerBound.written) to \(range.upperBound.written), or max") { node in
            if node.text == "max" { return .maximum }
            return node.number.flatMap { range.contains($0) ? .times($0) : nil }
        }
    }
}

extension ReplaySettings.Speed {
    fileprivate var shown: ConfigurationValue {
        switch self {
        case .times(let factor): .word(factor.written)
        case .maximum: .text("max")
        }
    }
}

extension ConfigurationValue {
    fileprivate static func texts(_ texts: [String]) -> ConfigurationValue {
        if let only = texts.first, texts.count == 1 { return .text(only) }
        return .list(texts.map { .text($0) })
    }
}
