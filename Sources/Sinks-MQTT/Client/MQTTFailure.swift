import TrackEngine

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

extension MQTTFailure {
    /// What the drain shall do while there is no connection: wait until there may be one, or for a person, or look for
    /// the record that ends each.
    ///
    /// - Parameter isUnderWay: whether records had been sent that were not acknowledged.
    func deliveryError(next wait: Duration, isUnderWay: Bool = false) -> DeliveryError {
        // Which message it was the broker does not say; the drain finds out by sending fewer.
        if kind == .messageRejected { return DeliveryError(.retrySuspectingRecord(after: wait), description) }
        // A broker that fails over a record may end the connection, for another reason or without one, or never
        // acknowledge.
        switch kind {
        case .connectionLost, .timedOut, .protocolError:
            if isUnderWay { return DeliveryError(.retryUnanswered(after: wait), description) }
        default: break
        }
        return needsPerson ? DeliveryError(.pause, description) : DeliveryError(.retry(after: wait), description)
    }
}
