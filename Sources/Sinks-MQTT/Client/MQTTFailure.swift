/// Why there is no connection, by kind.
public struct MQTTFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Kind: Sendable, Hashable {
        /// The name has no address, or its lookup does not end.
        case nameLookup
        /// Nobody accepts connections there, or there is no way.
        case unreachable
        /// No reply in time: dropped packets, a broker that does not reply, a dead connection.
        case timedOut
        /// The connection broke or was closed.
        case connectionLost
        /// TLS failed before or after certificates were looked at.
        case tls
        /// The broker's certificate is not to be trusted: expired, unknown authority, or for another host.
        case certificate
        /// A file with certificates, a key or a password cannot be used.
        case credentialFile
        /// The broker does not know the user, the password or the certificate.
        case badCredentials
        /// The broker knows us and does not let us in.
        case notAuthorized
        /// The broker does not take this client's name, topic, version or wishes.
        case rejected
        /// The broker is up and cannot serve now: busy, shutting down, over quota.
        case brokerUnavailable
        /// The broker ended the connection over a message of ours.
        case messageRejected
        /// Somebody sent this client a message that is larger than it takes.
        case messageTooLarge
        /// Another client came under our name.
        case takenOver
        /// The broker speaks no MQTT that we understand.
        case protocolError
        /// The library or the system failed.
        case system
    }

    /// The kind.
    public let kind: Kind
    /// What happened, for people; free of secrets and positions.
    public let description: String
    /// The reason code of MQTT 5, or the return code of MQTT 3.1.1, where the broker gave one.
    public let code: UInt8?

    /// Describes a failure.
    public init(_ kind: Kind, _ description: String, code: UInt8? = nil) {
        self.kind = kind
        self.description = description
        self.code = code
    }

    /// Whether only a person can mend it.
    public var needsPerson: Bool {
        switch kind {
        case .certificate, .credentialFile, .badCredentials, .notAuthorized, .rejected: true
        case .nameLookup, .unreachable, .timedOut, .connectionLost, .tls, .brokerUnavailable,
            .messageRejected, .messageTooLarge, .takenOver, .protocolError, .system:
            false
        }
    }
}
