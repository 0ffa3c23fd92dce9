import TrackEngine
import TrackEngineHistory

/// Answers the page's questions about the history, in JSON.
///
/// Places are written with six decimals (0.1 m), times as whole seconds since 1970, speeds in metres per second with
/// one decimal; unknown values are `null`.
struct HistoryReader: Sendable {
    let history: TrackHistory
    let newest: NewestPoints
    let rejectedFixes: FixRejectionList

    /// The most stretches of time that are summed up at once: a year of days.
    static let longestList = 400

    /// The most rejected fixes in an answer: a map shows no more.
    static let longestListOfRejections = 2_000

    /// The longest stretch of time for which all points are given.
    static let longestSpanOfPoints = Duration.seconds(2 * 86_400)

    /// All devices, by name, each with its newest point: `[{"name","time","place","accuracy",…}]`.
    ///
    /// - Parameter isShown: whether a device may be seen.
    func devices(_ followed: FollowedPage, _ isShown: (DeviceID) -> Bool) async throws -> [UInt8] {
        let live = newest.all
        var writer = JSONWriter()
        writer.raw("[")
        for (index, device) in try await history.devices().filter({ isShown($0.id) }).enumerated() {
            if index > 0 { writer.raw(",") }
            let point = live[device.id].flatMap { $0.fix.time > device.newest.fix.time ? $0 : nil } ?? device.newest
            writer.member(#"{"name":"#, device.id.rawValue)
            writer.raw(",")
            writer.members(of: point)
            writer.member(newest.trip(of: device.id))
            followed.write(device.id, at: point.fix, to: &writer)
            writer.raw("}")
        }
        writer.raw("]")
        return writer.bytes
    }

    /// A device's way as lines, nowhere farther than `within` metres from its points:
    /// `{"lines":[[[longitude,latitude,time,speed,altitude,activity],…],…]}`.
    ///
    /// With `zoom` instead of `within` it is the path as a screen shows it, in cells of half a pixel, each but the
    /// first of a line as its distance from the one before: `{"zoom":12,"lines":[[x,y,dx,dy,…],…]}`.
    func path(_ parameters: ParameterList) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        guard parameters["zoom"] == nil else { return try await drawing(query, parameters) }
        let tolerance = try ReadingQuery.number("within", parameters, in: 0...1_000_000, otherwise: 10)
        let span = query.times.upperBound.duration(since: query.times.lowerBound)
        guard tolerance >= 1 || span <= Self.longestSpanOfPoints else {
            throw ReadingQuery.Malformed("within", "at least 1 m for more than two days")
        }
        let lines = try await history.path(of: query.device, during: query.times, within: tolerance)
        var writer = JSONWriter(capacity: lines.reduce(64) { $0 + 48 * $1.count })
        writer.raw(#"{"lines":"#)
        writer.array(lines) { writer, line in writer.array(line) { $0.corner($1) } }
        writer.raw("}")
        return writer.bytes
    }

    private func drawing(_ query: ReadingQuery, _ parameters: ParameterList) async throws -> [UInt8] {
        let zooms = Double(MapDrawing.zooms.lowerBound)...Double(MapDrawing.zooms.upperBound)
        let zoom = Int(try ReadingQuery.number("zoom", parameters, in: zooms, otherwise: 0).rounded(.up))
        let drawing = try await history.drawing(of: query.device, during: query.times, zoom: zoom)
        var writer = JSONWriter(capacity: drawing.lines.reduce(64) { $0 + 8 * $1.count })
        writer.member(#"{"zoom":"#, Int64(drawing.zoom))
        writer.raw(#","lines":"#)
        writer.array(drawing.lines) { $0.cells($1) }
        writer.raw("}")
        return writer.bytes
    }

    /// The totals of a device's way between each of `bounds`, a list of times, and the next one, for example the
    /// midnights of the viewer's zone: `[{"from","to","points","distance",…}|null,…]`.
    func summaries(_ parameters: ParameterList) async throws -> [UInt8] {
        let device = try ReadingQuery.device(parameters)
        let texts = (parameters["bounds"] ?? "").split(separator: ",")
        guard (2...Self.longestList + 1).contains(texts.count) else {
            throw ReadingQuery.Malformed("bounds", "2 to \(Self.longestList + 1) times, separated by commas")
        }
        var bounds: [Timestamp] = []
        for text in texts { bounds.append(try ReadingQuery.time("bounds", text)) }
        guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw ReadingQuery.Malformed("bounds", "times in their order")
        }
        var writer = JSONWriter()
        writer.raw("[")
        for (index, (begin, end)) in zip(bounds, bounds.dropFirst()).enumerated() {
            if index > 0 { writer.raw(",") }
            writer.summary(try await history.summary(of: device, during: begin..<end))
        }
        writer.raw("]")
        return writer.bytes
    }

    /// The fixes of a device that an engine did not record, as far as they are kept: `[{"time","place",…,"reason"}]`,
    /// at most 2,000.
    func rejections(_ parameters: ParameterList) throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        var writer = JSONWriter()
        let entries = rejectedFixes.entries(of: query.device, during: query.times, atMost: Self.longestListOfRejections)
        writer.list(entries) { $0.rejection($1.fix, $1.reason) }
        return writer.bytes
    }

    /// Removes a device's points in a stretch of time permanently: `{"removed":5}`.
    func remove(_ parameters: ParameterList) async throws -> [UInt8] {
        let query = try ReadingQuery(parameters)
        let removed = try await history.remove(query.device, during: query.times)
        newest.forget(query.device, during: query.times)
        return JSONValue.object([.init("removed", .number(Double(removed)))]).bytes
    }
}

extension JSONWriter {
    /// A point's members, without braces.
    mutating func members(of point: HistoryPoint) {
        let fix = point.fix
        member(#""time":"#, fix.time.secondsSince1970)
        raw(#","place":"#)
        axes(fix.coordinate)
        memberOrNull(#","accuracy":"#, fix.horizontalAccuracy)
        memberOrNull(#","speed":"#, fix.speed)
        memberOrNull(#","course":"#, fix.course)
        memberOrNull(#","altitude":"#, fix.altitude)
        member(#","activity":"#, fix.activity?.name ?? "unknown")
        memberOrNull(#","battery":"#, point.host?.batteryLevel, decimals: 2)
    }

    /// A corner of a path as an array.
    fileprivate mutating func corner(_ fix: Fix) {
        raw("[")
        number(fix.coordinate.longitude, decimals: 6)
        raw(",")
        number(fix.coordinate.latitude, decimals: 6)
        raw(",")
        integer(fix.time.secondsSince1970)
        raw(",")
        numberOrNull(fix.speed, decimals: 1)
        raw(",")
        numberOrNull(fix.altitude, decimals: 1)
        raw(",")
        integer(fix.activity?.rawValue ?? 0)
        raw("]")
    }

    /// Cells of a line: the first, and the steps from each to the next.
    fileprivate mutating func cells(_ line: [MapDrawing.Cell]) {
        var last = MapDrawing.Cell(x: 0, y: 0)
        for (index, cell) in line.enumerated() {
            raw(index > 0 ? "," : "[")
            integer(Int64(cell.x - last.x))
            raw(",")
            integer(Int64(cell.y - last.y))
            last = cell
        }
        raw("]")
    }

    /// A summary as an object; `null` where there is none.
    fileprivate mutating func summary(_ summary: TrackSummary?) {
        guard let summary else { return raw("null") }
        member(#"{"from":"#, summary.start.secondsSince1970)
        member(#","to":"#, summary.end.secondsSince1970)
        member(#","points":"#, summary.count)
        member(#","distance":"#, summary.distance, decimals: 0)
        member(#","moving":"#, summary.movingTime.components.seconds)
        memberOrNull(#","topSpeed":"#, summary.topSpeed)
        memberOrNull(#","climb":"#, summary.climb, decimals: 0)
        raw(#","area":"#)
        array([summary.area.southWest, summary.area.northEast]) { $0.axes($1) }
        raw("}")
    }
}
