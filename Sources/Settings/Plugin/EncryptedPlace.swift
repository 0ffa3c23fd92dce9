public import TrackEngine

/// A directory in which a sink keeps something encrypted under the store's key, so that the key can be changed while no agent
/// runs.
///
/// Each call blocks nobody but its caller, and does nothing where the sink has kept nothing yet. When a process ends within a
/// change, what is there opens with at least one of the keys that it opened with before, and the change can be made again.
public protocol EncryptedPlace: Sendable {
    /// Where it is, for people.
    var path: String { get }
    /// Encrypts what is in plain, and sees to it that the place opens with the key alone, which is that of the store. Called when
    /// the agent starts; does nothing by default, as for a place that encrypts itself when it is opened.
    func encrypt(under key: StoreKey) async throws(StoreError)
    /// Sees to it that the place opens with a new key as well as with the one that it has.
    ///
    /// - Parameters:
    ///   - key: the new one.
    ///   - old: the present one; `nil` where it cannot be read, which does no harm when the place has the new one already.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` when it opens with neither.
    func admit(_ key: StoreKey, beside old: StoreKey?) async throws(StoreError)
    /// Sees to it that the place opens with one key alone, of those that it opens with.
    func restrict(to key: StoreKey) async throws(StoreError)
    /// Ends encryption: writes in plain what is there.
    func decrypt(with key: StoreKey?) async throws(StoreError)
}

extension EncryptedPlace {
    /// Does nothing.
    public func encrypt(under key: StoreKey) async throws(StoreError) {}
}
