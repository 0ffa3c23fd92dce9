package import TrackEngine

/// KML 2.2 with Google's extension for tracks: a placemark per source and trip (``TrackSegmentRule``).
///
/// The schema of `gx:Track` requires all times before all places. To meet that in constant memory, a trip is a
/// `gx:MultiTrack` of pieces with at most ``pieceLength`` points; each piece begins where the previous one ended, so
/// the line has no gaps. Altitudes are above mean sea level, 0 if unknown, and `clampToGround` prevents a noisy
/// altitude from drawing the line below the ground.
package struct KMLWriter: TrackWriter {
    /// The number of points that are held before they are written.
    package static let pieceLength = 256

    private struct Point {
        let coordinate: Coordinate
        let altitude: Double?
        let time: Timestamp
    }

    private var segmentation = TrackSegmentRule()
    private var isOpen = false
    private var piece: [Point] = []

    package init() {}

    package mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document><name>trackd</name>

            """)
    }

    package mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8]) {
        switch segmentation.next(record) {
        case .line: break
        case .segment, .track:
            closeTrip(&bytes)
            openTrip(of: record.source, &bytes)
        }
        let fix = record.fix
        piece.append(Point(coordinate: fix.coordinate, altitude: fix.altitude, time: fix.time))
        if piece.count == Self.pieceLength {
            appendPiece(to: &bytes)
            piece = piece.suffix(1)
        }
    }

    package mutating func end(_ bytes: inout [UInt8]) {
        closeTrip(&bytes)
        bytes.append("</Document>\n</kml>\n")
    }

    private mutating func openTrip(of source: SourceID, _ bytes: inout [UInt8]) {
        isOpen = true
        bytes.append("<Placemark>")
        bytes.appendXML("name") { $0.appendXML(source.rawValue) }
        bytes.append("<gx:MultiTrack><gx:interpolate>1</gx:interpolate>\n")
    }

    private mutating func closeTrip(_ bytes: inout [UInt8]) {
        guard isOpen else { return }
        isOpen = false
        appendPiece(to: &bytes)
        piece.removeAll(keepingCapacity: true)
        bytes.append("</gx:MultiTrack></Placemark>\n")
    }

    private func appendPiece(to bytes: inout [UInt8]) {
        bytes.append("<gx:Track><altitudeMode>clampToGround</altitudeMode>\n")
        for point in piece {
            bytes.appendXML("when") { $0.appendExact(point.time) }
            bytes.append("\n")
        }
        for point in piece {
            bytes.appendXML("gx:coord") { bytes in
                bytes.appendFixed(point.coordinate.longitude, decimals: 9)
                bytes.append(" ")
                bytes.appendFixed(point.coordinate.latitude, decimals: 9)
                bytes.append(" ")
                bytes.appendFixed(point.altitude ?? 0, decimals: 3)
            }
            bytes.append("\n")
        }
        bytes.append("</gx:Track>\n")
    }
}
