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
    let cover: CurrentPrivacyZones
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
    /// The remote settings.
    let remote: RemoteSettings
    /// The configuration in force, which a reload replaces.
    let applied: CurrentConfiguration
    /// The encryption key of files next to the store.
    let storeKey: StoreKey?
    let store: any FixStore
    let parts: AgentPluginSet
    let started: Timestamp

    /// Assembles an agent and opens its store.
    ///
    /// - Parameter readWifi: reads the state of the wireless network.
    /// - Throws: ``AgentStartError``; everything opened before is closed again.
    package static func assemble(
        _ configuration: AgentConfiguration, environment: [String: String], logger: Logger,
        readWifi: @escaping WifiReader.Reader = { WifiQuery.read(interface: $0) }
    ) async throws(AgentStartError) -> AgentRuntime {
        let misplaced = StatePaths(configuration).problems
        guard misplaced.isEmpty else { throw .configuration(AgentConfigurationError(misplaced)) }
        let (battery, wifi) = (BatteryReader(), await wifiGauge(configuration.wifi, readWifi, logger))
        let selection = await SourceChoice(configuration.sources, among: Agent.current.plugins.sources)
        let device = try deviceID(of: configuration)
        let secrets = AgentSecretReader(SecretReader(environment: environment))
        var context = PluginContext(
            device: device, secrets: secrets, logger: logger, programVersion: Agent.current.version)
        context.stateDirectory = configuration.store.path
        context.storeKey = try storeKey(configuration.store, secrets)
        let (cover, zones) = (try makeCover(configuration), CurrentWifiZone(try makeZones(configuration), wifi))
        let parts = try await AgentPluginSet.make(
            selection.configurations, configuration.sinks, configuration.places, context)
        do throws(AgentStartError) {
            let store = try await openStore(configuration, context.storeKey, secrets, logger)
            let (file, book) = (
                SavedPlaceFile(in: configuration.store.path, key: context.storeKey),
                CorrectionFile(in: configuration.store.path, key: context.storeKey)
            )
            let kept = await PlaceStore.restore(file, logger)
            let tracker = try await makeTracker(
                configuration, kept, device, store, parts, battery, zones, wifi, cover, logger)
            let pauses = PauseController(PauseFile(in: configuration.store.path), tracker, logger: logger)
            await pauses.restore()
            let profiles = ProfileController(
                configuration, tracker, battery, PowerFile(in: configuration.store.path), logger: logger)
            await profiles.begin()
            let agent = AgentRuntime(
                configuration: configuration, device: device, tracker: tracker, battery: battery, wifi: wifi,
                zones: zones,
                keeper: PlaceStore(file, book, configuration.events, kept, of: device, in: tracker, cover),
                cover: cover, introduction: introduction(selection, configuration), secrets: secrets, pauses: pauses,
                profiles: profiles, environment: environment, storeKey: context.storeKey, store: store, parts: parts,
                started: .now())
            parts.attach(to: AgentCommandHandler(agent: agent))
            return agent
        } catch {
            await parts.close()
            throw error
        }
    }

    private static func makeTracker(
        _ configuration: AgentConfiguration, _ kept: SavedPlaces, _ device: DeviceID, _ store: any FixStore,
        _ parts: AgentPluginSet, _ battery: BatteryReader, _ zones: CurrentWifiZone, _ wifi: WifiReader,
        _ cover: CurrentPrivacyZones,
        _ logger: Logger
    ) async throws(AgentStartError) -> Tracker {
        do throws(ConfigurationError) {
            var settings = Tracker.Configuration(
                device: device, store: store, sources: parts.sources, sinks: parts.sinks)
            (settings.recording, settings.retention) = (configuration.tracking, configuration.store.retention)
            settings.detector = try configuration.events.makeDetector(of: device, kept: kept)
            settings.ownEvents = configuration.events.told
            (settings.privacyFilter, settings.positionOverride) = (cover, zones)
            settings.hostStatus = { HostStatus(battery.current, in: wifi.current) }
            settings.logger = logger
            return try Tracker(configuration: settings)
        } catch {
            await store.close()
            throw .configuration(AgentConfigurationError(error, configuration.places))
        }
    }

    /// Makes the gauge of the wireless network and reads it once: the network is known before the first fix arrives.
    private static func wifiGauge(
        _ settings: WifiSettings, _ reader: @escaping WifiReader.Reader, _ logger: Logger
    ) async -> WifiReader {
        let gauge = WifiReader(logger: logger, reader: reader)
        gauge.read(settings.isRead, interface: settings.interface)
        await gauge.look()
        return gauge
    }

    private static func makeCover(_ configuration: AgentConfiguration) throws(AgentStartError) -> CurrentPrivacyZones {
        do throws(ConfigurationError) { return CurrentPrivacyZones(try configuration.events.cover) } catch {
            throw .configuration(AgentConfigurationError(error, configuration.places))
        }
    }

    private static func makeZones(_ configuration: AgentConfiguration) throws(AgentStartError) -> WifiZones {
        do throws(ConfigurationError) { return try configuration.wifi.places } catch {
            throw .configuration(AgentConfigurationError(error, configuration.places))
        }
    }

    private static func deviceID(of configuration: AgentConfiguration) throws(AgentStartError) -> DeviceID {
        var generator = SystemRandomNumberGenerator()
        do throws(DeviceIdentityError) {
            return try DeviceIdentity.resolve(configuration, using: &generator)
        } catch {
            throw .failed(error.description)
        }
    }

    /// Opens the store. If it has a key, also encrypts plain files next to it, under a lock against changes of the key.
    private static func openStore(
        _ configuration: AgentConfiguration, _ key: StoreKey?, _ secrets: AgentSecretReader, _ logger: Logger
    ) async throws(AgentStartError) -> any FixStore {
        guard let key, FileStatus.following(configuration.store.path) != nil else {
            return try await openStore(configuration.store, secrets, logger)
        }
        let lock: FileLock
        do throws(StoreError) { lock = try KeyChange.lock(configuration.store.path) } catch {
            throw AgentStartError(store: error)
        }
        defer { withExtendedLifetime(lock) {} }
        let store = try await openStore(configuration.store, secrets, logger)
        await encryptPlaces(of: configuration, under: key, logger)
        return store
    }

    private static func openStore(
        _ configuration: StoreConfiguration, _ secrets: AgentSecretReader, _ logger: Logger
    ) async throws(AgentStartError) -> any FixStore {
        do throws(FileProblem) {
            // The control socket is in this directory, too, and a store that keeps no files does not create it.
            if configuration.kind.site(in: configuration.path).files.isEmpty {
                try StateDirectory.create(configuration.path)
            }
        } catch {
            throw .failed("\(error)")
        }
        var start: ContinuousClock.Instant?
        while true {
            do throws(StoreError) {
                return try await configuration.kind.openStore(in: configuration.path, secrets: secrets, logger: logger)
            } catch {
                guard error.code == .locked, (start ?? .now).duration(to: .now) < lockTimeout else {
                    throw AgentStartError(store: error)
                }
            }
            if start == nil {
                start = .now
                logger.notice("another process has locked the store, the start waits for it")
            }
            // A cancelled start gets the same error as one that waits too long.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// How long a start waits for a store that another process has locked. A command such as `trackd export` opens the
    /// store itself where no agent answers, and closes it within seconds.
    private static let lockTimeout = Duration.seconds(5)

    private static func storeKey(
        _ configuration: StoreConfiguration, _ secrets: AgentSecretReader
    ) throws(AgentStartError) -> StoreKey? {
        do throws(StoreError) { return try configuration.kind.storeKey(from: secrets) } catch {
            throw AgentStartError(store: error)
        }
    }

    /// Encrypts plain files next to an encrypted store, once opening the store has proved that the key is right.
    private static func encryptPlaces(
        of configuration: AgentConfiguration, under key: StoreKey, _ logger: Logger
    ) async {
        for place in configuration.encryptedPlaces + configuration.foundEncryptedPlaces {
            do throws(StoreError) { try await place.encrypt(under: key) } catch {
                // A file with a few names must not keep the agent from starting.
                logger.error(
                    "files next to the store cannot be encrypted under its key",
                    metadata: ["place": "\(place.path)", "error": "\(error)"])
            }
        }
    }

    private static func introduction(_ selection: SourceChoice, _ configuration: AgentConfiguration) -> String {
        let sinks = configuration.sinks.map(\.name.rawValue)
        let destination = sinks.isEmpty ? "" : " and on to \(sinks.inWordsWithAnd)"
        return "\(selection.description); records go to \(configuration.store.path)\(destination)"
    }

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
