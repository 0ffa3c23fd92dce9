import Foundation
import Synchronization

/// Decides what becomes of a request and stores what is to be stored; shared by all connections.
///
/// Writing blocks its event loop on purpose: nothing is answered before it is on the disk.
final class Desk: Sendable {
    private struct State {
        var script: Script
        var log: RecordLog
    }

    private let state: Mutex<State>

    init(logPath: String) throws {
        state = Mutex(State(script: Script(inputPath: logPath + ".input"), log: try RecordLog(path: logPath)))
    }

    /// What to answer, after everything that had to be stored is stored.
    func answer(_ request: Request) throws -> Answer {
        try state.withLock { state in
            var behaviour = state.script.behaviour(for: request.target)
            if case .bearer(let token) = behaviour {
                behaviour = request.isAuthorized(token) ? .ok(status: 200) : .status(401)
            }
            let submission = Submission(request)
            let (answer, stores) = Self.decide(behaviour, submission)
            try state.log.note(request, storing: stores ? submission.records : [])
            return answer
        }
    }

    private static func decide(_ behaviour: Behaviour?, _ submission: Submission) -> (Answer, stores: Bool) {
        let records = submission.records
        let ok = Answer.reply(200, body: submission.acknowledgement)
        switch behaviour {
        case nil: return (.reply(404, body: #"{"error":"no such behaviour"}"#), false)
        case .ok(let status): return (.reply(status, body: submission.acknowledgement), true)
        case .okWith(let body): return (.reply(200, body: body, type: "text/plain"), true)
        case .status(let status): return (.reply(status, body: #"{"error":"as asked"}"#), false)
        case .body(let body, let type): return (.reply(200, body: body, type: type), false)
        case .retryAfter(let value): return (.reply(429, body: "{}", extra: ("Retry-After", value)), false)
        case .limit(let count): return records.count > count ? (.reply(413, body: "{}"), false) : (ok, true)
        case .poison(let id, let answer):
            guard records.contains(where: { $0.id == id }) else { return (ok, true) }
            switch answer {
            case .status(let status): return (.reply(status, body: #"{"error":"bad record"}"#), false)
            case .failed: return (.reply(200, body: #"{"result":"failed"}"#), false)
            }
        case .poisonTimes(let status, let period, let width):
            let isPoison = records.contains { $0.milliseconds.map { $0 % period < width } ?? false }
            return isPoison ? (.reply(status, body: #"{"error":"bad record"}"#), false) : (ok, true)
        case .redirect(let status, let location):
            return (.reply(status, body: "", extra: ("Location", location)), false)
        case .bearer: return (.reply(401, body: "{}"), false)
        case .silent: return (.silence, false)
        case .drip: return (.drip, false)
        case .huge: return (.flood, false)
        case .garbage: return (.raw("\u{1}\u{2}SSH-2.0-OpenSSH_9.2\r\n\r\n"), false)
        case .truncated: return (.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"result\":"), false)
        case .reset: return (.reset, false)
        case .lostReply: return (.hangUp, true)
        }
    }
}

/// What goes back on the wire.
enum Answer {
    case reply(Int, body: String, type: String = "application/json", extra: (name: String, value: String)? = nil)
    /// These bytes in place of a reply, then the end of the connection.
    case raw(String)
    case silence, drip, flood, reset, hangUp
}
