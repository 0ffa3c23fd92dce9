internal import TrackEngine

/// Reads KML 2.2: the points of each `gx:Track`, and each `Placemark` that has a `Point` and a `TimeStamp` or
/// `TimeSpan`, in the order of the file.
///
/// Of a `TimeSpan` the begin counts: the object was at the `Point`, or at the first place of the `LineString`, then. A
/// date alone begins with the day. The end counts for a `Point` where there is no begin.
/// Its positions between begin and end of a line are unknown, and so is its position on a line with a `TimeStamp`:
/// that is reported. Lines without a time and areas are no fixes and are ignored; of several points in one placemark
/// it is unknown which one the time belongs to. Where the pieces of a `gx:MultiTrack` touch, the point that both have
/// is one fix.
struct KMLDecoder: XMLTrackDecoder {
    static let root = "kml"
    static let content = "a gx:Track, or a Placemark with a Point and a TimeStamp or TimeSpan"

    /// The relevant elements.
    private enum Element {
        case root, placemark, multiTrack, track, point, line, time, begin, end, view, place, coordinates, heightMode
    }

    private static let elements = NameTable<Element>([
        "kml": .root, "Placemark": .placemark, "MultiTrack": .multiTrack, "Track": .track, "Point": .point,
        "LineString": .line, "when": .time, "begin": .begin, "end": .end, "LookAt": .view, "Camera": .view,
        "coord": .place,
        "coordinates": .coordinates, "altitudeMode": .heightMode,
    ])

    /// The position of the reader.
    private enum Place {
        /// Outside of a placemark, or in an irrelevant part of one.
        case outside
        /// In a `gx:Track`.
        case track(KMLTrack)
        /// In the `Point` of a placemark.
        case point
        /// In the `LineString` of a placemark.
        case line
        /// In a view of the map, which has times that do not belong to the placemark.
        case view
    }

    /// The data of a placemark outside its tracks.
    private struct Placemark {
        var time: Timestamp?
        /// Whether a span has a beginning, readable or not.
        var hasBegin = false
        /// Whether the time is the end of a span.
        var isEnd = false
        /// The number of times in a `TimeStamp`.
        var timeCount = 0
        /// The line of an invalid time.
        var malformedTimeLine: Int?
        var place: KMLPlace?
        /// The number of points.
        var placeCount = 0
        /// The first place of a line, and the line of its text.
        var lineStart: (place: KMLPlace, line: Int)?
    }

    private let names = KMLDecoder.elements
    private let zone: ZoneOffsetTable
    var document = XMLDocument()
    private var place = Place.outside
    private var heightMode = KMLPlace.AltitudeMode.clampToGround
    /// The open placemark.
    private var placemark = Placemark()
    /// In a `gx:MultiTrack`: the last fix of its pieces so far, and whether the next fix is the first of its piece.
    private var seam: (last: Fix?, isFirst: Bool)?
    /// How many placemarks have a point and no time, or a line and an empty one.
    private var untimedCount = 0

    /// - Parameter zone: The zone of times without one.
    init(zone: ZoneOffsetTable = .utc) { self.zone = zone }

    /// Discards the rest of a track or placemark, because its times would be assigned to other places.
    mutating func giveUp(into chunk: inout TrackChunk) {
        if case .track(var track) = place { deliver(track.cut(into: &chunk), into: &chunk) }
        place = .outside
        placemark = Placemark()
    }

    /// The meaning of the latest tag; `nil` for an irrelevant one.
    private var element: Element? { names[document.tokenizer.name.span] }

    mutating func start(into chunk: inout TrackChunk) {
        switch element {
        case .placemark, .multiTrack, .track, .point, .line: endOpenTrack(into: &chunk)
        case .root, .time, .begin, .end, .view, .place, .coordinates, .heightMode, nil: break
        }
        switch element {
        case .root: document.hasRoot = true
        case .placemark:
            placemark = Placemark()
            place = .outside
        case .multiTrack: seam = (nil, false)
        case .track:
            heightMode = .clampToGround
            seam?.isFirst = true
            chunk.beginTrack(line: document.line)
            place = .track(KMLTrack(line: document.line, zone: zone))
        case .point:
            heightMode = .clampToGround
            place = .point
        case .line:
            heightMode = .clampToGround
            place = .line
        case .view: if case .outside = place { place = .view }
        case .begin: placemark.hasBegin = true
        case .time, .end, .place, .coordinates, .heightMode, nil: break
        }
    }

    mutating func end(text: [UInt8], into chunk: inout TrackChunk) {
        let text = text.span.extracting(text.span.trimmedRange)
        switch element {
        case .root: endRoot(into: &chunk)
        case .placemark: endPlacemark(into: &chunk)
        case .multiTrack:
            endOpenTrack(into: &chunk)
            seam = nil
        case .track: endTrack(into: &chunk)
        case .point, .line: place = .outside
        case .view: if case .view = place { place = .outside }
        case .time: setTime(text, into: &chunk)
        case .begin: setBegin(text)
        case .end: setEnd(text)
        case .place: addPlace(text, into: &chunk)
        case .coordinates: setPoint(text, into: &chunk)
        case .heightMode: setHeightMode(text)
        case nil: break
        }
    }

    private mutating func endRoot(into chunk: inout TrackChunk) {
        document.hasRootEnd = true
        guard untimedCount > 0, document.hasPoint else { return }
        let count = "\(untimedCount) placemark\(untimedCount == 1 ? "" : "s")"
        chunk.report(
            .incomplete, line: document.line, "\(count) with a Point or LineString: expected a TimeStamp or TimeSpan")
        untimedCount = 0
    }

