internal import TrackEngine

/// Converts track objects to fixes.
struct TrackElementParser: JSONElementParser, LineParser {
    /// The longest accepted line: an Overland feature has about 500 bytes.
    static let maximumLength = 65_536

    private let names = TrackElement.names
    private let zone: ZoneOffsetTable
    private var origin = TimeOrigin()
    private var timeline = TimelineOrder()
    private var hasReportedSignals = false
    private var choice = TrackDeviceChoice()

    /// - Parameter zone: The zone of times without one.
    init(zone: ZoneOffsetTable) { self.zone = zone }

    mutating func parse(_ element: Span<UInt8>, line: Int, into chunk: inout TrackChunk) {
        guard let found = TrackElement(element, names: names, zone: zone) else {
            return chunk.report(.malformed, line: line, "expected a JSON object")
        }
        switch found.kind {
        case .scan: return
        case .segment: return take(TimelineSegment(element, zone: zone), line: line, into: &chunk)
        case .location, .trip, .action, .message, .encrypted: break
        }
        timeline.flush(into: &chunk)
        if found.kind == .location, var places = GeoJSONLine(found) {
            guard choice.takes(found.object, in: element, isFix: true, line: line, into: &chunk) else { return }
            return places.deliver(element, &origin, line: line, into: &chunk)
        }
        switch found.fix() {
        case .success(let fix) where found.hasNumericTime && !origin.accepts(fix.time):
            chunk.report(.malformed, line: line, TimeOrigin.expectation)
        case .success(let fix):
            let isFix = fix.coordinate.isValid && !fix.coordinate.isOnAxis
            guard choice.takes(found.object, in: element, isFix: isFix, line: line, into: &chunk) else { return }
            take(fix, line: line, into: &chunk)
        case .failure(let refusal): chunk.report(refusal.kind, line: line, refusal.message)
        }
    }

    private mutating func take(_ segment: TimelineSegment, line: Int, into chunk: inout TrackChunk) {
        timeline.add(segment.fixes, into: &chunk)
        guard segment.defects > 0 else { return }
        let message = "expected a time and degrees for each place: \(segment.defects) have none"
        chunk.report(.malformed, line: line, message)
    }

    /// Adds a fix. The signals after the segments of a timeline repeat the data of its last weeks, and are skipped.
    private mutating func take(_ fix: Fix, line: Int, into chunk: inout TrackChunk) {
        guard let latest = timeline.latest, fix.time < latest else { return chunk.fixes.append(fix) }
        if !hasReportedSignals {
            chunk.report(.incomplete, line: line, "positions before the end of the segments are passed over")
        }
        hasReportedSignals = true
    }

    /// Parses a line with one object.
    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        guard !line.trimmedRange.isEmpty, line[0] != UInt8(ascii: "#") else { return }
        let content = OwnTracksLine.content(of: line) ?? 0..<line.count
        parse(line.extracting(content), line: number, into: &chunk)
    }

    mutating func finish(into chunk: inout TrackChunk) { timeline.flush(into: &chunk) }
}

/// Reads GeoJSON (RFC 7946) with points that have a time or lines with times, Overland bodies, which differ only in
/// their envelope, Google's `Records.json`, `Timeline.json` and Semantic Location History, positions of Traccar's API
/// and of OwnTracks Recorder's: one document, or any number of documents or
/// features in sequence.
///
/// At most one feature is held in memory, regardless of the document's size.
struct GeoJSONDecoder: TrackDecoder {
    /// The largest accepted object: a line of a day with a position and a time every one and a half seconds.
    static let maximumLength = 4 << 20

    private var elements = JSONElementSplitter(maximumLength: GeoJSONDecoder.maximumLength)
    private var parser: TrackElementParser

    /// - Parameter zone: The zone of times without one.
    init(zone: ZoneOffsetTable = .utc) { parser = TrackElementParser(zone: zone) }

    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk) {
        elements.push(bytes, to: &parser, into: &chunk)
    }

    mutating func finish(into chunk: inout TrackChunk) {
        elements.finish(to: &parser, into: &chunk)
        parser.finish(into: &chunk)
    }
}
