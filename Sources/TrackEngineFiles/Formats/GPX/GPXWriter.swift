package import TrackEngine

/// GPX 1.1: a track per source, a segment per trip (``TrackSegmentRule``).
///
/// The elements of a point are in the order of the schema's sequence (`wptType` in
/// <https://www.topografix.com/GPX/1/1/gpx.xsd>). `ele` is the height above mean sea level, and `geoidheight` is the
/// height of the sea level above the ellipsoid. Speed and course are in Garmin's TrackPointExtension v2; accuracies,
/// id and event are in TrackEngine's own elements.
package struct GPXWriter: TrackWriter {
    private var segmentation = TrackSegmentRule()
    private var isOpen = false

    package init() {}

    package mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="trackd" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:te="urn:trackengine:gpx:1" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd \
            http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
            https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

            """)
    }

    package mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8]) {
        switch segmentation.next(record) {
        case .line: break
        case .segment: bytes.append("</trkseg><trkseg>\n")
        case .track:
            if isOpen { bytes.append("</trkseg></trk>\n") }
            bytes.append("<trk>")
            bytes.appendXML("name") { $0.appendXML(record.source.rawValue) }
            bytes.append("<trkseg>\n")
        }
        isOpen = true
        appendPoint(record, to: &bytes)
    }

    package mutating func end(_ bytes: inout [UInt8]) {
        if isOpen { bytes.append("</trkseg></trk>\n") }
        isOpen = false
        bytes.append("</gpx>\n")
    }

    private func appendPoint(_ record: RecordDraft, to bytes: inout [UInt8]) {
        let fix = record.fix
        bytes.append("<trkpt lat=\"")
        bytes.appendFixed(fix.coordinate.latitude, decimals: 9)
        bytes.append("\" lon=\"")
        bytes.appendFixed(fix.coordinate.longitude, decimals: 9)
        bytes.append("\">")
        bytes.appendXML("ele", fix.altitude, decimals: 3)
        bytes.appendXML("time") { fix.time.appendRFC3339(to: &$0, .milliseconds) }
        if let altitude = fix.altitude, let ellipsoidal = fix.ellipsoidalAltitude {
            bytes.appendXML("geoidheight", ellipsoidal - altitude, decimals: 3)
        }
        if let kind = fix.gpxKind { bytes.appendXML("fix") { $0.append(kind) } }
        bytes.appendXML("sat", fix.satellitesUsed.map { Double($0) }, decimals: 0)
        bytes.appendXML("hdop", fix.horizontalDilution.map { Double($0) }, decimals: 2)
        bytes.appendXML("pdop", fix.positionDilution.map { Double($0) }, decimals: 2)
        appendExtensions(of: record, to: &bytes)
        bytes.append("</trkpt>\n")
    }

    private func appendExtensions(of record: RecordDraft, to bytes: inout [UInt8]) {
        let fix = record.fix
        bytes.append("<extensions>")
        if fix.speed != nil || fix.course != nil {
            bytes.appendXML("gpxtpx:TrackPointExtension") { bytes in
                bytes.appendXML("gpxtpx:speed", fix.speed, decimals: 3)
                bytes.appendXML("gpxtpx:course", fix.course, decimals: 2)
            }
        }
        bytes.appendXML("te:accuracy", fix.horizontalAccuracy, decimals: 3)
        bytes.appendXML("te:verticalAccuracy", fix.verticalAccuracy, decimals: 3)
        bytes.appendXML("te:id") { $0.appendXML(record.id.description) }
        if let event = record.event { bytes.appendXML("te:event") { $0.appendXML(event.name) } }
        bytes.append("</extensions>")
    }
}

extension Fix {
    /// The schema's `fixType`.
    fileprivate var gpxKind: StaticString? {
        switch status {
        case .differential, .rtkFixed, .rtkFloat: "dgps"
        case .precise: "pps"
        case .normal, .deadReckoning, .combined, .surveyed, .simulated, nil:
            switch mode {
            case .twoDimensional: "2d"
            case .threeDimensional: "3d"
            case nil: nil
            }
        }
    }
}
