package import TrackEngine

/// The secrets of a running agent. A secret is read again each time it is used, and all are on request.
///
/// A secret that can no longer be read keeps its value: replacing a file stops no delivery.
package final class AgentSecretReader: SecretProvider {
    private struct Entry {
        let reference: SecretReference
        /// The value in use.
        var current: Secret
        /// The value that ``renew()`` reported last.
        var told: Secret
    }

    /// The result of reading all secrets again.
    package struct Outcome: Sendable, Hashable {
        /// The keys of secrets that have changed since the time before.
        package var changed: [String] = []
        /// The secrets that cannot be read, by key.
        package var problems: [ConfigurationProblem] = []

        package init() {}
    }

    private let reader: SecretReader
    private let entries = SystemMutex<[String: Entry]>([:])

    package init(_ reader: SecretReader) {
        self.reader = reader
    }

    /// Reads a secret for the first time. Reads files: not for the cooperative pool while the agent runs.
    ///
    /// - Parameter key: the configuration key, unique in the agent.
    package func take(_ key: String, _ reference: SecretReference) throws(SecretFailure) -> Secret {
        let secret = try reader.read(reference)
        entries.withLock { $0[key] = Entry(reference: reference, current: secret, told: secret) }
        return secret
    }

    /// The path of a systemd credential.
    package func path(ofCredential name: String) throws(SecretFailure) -> String {
        try reader.path(ofCredential: name)
    }

    /// The present value of a secret; `nil` for a key that was never taken.
    package func current(_ key: String) async -> Secret? {
        guard let entry = entries.withLock({ $0[key] }) else { return nil }
        // renew() reports a failure; here the last value stays in use.
        guard entry.reference.canChange, let secret = try? await read(entry.reference) else { return entry.current }
        entries.withLock { $0[key]?.current = secret }
        return secret
    }

    /// Reads all secrets again.
    package func renew() async -> Outcome {
        var renewal = Outcome()
        for (key, entry) in entries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) where entry.reference.canChange {
            do {
                let secret = try await read(entry.reference)
                if secret != entry.told { renewal.changed.append(key) }
                entries.withLock { entries in
                    entries[key]?.current = secret
                    entries[key]?.told = secret
                }
            } catch {
                let expectation = (error as? SecretFailure)?.expectation ?? "to be readable (\(error))"
                renewal.problems.append(ConfigurationProblem(key: key, value: "***", expectation: expectation))
            }
        }
        return renewal
    }

    private func read(_ reference: SecretReference) async throws -> Secret {
        try await SystemThread.run { [reader] in try reader.read(reference) }
    }
}

extension SecretReference {
    /// Whether the secret may change within the same process.
    fileprivate var canChange: Bool {
        switch self {
        case .file, .credential: true
        case .environment, .literal: false
        }
    }
}
