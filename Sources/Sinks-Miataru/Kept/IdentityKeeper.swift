package import TrackEngine
package import TrackEngineSettings

/// Who knows under which identity requests are made.
package enum IdentityKeeper: Sendable {
    /// The configuration, which is asked for each request.
    case configuration(@Sendable () async -> MiataruIdentity)
    /// The agent, which has made it.
    case file(IdentityFile)

    /// The identity of the next request, made if need be.
    package func identity() async throws(DeliveryError) -> MiataruIdentity {
        switch self {
        case .configuration(let identity): return await identity()
        case .file(let file):
            do throws(PrivateFileError) { return try file.readOrMake().current } catch {
                throw DeliveryError(.retry(after: nil), "the identity is not available: \(error)")
            }
        }
    }

    /// The identity that the agent has made; `nil` where it comes from the configuration or is not made yet.
    var present: MiataruIdentity? {
        guard case .file(let file) = self else { return nil }
        return (try? file.read())?.current
    }

    /// The identity with a key that the server may have already: that of a change which was interrupted.
    package var pending: MiataruIdentity? {
        guard case .file(let file) = self, let kept = try? file.read() else { return nil }
        return kept.pending
    }

    /// Keeps a key that the server has taken.
    package func confirm(_ identity: MiataruIdentity) throws(PrivateFileError) {
        guard case .file(let file) = self else { return }
        try file.change { kept in
            guard kept.newKey == identity.deviceKey?.revealed else { return }
            kept.key = kept.newKey
            kept.newKey = nil
        }
    }
}
