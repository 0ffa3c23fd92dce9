internal import TrackEngine

/// Reads KML 2.2: the points of each `gx:Track`, and each `Placemark` that has a `Point` and a `TimeStamp`, in the order of
/// the file.
///
/// Placemarks without a time, lines and areas are no fixes and are passed over. Where the pieces of a `gx:MultiTrack`
/// touch, the point that both have is one fix.
struct KMLDecoder: XMLTrackDecoder {
    static let root = "kml"
    static let content = "a gx:Track, or a Placemark with a Point and a TimeStamp"

    /// The elements that count.
    private enum Element {
        case root, placemark, multiTrack, track, point, time, place, coordinates, heightMode
    }

    private static let elements = NameTable<Element>([
        "kml": .root, "Placemark": .placemark, "MultiTrack": .multiTrack, "Track": .track, "Point": .point,
        "when": .time, "coord": .place, "coordinates": .coordinates, "altitudeMode": .heightMode,
    ])

    /// Where the reader is.
    private enum Place {
        /// Outside of a placemark, or in a part of one that does not count.
        case outside
        /// In a `gx:Track`.
        case track(KMLTrack)
        /// In the `Point` of a placemark.
        case point
    }

    /// What a placemark says beside its tracks.
    private struct Placemark {
        var time: Timestamp?
        /// The line of a time that is none.
        var malformedTimeLine: Int?
        var place: KMLPlace?
    }

    private let names = KMLDecoder.elements
    var document = XMLDocument()
    private var place = Place.outside
    private var heightMode = KMLPlace.HeightMode.clampToGround
    /// The open one.
    private var placemark = Placemark()
    /// In a `gx:MultiTrack`: the last fix of its pieces so far, and whether the next fix is the first of its piece.
    private var seam: (last: Fix?, isFirst: Bool)?

    /// The rest of a track or placemark is left out: its times would go to other places.
    mutating func giveUp(into chunk: inout TrackChunk) {
        if case .track(var track) = place { deliver(track.cut(), into: &chunk) }
        place = .outside
        placemark = Placemark()
    }

    /// What the latest tag names; `nil` for what does not count.
    private var element: Element? { names[document.tokenizer.name.span] }

    mutating func start(into chunk: inout TrackChunk) {
        switch element {
        case .placemark, .multiTrack, .track, .point: endOpenTrack(into: &chunk)
        case .root, .time, .place, .coordinates, .heightMode, nil: break
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
            place = .track(KMLTrack(line: document.line))
        case .point:
            heightMode = .clampToGround
            place = .point
        case .time, .place, .coordinates, .heightMode, nil: break
        }
    }

    mutating func end(text: [UInt8], into chunk: inout TrackChunk) {
        let text = text.span.extracting(text.span.trimmedRange)
        switch element {
        case .root: document.hasRootEnd = true
        case .placemark: endPlacemark(into: &chunk)
        case .multiTrack:
            endOpenTrack(into: &chunk)
            seam = nil
        case .track: endTrack(into: &chunk)
        case .point: place = .outside
        case .time: setTime(text, into: &chunk)
        case .place: addPlace(text, into: &chunk)
        case .coordinates: setPoint(text, into: &chunk)
        case .heightMode: setHeightMode(text)
        case nil: break
        }
    }

    private mutating func setHeightMode(_ text: Span<UInt8>) {
        heightMode = text.equals("absolute") ? .absolute : text.equals("clampToGround") ? .clampToGround : .relative
    }

    // MARK: A track

    private mutating func setTime(_ text: Span<UInt8>, into chunk: inout TrackChunk) {
        switch place {
        case .track(var track):
            place = .outside  // so that the times are not copied
            let fixes = track.addTime(text, line: document.line, into: &chunk)
            place = .track(track)
            deliver(fixes, into: &chunk)
        case .outside, .point:
            placemark.time = Timestamp(text: text)
            placemark.malformedTimeLine = placemark.time == nil && text.count > 0 ? document.line : nil
        }
    }

    private mutating func addPlace(_ text: Span<UInt8>, into chunk: inout TrackChunk) {
        guard case .track(var track) = place else { return }
        place = .outside
        let found = KMLPlace(text, heightMode)
        if found != nil, track.expectsPlace { document.hasPoint = true }
        track.addPlace(found, line: document.line, into: &chunk)
        place = .track(track)
        if found == nil {
            chunk.report(.malformed, line: document.line, "gx:coord: expected longitude, latitude and height")
        }
    }

    private mutating func endTrack(into chunk: inout TrackChunk) {
        guard case .track(var track) = place else { return }
        place = .outside
        deliver(track.end(into: &chunk), into: &chunk)
    }

    /// A track whose end is missing.
    private mutating func endOpenTrack(into chunk: inout TrackChunk) {
        guard case .track(var track) = place else { return }
        place = .outside
        deliver(track.cut(), into: &chunk)
        chunk.report(.malformed, line: document.line, "gx:Track: expected </gx:Track> before the next tag")
    }

    /// Hands over the fixes of a track, without the one in which the pieces of a `gx:MultiTrack` touch.
    private mutating func deliver(_ fixes: [Fix], into chunk: inout TrackChunk) {
        for fix in fixes {
            if seam?.isFirst != true || seam?.last != fix { chunk.fixes.append(fix) }
            if seam != nil { seam = (fix, false) }
        }
    }

    // MARK: A point

    private mutating func setPoint(_ text: Span<UInt8>, into chunk: inout TrackChunk) {
        guard case .point = place else { return }
        placemark.place = KMLPlace(text, heightMode)
        if placemark.place == nil {
            chunk.report(.malformed, line: document.line, "coordinates: expected longitude, latitude and height")
        }
    }

    private mutating func endPlacemark(into chunk: inout TrackChunk) {
        endOpenTrack(into: &chunk)
        defer {
            placemark = Placemark()
            place = .outside
        }
        guard let found = placemark.place else { return }
        if let line = placemark.malformedTimeLine {
            chunk.report(.malformed, line: line, "when: expected the time as RFC 3339")
        }
        guard let time = placemark.time else { return }
        document.hasPoint = true
        chunk.fixes.append(Fix(time: time, coordinate: found.coordinate, altitude: found.altitude))
    }
}
