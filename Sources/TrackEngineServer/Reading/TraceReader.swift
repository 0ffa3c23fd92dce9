import TrackEngine
import TrackEngineHistory

/// Answers the app Trace as its own server does: `/status` and `/coordinates`.
struct TraceReader: Sendable {
    let history: TrackHistory
    let wallClock: @Sendable () -> Timestamp

    /// The most points in an answer.
    static let longestAnswer = 50_000

    /// The reason why there is no answer, in the form of Trace's server.
    struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The expected request.
        let description: String

        /// `{"status":"error","message":"…"}`.
        var json: JSONValue {
            .object([.init("status", .string("error")), .init("message", .string(description))])
        }
    }

    /// The points of the last hours, or of a day, oldest first:
    /// `{"status":"success","count":1,"lookback_hours":24,"coordinates":[["2026-03-01T10:00:00Z",53.55,9.98]]}`.
    ///
    /// - Parameter parameters: `lookback_hours` (24) or `date` (in UTC, or `today`), `device` (the one with the
    ///   newest point), `min_accuracy` in metres (points that are worse are left out), `max_distance` in metres and
    ///   `paths=true` (paths that end where the next point is farther than that). With either of the two bounds rows
    ///   have the accuracy as a fourth element, and the bounds are repeated, as the app expects that asks with them.
    /// - Parameter own: the only device that may be requested; `nil` for all.
    func coordinates(_ parameters: ParameterList, of own: DeviceID? = nil) async throws -> JSONValue {
        let (times, echo) = try times(parameters)
        var points: [HistoryPoint] = []
        if let device = if let own { own } else { try await device(parameters) } {
            points = try await history.points(of: device, during: times, limit: Self.longestAnswer + 1)
            guard points.count <= Self.longestAnswer else {
                throw Failure(description: "expected a shorter time: there are more than \(Self.longestAnswer) points")
            }
        }
        let worst = try number("min_accuracy", parameters)
        let farthest = try number("max_distance", parameters)
        if let worst {
            points.removeAll { $0.fix.horizontalAccuracy.map { $0 > worst } ?? false }
        }
        var members: [JSONValue.Member] = [
            .init("status", .string("success")), .init("count", .number(Double(points.count))), echo,
        ]
        if let worst { members.append(.init("min_accuracy", .number(worst))) }
        if let farthest { members.append(.init("max_distance", .number(farthest))) }
        if parameters["paths"] == "true" {
            let paths = Self.paths(points, farthest: farthest ?? 100).map { JSONValue.array($0.map(Self.place)) }
            members.append(.init("paths", .array(paths)))
        } else {
            let hasAccuracy = worst != nil || farthest != nil
            members.append(.init("coordinates", .array(points.map { Self.row($0, hasAccuracy: hasAccuracy) })))
        }
        return .object(members)
    }

    private func times(_ parameters: ParameterList) throws(Failure) -> (Range<Timestamp>, JSONValue.Member) {
        if let date = parameters["date"] {
            guard parameters["lookback_hours"] == nil else {
                throw Failure(description: "expected either lookback_hours or date")
            }
            let day = date == "today" ? String(wallClock().rfc3339(.seconds).prefix(10)) : date
            guard let begin = Timestamp(rfc3339: day + "T00:00:00Z") else {
                throw Failure(description: "date: expected YYYY-MM-DD, or today")
            }
            return (begin..<begin.advanced(by: .seconds(86_400)), .init("date", .string(date)))
        }
        let text = parameters["lookback_hours"] ?? "24"
        guard let hours = Double(text), hours > 0, hours <= 1_000_000 else {
            throw Failure(description: "lookback_hours: expected a number of hours greater than 0")
        }
        let now = wallClock()
        let begin = now.advanced(by: .seconds(-hours * 3600))
        return (begin..<now.advanced(by: .seconds(86_400)), .init("lookback_hours", .number(hours)))
    }

    private func device(_ parameters: ParameterList) async throws -> DeviceID? {
        if let name = parameters["device"] { return DeviceID(rawValue: name) }
        return try await history.devices().max { $0.newest.fix.time < $1.newest.fix.time }?.id
    }

    private func number(_ name: String, _ parameters: ParameterList) throws(Failure) -> Double? {
        guard let text = parameters[name] else { return nil }
        guard let number = Double(text), number >= 0, number < 1e9 else {
            throw Failure(description: "\(name): expected a number of metres")
        }
        return number
    }

    private static func row(_ point: HistoryPoint, hasAccuracy: Bool) -> JSONValue {
        let fix = point.fix
        let row: [JSONValue] = [
            .string(fix.time.rfc3339(.seconds)), .number(fix.coordinate.latitude), .number(fix.coordinate.longitude),
        ]
        return .array(hasAccuracy ? row + [fix.horizontalAccuracy.map(JSONValue.number) ?? .null] : row)
    }

    private static func place(_ point: HistoryPoint) -> JSONValue {
        let fix = point.fix
        return .object([
            .init("timestamp", .string(fix.time.rfc3339(.seconds))),
            .init("latitude", .number(fix.coordinate.latitude)),
            .init("longitude", .number(fix.coordinate.longitude)),
        ])
    }

    /// Cuts where the next point is farther away or more than a minute later, as Trace's later servers do.
    static func paths(_ points: [HistoryPoint], farthest: Double) -> [[HistoryPoint]] {
        var paths: [[HistoryPoint]] = []
        for point in points {
            if let last = paths.last?.last, last.fix.coordinate.distance(to: point.fix.coordinate) <= farthest,
                point.fix.time.duration(since: last.fix.time) <= .seconds(60)
            {
                paths[paths.count - 1].append(point)
            } else {
                paths.append([point])
            }
        }
        return paths.filter { $0.count > 1 }
    }
}
