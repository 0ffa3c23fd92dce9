package import TrackEngine

/// A broker's responses: the reason codes of MQTT 5 (section 2.4) and the return codes of MQTT 3.1.1 (section
/// 3.2.2.3).
package enum ReasonCode {
    /// The outcome of a message, by the reason code of its PUBACK.
    ///
    /// - Parameter recordCount: the number of records in the message. A single refused record is dead; among
    ///   several, the sink delivery has to find it.
    package static func outcome(_ code: UInt8, recordCount: Int) -> DeliveryProgress.Outcome {
        let reason = "the broker refused the message: \(name(code))"
        switch code {
        case 0..<0x80: return .taken  // 0x10, no matching subscribers, is a success
        case 0x95: return refused(reason, recordCount, .smaller)
        case 0x83, 0x90, 0x99: return refused(reason, recordCount, .rejected)
        case 0x87:
            let error = DeliveryError(.needsOperator, reason)
            return recordCount > 1 ? .failed(error) : .denied(error)
        case 0x91, 0x96: return .failed(DeliveryError(.retry(), reason))
        case 0x97: return .failed(DeliveryError(.retry(evidence: .silence), reason))
        case 0x9A: return .failed(DeliveryError(.retry(), reason))  // it is sent unretained the next time
        default: return .failed(DeliveryError(.retry(evidence: .failure), reason))
        }
    }

    /// The outcome of a message that the broker will not accept, sent or not.
    package static func refused(
        _ reason: String, _ recordCount: Int, _ recovery: DeliveryError.Recovery
    ) -> DeliveryProgress.Outcome {
        recordCount > 1 ? .failed(DeliveryError(recovery, reason)) : .dead(reason)
    }

    /// The reason why the broker did not let this client in, by the code of its CONNACK. Codes of MQTT 3.1.1 are
    /// below 0x80, those of MQTT 5 are not, so a response in the other version is understood, too.
    package static func refusal(_ code: UInt8) -> MQTTFailure {
        let (kind, text) = code < 0x80 ? (kindOfOldRefusal(code), oldName(code)) : (kindOfRefusal(code), name(code))
        return MQTTFailure(kind, "the broker refused the connection: \(text)", code: code)
    }

    private static func kindOfRefusal(_ code: UInt8) -> MQTTFailure.Kind {
        switch code {
        case 0x86, 0x8C: .badCredentials
        case 0x87, 0x8A: .notAuthorized
        case 0x84, 0x85, 0x90, 0x95, 0x99, 0x9A, 0x9B: .rejected
        case 0x80, 0x83, 0x88, 0x89, 0x97, 0x9C, 0x9D, 0x9F: .brokerUnavailable
        default: .protocolError
        }
    }

    private static func kindOfOldRefusal(_ code: UInt8) -> MQTTFailure.Kind {
        switch code {
        case 1, 2: .rejected
        case 3: .brokerUnavailable
        case 4: .badCredentials
        case 5: .notAuthorized
        default: .protocolError
        }
    }

    /// The reason why the broker ended a connection, by the code of its DISCONNECT.
    package static func ending(_ code: UInt8) -> MQTTFailure {
        let kind: MQTTFailure.Kind
        switch code {
        case 0x8E: kind = .takenOver
        case 0x87, 0x98: kind = .notAuthorized
        case 0x88, 0x89, 0x8B, 0x93, 0x96, 0x97, 0x9C, 0x9D, 0x9F: kind = .brokerUnavailable
        case 0x8D: kind = .timedOut
        case 0x90, 0x95, 0x99, 0x9A, 0x9B: kind = .messageRejected
        case 0x81, 0x82: kind = .protocolError
        default: kind = .connectionLost
        }
        return MQTTFailure(kind, "the broker ended the connection: \(name(code))", code: code)
    }

    private static func oldName(_ code: UInt8) -> String {
        switch code {
        case 1: "unacceptable protocol version (1)"
        case 2: "client identifier rejected (2)"
        case 3: "server unavailable (3)"
        case 4: "bad user name or password (4)"
        case 5: "not authorized (5)"
        default: "return code \(code)"
        }
    }

    /// The code's name in the standard, and its number.
    package static func name(_ code: UInt8) -> String {
        let number = "0x" + (code < 16 ? "0" : "") + String(code, radix: 16, uppercase: true)
        guard let name = names[code] else { return "reason \(number)" }
        return "\(name) (\(number))"
    }

    private static let names: [UInt8: String] = [
        0x00: "success", 0x04: "disconnect with will", 0x10: "no matching subscribers", 0x80: "unspecified error",
        0x81: "malformed packet", 0x82: "protocol error", 0x83: "implementation specific error",
        0x84: "unsupported protocol version", 0x85: "client identifier not valid", 0x86: "bad user name or password",
        0x87: "not authorized", 0x88: "server unavailable", 0x89: "server busy", 0x8A: "banned",
        0x8B: "server shutting down", 0x8C: "bad authentication method", 0x8D: "keep alive timeout",
        0x8E: "session taken over", 0x8F: "topic filter invalid", 0x90: "topic name invalid",
        0x91: "packet identifier in use", 0x93: "receive maximum exceeded", 0x94: "topic alias invalid",
        0x95: "packet too large", 0x96: "message rate too high", 0x97: "quota exceeded",
        0x98: "administrative action", 0x99: "payload format invalid", 0x9A: "retain not supported",
        0x9B: "quality of service not supported", 0x9C: "use another server", 0x9D: "server moved",
        0x9F: "connection rate exceeded",
    ]
}
