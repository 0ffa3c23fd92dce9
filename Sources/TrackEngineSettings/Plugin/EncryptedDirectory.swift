public import TrackEngine

/// The settings of a sink that keeps data which is encrypted together with the store.
public protocol EncryptedSettings: SinkSettings {
    /// The directories of the sink, besides those in the agent's state directory.
    var encryptedPlaces: [any EncryptedDirectory] { get }
    /// The directories of sinks of the type in the agent's state directory, including sinks that are no longer
    /// configured.
    static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory]
}

/// A directory in which a sink keeps data that is encrypted under the store's key, so that the key can be changed
/// while no agent runs.
///
/// Each call blocks only its caller, and returns at once if the sink has not saved any data yet. If a process ends
/// during a change, the data still opens with at least one of the keys that it opened with before, and the change can
/// be repeated.
public protocol EncryptedDirectory: Sendable {
    /// The path, for display.
    var path: String { get }
    /// Encrypts unencrypted data, and removes all keys but this one, the store's key. Called when the agent starts;
    /// no effect by default, for data that is encrypted when it is opened.
    func encrypt(under key: StoreKey) async throws(StoreError)
    /// Adds a key, so that the data opens with both the new key and the present one.
    ///
    /// - Parameters:
    ///   - key: the new key.
    ///   - old: the present key; `nil` if it cannot be read, which is harmless if the data already opens with the new
    ///     key.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` when the data opens with neither.
    func admit(_ key: StoreKey, beside old: StoreKey?) async throws(StoreError)
    /// Removes all keys but one of those with which the data opens.
    func restrict(to key: StoreKey) async throws(StoreError)
    /// Ends encryption: writes the data unencrypted.
    func decrypt(with key: StoreKey?) async throws(StoreError)
}

extension EncryptedDirectory {
    /// Has no effect.
    public func encrypt(under key: StoreKey) async throws(StoreError) {}
}
