internal import TrackEngine

/// The positions of a `LineString` or `MultiLineString` with a time for each: `coordTimes`, `linestringTimestamps` or
/// `coordinateProperties.times` of the properties in the same shape, or the fourth number of each position; or those of
/// a moving point (OGC Moving Features) with its `datetimes`.
///
/// Positions and times are read in parallel and in place, so that only the fixes are stored.
struct GeoJSONLine {
    private var places: JSONReader
    private var times: JSONReader
    private let hasTimes: Bool
    private let zone: ZoneOffsetTable
    private let flags: Fix.Flags
    private var fixes: [Fix] = []
    /// The number of positions without a readable time.
    private var untimed = 0

    /// The line of a parsed object; `nil` if it has none.
    init?(_ element: TrackElement) {
        guard let offset = element.lineOffset else { return nil }
        places = JSONReader(at: offset)
        times = JSONReader(at: element.timesOffset ?? offset)
        hasTimes = element.timesOffset != nil
        zone = element.zone
        flags = element.isMock ? .simulated : []
    }

    /// Adds the fixes, or the reason why there are none, to the chunk.
    mutating func deliver(_ bytes: Span<UInt8>, _ origin: inout TimeOrigin, line: Int, into chunk: inout TrackChunk) {
        guard walk(bytes, &origin) else {
            return chunk.report(.incomplete, line: line, "expected as many times as places in the line")
        }
        if !fixes.isEmpty { chunk.beginTrack(line: line) }
        chunk.fixes += fixes
        if fixes.isEmpty, !hasTimes {
            chunk.report(.incomplete, line: line, "expected a Point, or a line with coordTimes")
        } else if untimed > 0 {
            chunk.report(.incomplete, line: line, "expected a time for each place of the line: \(untimed) have none")
        }
    }

    /// Reads one level of both lists; returns whether they have the same shape.
    private mutating func walk(_ bytes: Span<UInt8>, _ origin: inout TimeOrigin) -> Bool {
        let isLine = !places.beginsList(of: UInt8(ascii: "["), bytes)
        if isLine {
            take(bytes, &origin)
            return true
        }
        places.beginArray(bytes)
        if hasTimes {
            guard times.peek(bytes) == UInt8(ascii: "[") else { return false }
            times.beginArray(bytes)
        }
        while places.nextElement(bytes) {
            if hasTimes, !times.nextElement(bytes) { return false }
            guard places.peek(bytes) == UInt8(ascii: "["), walk(bytes, &origin) else { return false }
        }
        return !hasTimes || !times.nextElement(bytes)
    }

    /// Reads one position and its time.
    private mutating func take(_ bytes: Span<UInt8>, _ origin: inout TimeOrigin) {
        let place = GeoJSONPosition(&places, bytes)
        var time = place.time
        var isNumber = true
        if hasTimes {
            let written = JSONTime(&times, bytes, zone)
            (time, isNumber) = (written?.time, written?.isNumber ?? false)
        }
        guard let time, let coordinate = place.coordinate, !isNumber || origin.accepts(time) else {
            untimed += 1
            return
        }
        fixes.append(Fix(time: time, coordinate: coordinate, altitude: place.height, flags: flags))
    }
}