    private mutating func setHeightMode(_ text: Span<UInt8>) {
        heightMode = text.equals("absolute") ? .absolute : text.equals("clampToGround") ? .clampToGround : .relative
    }

    // MARK: A track

    private mutating func setTime(_ text: Span<UInt8>, into chunk: inout TrackChunk) {
        switch place {
        case .track(var track):
            place = .outside  // avoids a copy of the times
            let fixes = track.addTime(text, line: document.line, into: &chunk)
            place = .track(track)
            deliver(fixes, into: &chunk)
        case .view: break
        case .outside, .point, .line:
            placemark.timeCount += 1
            setPlacemarkTime(zone.time(text), text)
        }
    }

    /// Sets the beginning of a `TimeSpan`.
    private mutating func setBegin(_ text: Span<UInt8>) {
        switch place {
        case .track, .view: break
        case .outside, .point, .line:
            placemark.hasBegin = text.count > 0
            guard placemark.timeCount == 0 else { return }
            setPlacemarkTime(zone.time(text) ?? TimeText(text)?.midnight(in: zone), text)
        }
    }

    /// Sets the end of a `TimeSpan` without a beginning.
    private mutating func setEnd(_ text: Span<UInt8>) {
        switch place {
        case .track, .view: break
        case .outside, .point, .line:
            guard placemark.timeCount == 0, placemark.time == nil, !placemark.hasBegin else { return }
            setPlacemarkTime(zone.time(text), text)
            placemark.isEnd = true
        }
    }

    private mutating func setPlacemarkTime(_ time: Timestamp?, _ text: Span<UInt8>) {
        placemark.isEnd = false
        placemark.time = time
        placemark.malformedTimeLine = placemark.time == nil && text.count > 0 ? document.line : nil
    }

    private mutating func addPlace(_ text: Span<UInt8>, into chunk: inout TrackChunk) {
        guard case .track(var track) = place else { return }
        place = .outside
        let found = KMLPlace(text, heightMode)
        if found != nil { document.hasPoint = true }
        let fixes = track.addPlace(found, line: document.line, into: &chunk)
        place = .track(track)
        deliver(fixes, into: &chunk)
        if found == nil {
            chunk.report(.malformed, line: document.line, "gx:coord: expected longitude, latitude and height")
        }
    }

    private mutating func endTrack(into chunk: inout TrackChunk) {
        guard case .track(var track) = place else { return }
        place = .outside
        deliver(track.end(into: &chunk), into: &chunk)
    }

    /// Ends a track with a missing end tag.
    private mutating func endOpenTrack(into chunk: inout TrackChunk) {
        guard case .track(var track) = place else { return }
        place = .outside
        deliver(track.cut(into: &chunk), into: &chunk)
        chunk.report(.malformed, line: document.line, "gx:Track: expected </gx:Track> before the next tag")
    }

    /// Delivers the fixes of a track, without the one at which the pieces of a `gx:MultiTrack` meet.
    private mutating func deliver(_ fixes: [Fix], into chunk: inout TrackChunk) {
        for fix in fixes {
            if seam?.isFirst != true || seam?.last != fix { chunk.fixes.append(fix) }
            if seam != nil { seam = (fix, false) }
        }
    }

    // MARK: A point

    private mutating func setPoint(_ text: Span<UInt8>, into chunk: inout TrackChunk) {
        var found: KMLPlace?
        switch place {
        case .outside, .track, .view: return
        case .point:
            found = KMLPlace(text, heightMode)
            placemark.place = found
            placemark.placeCount += 1
        case .line:
            let end = (0..<text.count).first { text[$0].isWhiteSpace } ?? text.count
            found = KMLPlace(text.extracting(0..<end), heightMode)
            placemark.lineStart = found.map { ($0, document.line) }
        }
        if found == nil {
            chunk.report(.malformed, line: document.line, "coordinates: expected longitude, latitude and height")
        }
    }

    /// Of a line with a span the first place has a time; all others, and other lines with a time, are reported.
    private mutating func takeLine(into chunk: inout TrackChunk) {
        guard let start = placemark.lineStart else { return }
        guard placemark.time != nil else {
            let hasEmptyTime = placemark.timeCount > 0 && placemark.malformedTimeLine == nil
            if placemark.place == nil, hasEmptyTime { untimedCount += 1 }
            return
        }
        var message = "LineString: expected a time for each place"
        if placemark.place == nil, placemark.timeCount == 0, !placemark.isEnd {
            placemark.place = start.place
            message += ", only the first one has one"
        }
        chunk.report(.incomplete, line: start.line, message)
    }

    private mutating func endPlacemark(into chunk: inout TrackChunk) {
        endOpenTrack(into: &chunk)
        defer {
            placemark = Placemark()
            place = .outside
        }
        takeLine(into: &chunk)
        if let line = placemark.malformedTimeLine, placemark.place != nil || placemark.lineStart != nil {
            chunk.report(.malformed, line: line, "when: expected the time as RFC 3339")
        }
        guard let found = placemark.place else { return }
        guard let time = placemark.time else {
            if placemark.malformedTimeLine == nil { untimedCount += 1 }
            return
        }
        document.hasPoint = true
        guard placemark.placeCount < 2, placemark.timeCount < 2 else {
            return chunk.report(.incomplete, line: document.line, "Placemark: expected one Point and one time")
        }
        chunk.fixes.append(Fix(time: time, coordinate: found.coordinate, altitude: found.altitude))
    }
}
