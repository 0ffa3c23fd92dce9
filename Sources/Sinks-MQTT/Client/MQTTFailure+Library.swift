import CMosquitto
import Glibc

extension MQTTFailure {
    /// Converts an error of the library.
    ///
    /// - Parameters:
    ///   - errno: the system's error, as the library left it.
    ///   - logText: the library's log lines of this attempt, the only report of why TLS failed.
    ///   - certificateProblem: OpenSSL's verification result for the broker's certificate; 0 if it is valid.
    static func library(_ code: Int32, errno: Int32, logText: String, certificateProblem: Int = 0) -> MQTTFailure {
        if let failure = tls(logText, certificateProblem) { return failure }
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
            return MQTTFailure(.protocolError, "the broker's reply is not MQTT")
        default: return MQTTFailure(.system, "libmosquitto failed with error \(code)")
        }
    }

    /// Converts an error of the system.
    static func system(_ errno: Int32) -> MQTTFailure {
        let text = "the system reports error \(errno)"
        switch errno {
        case ECONNREFUSED: return MQTTFailure(.unreachable, "the connection was refused")
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL:
            return MQTTFailure(.unreachable, "there is no way to the broker")
        case ETIMEDOUT: return MQTTFailure(.timedOut, "the broker does not answer")
        case ECONNRESET, EPIPE, 0: return MQTTFailure(.connectionLost, "the connection broke")
        case EPROTO: return MQTTFailure(.tls, "TLS failed")
        default: return MQTTFailure(.system, text)
        }
    }

    /// Describes a problem of the broker's certificate by OpenSSL's number (X509_STORE_CTX_get_error(3)).
    private static func certificate(_ problem: Int) -> String {
        switch Int32(truncatingIfNeeded: problem) {
        case X509_V_ERR_CERT_HAS_EXPIRED: "the broker's certificate has expired"
        case X509_V_ERR_CERT_NOT_YET_VALID:
            "the broker's certificate is not valid yet, as this machine's clock has it"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            "the broker's certificate is not from a trusted authority"
        case X509_V_OK: "the broker's certificate is not from a trusted authority, or not valid now"
        default: "the broker's certificate is not valid (OpenSSL's reason \(problem))"
        }
    }

    /// The failure in the log lines, with texts of OpenSSL and libmosquitto.
    private static func tls(_ logText: String, _ certificateProblem: Int) -> MQTTFailure? {
        guard !logText.isEmpty else { return nil }
        if logText.contains("host name verification failed") {
            return MQTTFailure(.certificate, "the broker's certificate is for another host")
        }
        if logText.contains("certificate verify failed") {
            return MQTTFailure(.certificate, certificate(certificateProblem))
        }
        if logText.contains("wrong version number") || logText.contains("unexpected eof") {
            return MQTTFailure(.tls, "TLS failed: is this TLS to a port for plain MQTT?")
        }
        if logText.contains("Unable to load") || logText.contains("inconsistent") {
            return MQTTFailure(.credentialFile, "a certificate or key file cannot be used")
        }
        if logText.contains("alert"), logText.contains("certificate") || logText.contains("unknown ca") {
            return MQTTFailure(.badCredentials, "the broker does not accept our certificate, or wants one")
        }
        return logText.contains("OpenSSL Error") ? MQTTFailure(.tls, "TLS failed") : nil
    }
}
