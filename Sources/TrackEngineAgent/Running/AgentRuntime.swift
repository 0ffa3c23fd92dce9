package import TrackEngine
import TrackEngineSettings

/// An agent that is assembled but not yet running: the store, the sources, the sinks, and the tracker between them.
///
/// Sources and sinks are made, and their problems reported, before the store is opened. If a later step fails,
/// everything opened before is closed again.
package struct AgentRuntime: Sendable {
    /// The tracked object's name.
    package let device: DeviceID
    /// The engine.
    package let tracker: Tracker
    /// The machine's battery.
    package let battery: BatteryReader
    /// The machine's wireless network.
    package let wifi: WifiReader
    /// The wifi zones, which give networks a position.
    let zones: CurrentWifiZone
    /// Manages the places and corrections.
    let keeper: PlaceStore
    /// The privacy zones.
    let privacyZones: CurrentPrivacyZones
    /// A one-line summary of the agent's sources and destinations, for the user at the start.
    let introduction: String
    /// The secrets of the sinks.
    let secrets: AgentSecretReader
    /// The other devices that the plugins report.
    let followed = FollowedDeviceList()
    /// Manages the pause.
    let pauses: PauseController
    /// Applies the tracking profiles.
    let profiles: ProfileController
    let remote: RemoteSettings
    /// The configuration in force, which a reload replaces.
    let applied: CurrentConfiguration
    /// The encryption key of files next to the store.
    let storeKey: StoreKey?
    let store: any FixStore
    let parts: AgentPluginSet
    let started: Timestamp

    /// The configuration in force.
    package var configuration: AgentConfiguration { applied.latest }

    /// Warnings about the configuration, for the user.
    package var cautions: [ConfigurationWarning] { configuration.cautions(sourceCount: parts.ownSourceCount) }

    /// The viewer pages that can be opened now, each with its address and the registry that makes links to it. For
    /// the user, never for a log.
    ///
    /// - Parameter known: the names of the sinks to leave out.
    func pages(_ status: AgentStatus, beside known: Set<String>) -> [(
        sink: String, address: String, registry: any ViewerRegistry
    )] {
        configuration.sinks.compactMap { sink in
            guard !known.contains(sink.name.rawValue) else { return nil }
            let address = status.sinkStatus[sink.name]?.items.first { $0.name == "address" && $0.tone == .good }
            guard case .text(let listening) = address?.value else { return nil }
            // A sink with an unreadable registry reports that itself when it runs.
            guard let registry = try? sink.deviceRegistry(encryptedUnder: storeKey) else { return nil }
            return (sink.name.rawValue, listening, registry.viewing)
        }
    }

    /// The ids under which sources request the positions of other devices.
    func followedIDs() -> [Secret] { parts.followedIDs() }

    /// The links that share the tracked object's position with others.
    func sharedLinks() async -> [(sink: SinkID, link: Secret)] { await parts.sharedLinks() }

    /// The remote settings in force.
    var remoteStanding: RemoteStatus {
        let running = configuration.remote
        var standing = remote.standing
        standing.problem = standing.problem ?? running.problem
        standing.withheld = running.withheld.filter { key, _ in
            standing.values.values[key]?.text == running.values.values[key]?.text
        }
        return standing
    }

    /// The present status.
    package func status() async -> AgentStatus {
        let tracker = await tracker.status()
        return AgentStatus(
            device: device, started: started, storePath: configuration.store.path,
            storeIsEncrypted: configuration.store.kind.sealsRecords, tracker: tracker,
            sourceStatus: parts.sourceStatus(now: tracker.time), sinkStatus: parts.sinkStatus(now: tracker.time),
            remote: remoteStanding, tracking: profiles.standing,
            wifi: hidesPlace(tracker) ? WifiStatus() : zones.standing)
    }

    /// Whether the position is hidden or not tracked: the network would reveal it.
    private func hidesPlace(_ tracker: TrackerStatus) -> Bool {
        if tracker.pause != nil || profiles.standing?.resolution.profile == .off { return true }
        return tracker.sources.contains(where: \.hidesPlace)
    }

    /// Closes everything that ``assemble(_:loader:reload:logger:readWifi:)`` has opened; the tracker must have stopped.
    package func close() async {
        await closeConnections()
        await closeStore()
    }

    /// The first half of ``close()``: closes the connections of the sinks.
    func closeConnections() async { await parts.close() }

    /// The second half of ``close()``.
    func closeStore() async { await store.close() }

    /// Whether the engine has started every source and sink.
    package func isReady() async -> Bool {
        let status = await tracker.status()
        return status.state == .running && status.sources.count == parts.sources.count
            && status.sinks.count == parts.sinks.count
    }
}
