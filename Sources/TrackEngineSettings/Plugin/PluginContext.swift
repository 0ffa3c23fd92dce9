public import Logging
public import TrackEngine

/// The values from which a plugin creates its sources and sinks.
public struct PluginContext: Sendable {
    /// The tracked object's name.
    public var device: DeviceID
    /// The logger for plugins.
    public var logger: Logger
    /// The version of the program that runs the plugin, for servers that need it.
    public var programVersion: String
    /// The delivery settings of the sink that is being created.
    public var sync = SyncConfiguration()
    /// The key with which a plugin encrypts the positions and names that it saves itself; `nil` if the store is not
    /// encrypted.
    public var storeKey: StoreKey?
    /// Whether this is the first sink of its type.
    public var isFirstOfType = true
    /// The directory for data that plugins create themselves, such as an identity; `nil` if no data is saved.
    package var stateDirectory: String?
    /// The path in the configuration of the element that is being created, such as `sinks.home.`.
    package var prefix = ""
    private let secrets: any SecretProvider

    /// A context for plugins of one program.
    public init(device: DeviceID, secrets: any SecretProvider, logger: Logger, programVersion: String) {
        self.device = device
        self.secrets = secrets
        self.logger = logger
        self.programVersion = programVersion
    }

    /// A context whose secrets are read as an agent reads them: from files that only their owner can read, variables of
    /// the process, and credentials of systemd.
    public init(device: DeviceID, logger: Logger, programVersion: String) {
        let reader = SecretReader(environment: ProcessEnvironment.current)
        self.init(
            device: device, secrets: AgentSecretReader(reader), logger: logger, programVersion: programVersion)
    }

    /// Reads the secret behind a reference. It may read a file.
    ///
    /// - Parameters:
    ///   - key: the key of the plugin's settings that holds the reference.
    ///   - reference: the location of the secret.
    /// - Throws: a problem under the key, without the secret.
    public func secret(_ key: String, _ reference: SecretReference) throws(ConfigurationError) -> Secret {
        do throws(SecretFailure) { return try secrets.take(prefix + key, reference) } catch {
            throw error.problem(key)
        }
    }

    /// The current value of a secret that ``secret(_:_:)`` has read before; `nil` for a key that it has not read.
    public func currentSecret(_ key: String) async -> Secret? { await secrets.current(prefix + key) }

    /// The file of a systemd credential, for a plugin that reads it itself.
    ///
    /// - Throws: a problem under the key.
    public func credentialPath(_ key: String, _ name: String) throws(ConfigurationError) -> String {
        do throws(SecretFailure) { return try secrets.path(ofCredential: name) } catch { throw error.problem(key) }
    }
}

/// Reads secrets from their locations.
public protocol SecretProvider: Sendable {
    /// Reads a secret for the first time. It may read a file.
    ///
    /// - Parameters:
    ///   - key: the full key of the configuration, `sinks.home.token`.
    ///   - reference: the location of the secret.
    func take(_ key: String, _ reference: SecretReference) throws(SecretFailure) -> Secret
    /// The current value of a secret; `nil` for a key that was never read. If reading fails later, the last value
    /// remains.
    func current(_ key: String) async -> Secret?
    /// The file in which systemd keeps a credential.
    func path(ofCredential name: String) throws(SecretFailure) -> String
}

/// The error for a secret that cannot be read.
public struct SecretFailure: Error, Sendable, Hashable {
    /// The expectation, in words that complete "expected …"; it never contains the secret.
    public let expectation: String

    /// Creates a failure from the expectation.
    public init(expectation: String) {
        self.expectation = expectation
    }

    fileprivate func problem(_ key: String) -> ConfigurationError {
        ConfigurationError(key, "***", expectation)
    }
}
