import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
package import TrackEngine
package import TrackEngineSettings

/// The reason why there was no reply, in the engine's own words: the libraries' texts may repeat header values.
package enum RequestFailure: Error, Sendable, Hashable {
    /// No complete reply arrived within the time limit of the whole exchange.
    case deadline(Duration)
    /// The task was cancelled.
    case cancelled
    /// The name could not be resolved.
    case unknownHost
    /// The address does not respond, or not in time.
    case noConnection
    /// The server's certificate cannot be trusted, or TLS failed for another reason.
    case tls(String)
    /// The server does not accept the client's certificate, or requires one.
    case clientCertificate
    /// The connection ended before the reply did.
    case closed
    /// The reply is not HTTP.
    case malformedReply
    /// The reply is HTTP but no response to a request; with a description of the reply.
    case impossibleReply(String)
    /// Another error; with the name of its type.
    case other(String)

    /// Converts an error of the client.
    package init(_ error: any Error) {
        switch error {
        case let failure as RequestFailure: self = failure
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError: self = Self.client(error)
        case let error as NIOConnectionError:
            self = error.connectionErrors.isEmpty ? .unknownHost : .noConnection
        case let error as NIOSSLError: self = Self.tls(error)
        case let error as BoringSSLError: self = Self.alert(in: "\(error)")
        case is NIOSSLExtraError: self = .tls("the certificate is for another host")
        case let error as IOError: self = Self.unreachable.contains(error.errnoCode) ? .noConnection : .closed
        case ChannelError.connectTimeout: self = .noConnection
        case is ChannelError: self = .closed
        default: self = Self.byName(error)
        }
    }

    private static let unreachable: Set<CInt> = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, ETIMEDOUT]

    private static func client(_ error: HTTPClientError) -> RequestFailure {
        switch error {
        case .cancelled, .requestStreamCancelled: .cancelled
        case .connectTimeout, .getConnectionFromPoolTimeout: .noConnection
        case .tlsHandshakeTimeout: .tls("the handshake did not end in time")
        case .remoteConnectionClosed, .uncleanShutdown: .closed
        case .deadlineExceeded, .readTimeout, .writeTimeout: .noConnection
        default: .malformedReply
        }
    }

    private static func tls(_ error: NIOSSLError) -> RequestFailure {
        switch error {
        case .handshakeFailed(let cause): alert(in: "\(cause)")
        case .unableToValidateCertificate, .noCertificateToValidate, .cannotFindPeerIP, .cannotMatchULabel:
            .tls("the certificate is not to be trusted")
        case .uncleanShutdown: .closed
        default: .tls("the connection failed")
        }
    }

    /// Classifies an error of BoringSSL, which distinguishes alerts and verification failures only in its texts;
    /// they contain no data of the engine.
    private static func alert(in text: String) -> RequestFailure {
        let refusals = [
            "ALERT_CERTIFICATE_REQUIRED", "ALERT_UNKNOWN_CA", "ALERT_BAD_CERTIFICATE", "ALERT_CERTIFICATE_EXPIRED",
            "ALERT_CERTIFICATE_REVOKED", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_UNSUPPORTED_CERTIFICATE",
            "ALERT_ACCESS_DENIED",
        ]
        if refusals.contains(where: text.contains) { return .clientCertificate }
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return .tls("the certificate is not to be trusted") }
        if text.contains("WRONG_VERSION_NUMBER") { return .tls("the receiver does not speak TLS at this port") }
        if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
            return .tls("the receiver does not speak TLS 1.2 or later")
        }
        return .tls("the handshake failed")
    }

    private static func byName(_ error: any Error) -> RequestFailure {
        let name = "\(type(of: error))"
        return name.contains("Parser") || name.contains("Decoder") ? .malformedReply : .other(name)
    }

    /// The error for the delivery.
    ///
    /// A certificate that is not trusted is tried again with back-off. The usual causes pass without intervention:
    /// an intermediate login page, and a clock that is not yet set after a cold start.
    package func deliveryError(to origin: Endpoint.Origin) -> DeliveryError {
        switch self {
        case .deadline(let limit):
            DeliveryError(.retry(evidence: .timeout), "no complete reply from \(origin) within \(limit.inWords)")
        case .cancelled: DeliveryError(.retry(), "the delivery to \(origin) was cancelled")
        case .unknownHost: DeliveryError(.retry(), "the name of \(origin) cannot be resolved")
        case .noConnection: DeliveryError(.retry(), "no connection to \(origin)")
        case .tls(let what): DeliveryError(.retry(), "TLS to \(origin): \(what)")
        case .clientCertificate:
            DeliveryError(.needsOperator, "TLS to \(origin): the receiver wants another client certificate")
        case .closed:
            DeliveryError(.retry(evidence: .silence), "\(origin) closed the connection before the reply was complete")
        case .malformedReply: DeliveryError(.retry(evidence: .silence), "the reply of \(origin) is not HTTP")
        case .impossibleReply(let what):
            DeliveryError(.retry(evidence: .silence), "the reply of \(origin) is no response: \(what)")
        case .other(let name): DeliveryError(.retry(), "the exchange with \(origin) failed (\(name))")
        }
    }
}
