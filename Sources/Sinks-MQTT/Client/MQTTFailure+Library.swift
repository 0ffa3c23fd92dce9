import CMosquitto
import Glibc

extension MQTTFailure {
    /// What an error of the library means.
    ///
    /// - Parameters:
    ///   - errno: the system's error, as the library left it.
    ///   - words: what the library has said meanwhile; only there does it tell why TLS failed.
    static func library(_ code: Int32, errno: Int32, words: String) -> MQTTFailure {
        if let failure = tls(words) { return failure }
        switch code {
        case MOSQ_ERR_EAI.rawValue, MOSQ_ERR_LOOKUP.rawValue:
            return MQTTFailure(.nameLookup, "the host name cannot be resolved")
        case MOSQ_ERR_ERRNO.rawValue: return system(errno)
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_SUCCESS.rawValue:
            return MQTTFailure(.connectionLost, "the connection was closed")
        case MOSQ_ERR_KEEPALIVE.rawValue, MOSQ_ERR_TIMEOUT.rawValue:
            return MQTTFailure(.timedOut, "the broker has stopped answering")
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue, MOSQ_ERR_OCSP.rawValue:
            return MQTTFailure(.tls, "TLS failed")
        case MOSQ_ERR_PROTOCOL.rawValue, MOSQ_ERR_MALFORMED_PACKET.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue,
            MOSQ_ERR_DUPLICATE_PROPERTY.rawValue, MOSQ_ERR_TOPIC_ALIAS_INVALID.rawValue:
            return MQTTFailure(.protocolError, "what the broker says is not MQTT")
        default: return MQTTFailure(.system, "libmosquitto failed with error \(code)")
        }
    }

    /// What an error of the system means.
    static func system(_ errno: Int32) -> MQTTFailure {
        let text = "the system reports error \(errno)"
        switch errno {
        case ECONNREFUSED: return MQTTFailure(.unreachable, "nobody accepts connections there")
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL:
            return MQTTFailure(.unreachable, "there is no way to the broker")
        case ETIMEDOUT: return MQTTFailure(.timedOut, "the broker does not answer")
        case ECONNRESET, EPIPE, 0: return MQTTFailure(.connectionLost, "the connection broke")
        case EPROTO: return MQTTFailure(.tls, "TLS failed")
        default: return MQTTFailure(.system, text)
        }
    }

    /// The texts are OpenSSL's, and libmosquitto's own.
    private static func tls(_ words: String) -> MQTTFailure? {
        guard !words.isEmpty else { return nil }
        if words.contains("host name verification failed") {
            return MQTTFailure(.certificate, "the broker's certificate is for another host")
        }
        if words.contains("certificate verify failed") {
            return MQTTFailure(
                .certificate, "the broker's certificate is expired, not from a trusted authority, or for another host")
        }
        if words.contains("Unable to load") || words.contains("inconsistent") {
            return MQTTFailure(.credentialFile, "a certificate or key file cannot be used")
        }
        if words.contains("alert"), words.contains("certificate") || words.contains("unknown ca") {
            return MQTTFailure(.badCredentials, "the broker does not accept our certificate, or wants one")
        }
        return words.contains("OpenSSL Error") ? MQTTFailure(.tls, "TLS failed") : nil
    }
}
