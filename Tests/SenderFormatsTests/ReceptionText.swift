import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// What a request says, as lines that people read.
enum ReceptionText {
    static func of(_ request: SenderRequest, in format: any SenderFormat) -> String {
        do throws(UnreadableRequest) {
            let reception = try format.read(request)
            var lines = reception.points.map { "point " + line($0) }
            lines += reception.refusals.map { "refused \($0.index): \($0.reason)" }
            lines += reception.unread.sorted { $0.key < $1.key }.map { "unread \($0): \($1)" }
            if reception.otherCount > 0 { lines.append("others \(reception.otherCount)") }
            if let current = reception.current { lines.append("current " + line(current)) }
            if let trip = reception.trip {
                lines.append("trip \(trip.mode) since \(trip.start) distance=\(trip.distance?.description ?? "-")")
            }
            lines.append("reply " + self.line(format.acceptance(of: reception)))
            return lines.map { $0 + "\n" }.joined()
        } catch {
            return "unreadable: \(error)\nreply \(line(format.refusal(status: 400, reason: "\(error)")))\n"
        }
    }

    private static func line(_ reply: SenderReply) -> String {
        "\(reply.status) \(reply.mediaType) \(String(decoding: reply.body, as: UTF8.self))"
    }

    private static func line(_ received: ReceivedPoint) -> String {
        let point = received.point
        let fix = point.fix
        var words = [received.device ?? "-", fix.time.rfc3339(.milliseconds), point.source?.rawValue ?? "-"]
        words.append("lat=\(fix.coordinate.latitude) lon=\(fix.coordinate.longitude)")
        let numbers: [(String, Double?)] = [
            ("alt", fix.altitude), ("hae", fix.ellipsoidalAltitude), ("acc", fix.horizontalAccuracy),
            ("vacc", fix.verticalAccuracy), ("speed", fix.speed), ("sacc", fix.speedAccuracy), ("course", fix.course),
            ("cacc", fix.courseAccuracy), ("hdop", fix.horizontalDilution.flatMap { Double("\($0)") }),
            ("used", fix.satellitesUsed.map { Double($0) }), ("battery", point.host?.batteryLevel),
        ]
        for (name, value) in numbers { if let value { words.append("\(name)=\(value)") } }
        if let state = point.host?.batteryState { words.append("\(state)") }
        if let activity = fix.activity { words.append("activity=\(activity.name)") }
        if let isMoving = point.isMoving { words.append(isMoving ? "moving" : "still") }
        if fix.flags.contains(.simulated) { words.append("simulated") }
        switch point.senderID {
        case .record(let id): words.append("record=\(id)")
        case .text(let id): words.append("id=\(id)")
        case nil: break
        }
        return words.joined(separator: " ")
    }
}
