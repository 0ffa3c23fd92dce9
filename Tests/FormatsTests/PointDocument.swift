import TrackEngine
import TrackEngineFiles

/// A point as another program would write it: the texts stand in the document as they are.
struct Point {
    var time = "2026-03-01T10:00:00Z"
    var latitude = "1"
    var longitude = "2"

    /// Points a second apart, numbered by their latitudes from 1 on.
    static func numbered(_ count: Int) -> [Point] {
        (1...count).map { Point(time: "2026-03-01T10:00:\($0 < 10 ? "0" : "")\($0)Z", latitude: "\($0)") }
    }
}

/// Documents of the formats that hold times as texts, made by hand and not by a writer of ours; each point is a line.
enum PointDocument {
    static let formats: [TrackFormat] = [.gpx, .geojson, .kml, .csv, .ndjson]

    static func text(_ format: TrackFormat, _ points: [Point]) -> String {
        let (head, tail) = frame(of: format)
        let separator = format == .geojson ? ",\n" : "\n"
        return head + points.map { line(format, $0) }.joined(separator: separator) + "\n" + tail
    }

    /// What stands before the first point and behind the last one.
    static func frame(of format: TrackFormat) -> (head: String, tail: String) {
        switch format {
        case .gpx: ("<gpx><trk><trkseg>\n", "</trkseg></trk></gpx>\n")
        case .kml: ("<kml><Document>\n", "</Document></kml>\n")
        case .geojson: ("{\"type\":\"FeatureCollection\",\"features\":[\n", "]}\n")
        case .csv: ("time,lat,lon\n", "")
        case .ndjson, .nmea: ("", "")
        }
    }

    static func line(_ format: TrackFormat, _ point: Point) -> String {
        switch format {
        case .gpx: "<trkpt lat=\"\(point.latitude)\" lon=\"\(point.longitude)\"><time>\(point.time)</time></trkpt>"
        case .kml:
            "<Placemark><TimeStamp><when>\(point.time)</when></TimeStamp>"
                + "<Point><coordinates>\(point.longitude),\(point.latitude)</coordinates></Point></Placemark>"
        case .geojson:
            "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(point.longitude),\(point.latitude)]},"
                + "\"properties\":{\"timestamp\":\"\(point.time)\"}}"
        case .csv: "\(point.time),\(point.latitude),\(point.longitude)"
        case .ndjson:
            "{\"timestamp\":\"\(point.time)\",\"coords\":{\"latitude\":\(point.latitude),\"longitude\":\(point.longitude)}}"
        case .nmea: ""
        }
    }
}
