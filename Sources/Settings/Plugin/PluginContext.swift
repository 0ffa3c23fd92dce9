public import Logging
public import TrackEngine

/// What a plugin's sources and sinks are made with.
public struct PluginContext: Sendable {
    /// The tracked object's name.
    public var device: DeviceID
    /// Where plugins log.
    public var logger: Logger
    /// The version of the program that runs the plugin, for receivers that want to know.
    public var programVersion: String
    /// When the sink that is being made sends.
    public var sync = SyncConfiguration()
    /// What a plugin encrypts the places and names under that it keeps itself; `nil` where the store is in plain.
    public var storeKey: StoreKey?
    /// Whether no sink of the same type stands before this one.
    public var isFirstOfType = true
    /// The directory in which plugins keep what they make themselves, such as an identity; `nil` where nothing is kept.
    package var stateDirectory: String?
    /// Where the element that is being made stands in the configuration, such as `sinks.home.`.
    package var prefix = ""
    private let secrets: any SecretProvider

    /// A context for plugins of one program.
    public init(device: DeviceID, secrets: any SecretProvider, logger: Logger, programVersion: String) {
        self.device = device
        self.secrets = secrets
        self.logger = logger
        self.programVersion = programVersion
    }

    /// The secret behind a reference, read now. It may read a file.
    ///
    /// - Parameters:
    ///   - key: the key of the plugin's settings that holds the reference.
    ///   - reference: where the secret is kept.
    /// - Throws: a problem under the key, without the secret.
    public func secret(_ key: String, _ reference: SecretReference) throws(ConfigurationError) -> Secret {
        do throws(SecretFailure) { return try secrets.take(prefix + key, reference) } catch {
            throw error.problem(key)
        }
    }

    /// A secret that ``secret(_:_:)`` has read before, as it is now; `nil` for a key that it has not read.
    public func currentSecret(_ key: String) async -> Secret? { await secrets.current(prefix + key) }

    /// The file of a systemd credential, for a plugin that reads it itself.
    ///
    /// - Throws: a problem under the key.
    public func credentialPath(_ key: String, _ name: String) throws(ConfigurationError) -> String {
        do throws(SecretFailure) { return try secrets.path(ofCredential: name) } catch { throw error.problem(key) }
    }
}

/// Reads secrets from where they are kept.
public protocol SecretProvider: Sendable {
    /// Reads a secret for the first time. It may read a file.
    ///
    /// - Parameters:
    ///   - key: the full key of the configuration, `sinks.home.token`.
    ///   - reference: where the secret is kept.
    func take(_ key: String, _ reference: SecretReference) throws(SecretFailure) -> Secret
    /// A secret as it is now; `nil` for a key that was never taken. One that cannot be read any more stays what it was.
    func current(_ key: String) async -> Secret?
    /// The file in which systemd keeps a credential.
    func path(ofCredential name: String) throws(SecretFailure) -> String
}

/// A secret cannot be read.
public struct SecretFailure: Error, Sendable, Hashable {
    /// What was expected, in words that complete "expected …"; it never repeats the secret.
    public let expectation: String

    /// A failure with what was expected.
    public init(expectation: String) {
        self.expectation = expectation
    }

    fileprivate func problem(_ key: String) -> ConfigurationError {
        ConfigurationError(problems: [ConfigurationProblem(key: key, value: "***", expectation: expectation)])
    }
}
