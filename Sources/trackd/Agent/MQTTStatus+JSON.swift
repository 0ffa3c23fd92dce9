import TrackEngine
import TrackEngineMQTT

extension MQTTStatus {
    /// The connection for programs; what is not known is absent.
    var json: JSONValue {
        .members(
            ("connection", .string(connection.word)), ("since", since?.json),
            ("failure", connection.failure.map { .string($0.description) }),
            ("nextAttempt", connection.nextAttempt?.json), ("inFlight", .whole(inFlight)),
            ("lastAcknowledgement", lastAcknowledgement?.json), ("acknowledged", .whole(acknowledged)),
            ("refused", .whole(refused)), ("lastRefusal", lastRefusal.map { .string($0) }),
            ("confirmed", confirmed.map { .whole($0) }), ("lastConfirmation", lastConfirmation?.json),
            ("confirmationsRejected", confirmed.map { _ in .whole(confirmationsRejected) }),
            ("connections", .whole(connections)), ("commandsDone", .whole(commandsDone)),
            ("commandsRejected", .whole(commandsRejected)))
    }
}

extension MQTTStatus.Connection {
    /// A word for this state.
    var word: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .connected: "connected"
        case .waiting: "disconnected"
        case .closed: "closed"
        }
    }

    /// Why there is no connection, if there is a reason.
    var failure: MQTTFailure? {
        if case .waiting(let failure, _) = self { failure } else { nil }
    }

    /// When the next attempt is due, if one is.
    var nextAttempt: Timestamp? {
        if case .waiting(_, let time) = self { time } else { nil }
    }
}
