public import TrackEngine

/// Who may look at the page of a sink that also receives: what `trackd viewer` changes, also while the agent runs.
public protocol ViewerRegistry: Sendable {
    /// The viewers that have names, a line for each: the name, whether they edit, and the devices that they see.
    var viewers: [String] { get }
    /// The sessions that have not ended, a line for each: the id, whose it is, its begin and end.
    var sessions: [String] { get }
    /// What was done with rights, a line for each, the oldest first.
    var audit: [String] { get }
    /// A link to the page that can be opened once and becomes a session.
    ///
    /// - Parameters:
    ///   - viewer: the viewer whose rights it gives; `nil` for those of who has the key.
    ///   - mayEdit: whether it gives the right to edit; of a named viewer the list decides.
    ///   - listening: where the sink says that it listens, `nil` when nobody has asked it.
    /// - Throws: where there is no such viewer, or because the list cannot be written.
    func link(of viewer: String?, mayEdit: Bool, listening: String?) throws(DeviceRegistryError) -> Secret
    /// Adds a viewer.
    ///
    /// - Parameters:
    ///   - name: the name of the viewer.
    ///   - mayEdit: whether the viewer may edit.
    ///   - devices: the devices that the viewer sees; `nil` for all.
    /// - Throws: what was expected, for a name that is taken or cannot be one, or because the list cannot be written.
    func admitViewer(_ name: String, mayEdit: Bool, devices: [DeviceID]?) throws(DeviceRegistryError)
    /// Removes a viewer, whose links and sessions end; returns whether there was one.
    func dismissViewer(_ name: String) throws(DeviceRegistryError) -> Bool
    /// Ends the sessions whose ids begin so, or all; returns how many.
    func endSessions(_ id: String?) throws(DeviceRegistryError) -> Int
    /// Makes other keys for reading and editing, and ends the links and sessions that they have given.
    func renewKeys() throws(DeviceRegistryError)
}
