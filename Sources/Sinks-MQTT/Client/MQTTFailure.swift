import TrackEngine

/// The reason why there is no connection, by kind.
public struct MQTTFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Kind: Sendable, Hashable {
        /// The name has no address, or its lookup does not end.
        case nameLookup
        /// The address accepts no connections, or there is no route to it.
        case unreachable
        /// No reply in time: dropped packets, a broker that does not reply, a dead connection.
        case timedOut
        /// The connection broke or was closed.
        case connectionLost
        /// TLS failed before or after certificates were checked.
        case tls
        /// The broker's certificate cannot be trusted: it has expired, its authority is unknown, or it is for
        /// another host.
        case certificate
        /// A file with certificates, a key or a password cannot be used.
        case credentialFile
        /// The broker does not know the user, the password or the certificate.
        case badCredentials
        /// The broker knows this client and does not let it in.
        case notAuthorized
        /// The broker does not accept this client's name, topic, version or options.
        case rejected
        /// The broker is up and cannot serve now: busy, shutting down, over quota.
        case brokerUnavailable
        /// The broker ended the connection over a message of this client.
        case messageRejected
        /// A message to this client is larger than it accepts.
        case messageTooLarge
        /// Another client connected with this client's name.
        case takenOver
        /// The broker speaks no supported version of MQTT.
        case protocolError
        /// The library or the system failed.
        case system
    }

    /// The kind.
    public let kind: Kind
    /// A description for people, free of secrets and positions.
    public let description: String
    /// The reason code of MQTT 5, or the return code of MQTT 3.1.1, where the broker gave one.
    public let code: UInt8?

    /// Creates a failure.
    public init(_ kind: Kind, _ description: String, code: UInt8? = nil) {
        self.kind = kind
        self.description = description
        self.code = code
    }

    /// Whether only a person can mend the failure.
    public var needsPerson: Bool {
        switch kind {
        case .certificate, .credentialFile, .badCredentials, .notAuthorized, .rejected: true
        case .nameLookup, .unreachable, .timedOut, .connectionLost, .tls, .brokerUnavailable,
            .messageRejected, .messageTooLarge, .takenOver, .protocolError, .system:
            false
        }
    }

    /// The error for the sink delivery while there is no connection: it waits for the next attempt or for a person, or
    /// searches for the record that ends each connection.
    ///
    /// - Parameter isUnderWay: whether sent records were not acknowledged.
    func deliveryError(next wait: Duration, isUnderWay: Bool = false) -> DeliveryError {
        // The broker does not name the message; the sink delivery finds it by sending fewer messages.
        if kind == .messageRejected { return DeliveryError(.retry(after: wait, evidence: .failure), description) }
        // A broker that fails over a record may end the connection, for another reason or without one, or never
        // acknowledge the record.
        switch kind {
        case .connectionLost, .timedOut, .protocolError:
            if isUnderWay { return DeliveryError(.retry(after: wait, evidence: .silence), description) }
        default: break
        }
        return needsPerson
            ? DeliveryError(.needsOperator, description) : DeliveryError(.retry(after: wait), description)
    }
}
