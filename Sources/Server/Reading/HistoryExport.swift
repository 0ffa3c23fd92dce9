import SenderFormats
import TrackEngine
import TrackEngineFormats
import TrackEngineHistory

/// Writes a device's points as one document, a page of the history at a time.
package struct HistoryExport: Sendable {
    let history: TrackHistory
    let query: ReadingQuery
    let format: TrackFormat
    /// Each page waits for its turn, as questions do, so that many exports keep no sender waiting.
    private let turns: ReadingTurns

    /// How many points are read at once, unless there are more of one millisecond.
    package static let pageLength = 2_000

    /// An export of what is asked for: `device`, `from`, `to` and `format` (gpx, geojson, kml, csv, ndjson, nmea).
    init(
        _ parameters: FormParameters, of history: TrackHistory, _ turns: ReadingTurns
    ) throws(ReadingQuery.Malformed) {
        guard let format = TrackFormat(rawValue: parameters["format"] ?? "gpx") else {
            throw ReadingQuery.Malformed(
                "format", "one of \(TrackFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.history = history
        self.turns = turns
        self.format = format
        query = try ReadingQuery(parameters)
    }

    /// Hands the document over in pieces.
    func run(_ hand: ([UInt8]) async throws -> Void) async throws {
        var writer = format.makeWriter()
        var bytes: [UInt8] = []
        writer.begin(&bytes)
        var begin = query.times.lowerBound
        var latest: Set<HistoryPoint> = []
        var length = Self.pageLength
        while true {
            try Task.checkCancellation()
            let page = try await page(from: begin, atMost: length)
            // The next page begins with the millisecond in which this one ends.
            for point in page where !latest.contains(point) {
                writer.append(RecordDraft(point, of: query.device), to: &bytes)
            }
            if !bytes.isEmpty { try await hand(bytes) }
            bytes.removeAll(keepingCapacity: true)
            guard page.count == length, let last = page.last else { break }
            // A page that is all of one millisecond leads nowhere; a longer one does.
            length = latest.count == page.count ? 2 * length : Self.pageLength
            begin = last.fix.time
            latest = Set(page.filter { $0.fix.time == last.fix.time })
        }
        writer.end(&bytes)
        if !bytes.isEmpty { try await hand(bytes) }
    }

    private func page(from begin: Timestamp, atMost length: Int) async throws -> [HistoryPoint] {
        try await turns.take(waitingAmongAnyNumber: true) {
            try await history.points(of: query.device, during: begin..<query.times.upperBound, limit: length)
        }
    }

    /// The name under which a browser keeps the document.
    var fileName: String {
        let device = query.device.rawValue.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_".unicodeScalars.contains(scalar)
                ? Character(scalar) : "-"
        }
        return "\(String(device))-\(query.times.lowerBound.rfc3339(.seconds).prefix(10)).\(format.rawValue)"
    }

    /// The media type of the document.
    var mediaType: String {
        switch format {
        case .gpx: "application/gpx+xml"
        case .geojson: "application/geo+json"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .csv: "text/csv; charset=utf-8"
        case .ndjson: "application/x-ndjson"
        case .nmea: "text/plain; charset=us-ascii"
        }
    }
}

extension RecordDraft {
    /// A point of a history as a record.
    fileprivate init(_ point: HistoryPoint, of device: DeviceID) {
        // By which writers name the track.
        let source = SourceID(rawValue: device.rawValue)
        let id: RecordID =
            switch point.senderID {
            case .record(let id): id
            case .text, nil: RecordID(device: device, source: source, fix: point.fix, cause: .requested)
            }
        self.init(
            id: id, fix: point.fix, isMoving: point.isMoving ?? ((point.fix.speed ?? 0) > 0), cause: .requested,
            activity: point.fix.activity.map { ActivityEstimate($0, confidence: 100) }, source: source, host: point.host
        )
    }
}
