package import TrackEngine

/// The source of the identity for requests.
package enum IdentityReader: Sendable {
    /// The configuration, which is read for each request.
    case configuration(@Sendable () async -> MiataruIdentity)
    /// The agent's file, for an identity that the agent has made.
    case file(IdentityFile)

    /// The identity for the next request, created if necessary.
    package func identity() async throws(DeliveryError) -> MiataruIdentity {
        switch self {
        case .configuration(let identity): return await identity()
        case .file(let file):
            do throws(PrivateFileError) { return try file.readOrMake().current } catch {
                throw DeliveryError(.retry(after: nil), "the identity is not available: \(error)")
            }
        }
    }

    /// The identity that the agent has made; `nil` if it comes from the configuration or does not exist yet.
    var present: MiataruIdentity? {
        guard case .file(let file) = self else { return nil }
        return (try? file.read())?.current
    }

    /// The identity with a key that the server may have already, after an interrupted change.
    package var pending: MiataruIdentity? {
        guard case .file(let file) = self, let kept = try? file.read() else { return nil }
        return kept.pending
    }

    /// Saves a key that the server has accepted.
    package func confirm(_ identity: MiataruIdentity) throws(PrivateFileError) {
        guard case .file(let file) = self else { return }
        try file.change { kept in
            guard kept.newKey == identity.deviceKey?.revealed else { return }
            kept.key = kept.newKey
            kept.newKey = nil
        }
    }
}
