public import TrackEngine

/// The viewers of the page of a sink that also receives. `trackd viewer` changes them, also while the agent runs.
public protocol ViewerRegistry: Sendable {
    /// The named viewers, a line for each: the name, whether they may edit, and the devices that they see.
    var viewers: [String] { get }
    /// The sessions that have not ended, a line for each: the id, the viewer, the begin and the end.
    var sessions: [String] { get }
    /// The log of actions that need rights, a line for each, the oldest first; an error if it cannot be
    /// read.
    var audit: [String] { get throws(DeviceRegistryError) }
    /// Creates a link to the page that can be opened once and becomes a session.
    ///
    /// - Parameters:
    ///   - viewer: the viewer with the rights that it gives; `nil` for the rights of the key's holder.
    ///   - mayEdit: whether it gives the right to edit; for a named viewer the list decides.
    ///   - listening: the address at which the sink reports that it listens, `nil` if the sink was not asked.
    /// - Throws: an error if there is no such viewer, or if the list cannot be written.
    func link(of viewer: String?, mayEdit: Bool, listening: String?) throws(DeviceRegistryError) -> Secret
    /// Adds a viewer.
    ///
    /// - Parameters:
    ///   - name: the name of the viewer.
    ///   - mayEdit: whether the viewer may edit.
    ///   - devices: the devices that the viewer sees; `nil` for all.
    /// - Throws: the expectation, if the name is taken or not valid, or an error if the list cannot be written.
    func admitViewer(_ name: String, mayEdit: Bool, devices: [DeviceID]?) throws(DeviceRegistryError)
    /// Removes a viewer and ends the viewer's links and sessions; returns whether there was one.
    func dismissViewer(_ name: String) throws(DeviceRegistryError) -> Bool
    /// Ends the sessions whose ids begin with a text, or all sessions; returns their number.
    func endSessions(_ id: String?) throws(DeviceRegistryError) -> Int
    /// Creates new keys for reading and editing, and ends the links and sessions that came from the old keys.
    func renewKeys() throws(DeviceRegistryError)
}
