import TrackEngine
import TrackEngineFiles
import TrackEngineHistory

/// Writes a device's points as one document, a page of the history at a time.
package struct HistoryExport: Sendable {
    let history: TrackHistory
    let query: ReadingQuery
    let format: TrackFormat
    /// Each page waits for its turn, as questions do: many exports must not delay senders.
    private let turns: QueryLimiter
    private let owner: QueryLimiter.Owner

    /// How many points are read at once.
    package static let pageLength = 2_000

    /// The export for a request: `device`, `from`, `to` and `format` (gpx, geojson, kml, csv, ndjson, nmea).
    init(
        _ parameters: ParameterList, of history: TrackHistory, _ turns: QueryLimiter, by owner: QueryLimiter.Owner
    ) throws(ReadingQuery.Malformed) {
        guard let format = TrackFormat(rawValue: parameters["format"] ?? "gpx") else {
            throw ReadingQuery.Malformed(
                "format", "one of \(TrackFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.history = history
        self.turns = turns
        self.owner = owner
        self.format = format
        query = try ReadingQuery(parameters)
    }

    /// Hands the document over in pieces.
    ///
    /// - Parameter mayGoOn: whether its reader still has the right to it, which is asked before each page.
    /// - Throws: `CancellationError` when it has not. The document then has no end.
    @inline(never)  // Swift 6.3 cannot optimise this loop together with its argument
    func run(while mayGoOn: () -> Bool, _ hand: ([UInt8]) async throws -> Void) async throws {
        var writer = format.makeWriter()
        var bytes: [UInt8] = []
        writer.begin(&bytes)
        var pages = HistoryPages(history: history, query: query, turns: turns, owner: owner)
        while let page = try await pages.next() {
            guard mayGoOn() else { throw CancellationError() }
            for point in page { writer.append(RecordDraft(point, of: query.device), to: &bytes) }
            if !bytes.isEmpty { try await hand(bytes) }
            bytes.removeAll(keepingCapacity: true)
        }
        writer.end(&bytes)
        if !bytes.isEmpty { try await hand(bytes) }
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

/// A device's points, one page after the other.
private struct HistoryPages {
    let history: TrackHistory
    let query: ReadingQuery
    let turns: QueryLimiter
    let owner: QueryLimiter.Owner
    private var position: HistoryPointPosition?
    private var isAtEnd = false

    init(history: TrackHistory, query: ReadingQuery, turns: QueryLimiter, owner: QueryLimiter.Owner) {
        (self.history, self.query, self.turns, self.owner) = (history, query, turns, owner)
    }

    /// The next page; `nil` behind the last one.
    mutating func next() async throws -> [HistoryPoint]? {
        guard !isAtEnd else { return nil }
        try Task.checkCancellation()
        let page = try await read(after: position)
        position = page.next
        isAtEnd = position == nil
        return page.points
    }

    private func read(after position: HistoryPointPosition?) async throws -> HistoryPointPage {
        try await turns.take(of: owner, waitingAmongAnyNumber: true) {
            try await history.points(
                of: query.device, during: query.times, after: position, limit: HistoryExport.pageLength)
        }
    }
}

extension RecordDraft {
    /// A point of a history as a record.
    fileprivate init(_ point: HistoryPoint, of device: DeviceID) {
        // Writers name the track by the source.
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
