package import Logging
package import TrackEngine
import TrackEngineSettings

extension AgentRuntime {
    /// Assembles an agent and opens its store.
    ///
    /// - Parameters:
    ///   - loader: has read the configuration, and reads it again to examine remote changes.
    ///   - reload: raised when the agent should read its configuration again.
    ///   - readWifi: reads the state of the wireless network.
    /// - Throws: ``AgentStartError``; everything opened before is closed again.
    package static func assemble(
        _ configuration: AgentConfiguration, loader: ConfigurationReader, reload: WakeSignal = WakeSignal(),
        logger: Logger,
        readWifi: @escaping WifiReader.Reader = { WifiQuery.read(interface: $0) }
    ) async throws(AgentStartError) -> AgentRuntime {
        let misplaced = StatePaths(configuration).problems
        guard misplaced.isEmpty else { throw .configuration(AgentConfigurationError(misplaced)) }
        let (battery, wifi) = (BatteryReader(), await wifiReader(configuration.wifi, readWifi, logger))
        let selection = await SourceChoice(configuration.sources, among: Agent.current.plugins.sources)
        let secrets = AgentSecretReader(SecretReader(environment: loader.environment))
        let context = try context(configuration, secrets, logger)
        let (path, device, key) = (configuration.store.path, context.device, context.storeKey)
        let privacyZones = CurrentPrivacyZones(
            try configuration.reporting { () throws(ConfigurationError) in try configuration.events.privacyZones })
        let zones = CurrentWifiZone(
            try configuration.reporting { () throws(ConfigurationError) in try configuration.wifi.places }, wifi)
        let parts = try await AgentPluginSet.make(
            selection.configurations, configuration.sinks, configuration.places, context)
        do throws(AgentStartError) {
            let store = try await configuration.openStore(under: key, secrets, logger)
            let file = SavedPlaceFile(in: path, key: key)
            let kept = await PlaceStore.restore(file, logger)
            let tracker = try await makeTracker(
                configuration, kept, device, store, parts, battery, zones, wifi, privacyZones, logger)
            let pauses = PauseController(PauseFile(in: path), tracker, logger: logger)
            await pauses.restore()
            let profiles = ProfileController(configuration, tracker, battery, PowerFile(in: path), logger: logger)
            await profiles.begin()
            let applied = CurrentConfiguration(configuration)
            let surroundings = RemoteSettings.Environment(applied, tracker, loader, reload: reload)
            let agent = AgentRuntime(
                device: device, tracker: tracker, battery: battery, wifi: wifi, zones: zones,
                keeper: PlaceStore(
                    file, CorrectionFile(in: path, key: key), configuration.events, kept, of: device, in: tracker,
                    privacyZones),
                privacyZones: privacyZones, introduction: introduction(selection, configuration), secrets: secrets,
                pauses: pauses,
                profiles: profiles, remote: RemoteSettings(RemoteFile(in: path), surroundings, logger: logger),
                applied: applied, storeKey: key, store: store, parts: parts, started: .now())
            parts.attach(to: AgentCommandHandler(agent: agent))
            return agent
        } catch {
            await parts.close()
            throw error
        }
    }

    private static func context(
        _ configuration: AgentConfiguration, _ secrets: AgentSecretReader, _ logger: Logger
    ) throws(AgentStartError) -> PluginContext {
        var context = PluginContext(
            device: try deviceID(of: configuration), secrets: secrets, logger: logger,
            programVersion: Agent.current.version)
        context.stateDirectory = configuration.store.path
        do throws(StoreError) { context.storeKey = try configuration.store.kind.storeKey(from: secrets) } catch {
            throw AgentStartError(store: error)
        }
        return context
    }

    private static func makeTracker(
        _ configuration: AgentConfiguration, _ kept: SavedPlaces, _ device: DeviceID, _ store: any FixStore,
        _ parts: AgentPluginSet, _ battery: BatteryReader, _ zones: CurrentWifiZone, _ wifi: WifiReader,
        _ privacyZones: CurrentPrivacyZones, _ logger: Logger
    ) async throws(AgentStartError) -> Tracker {
        do throws(AgentStartError) {
            return try configuration.reporting { () throws(ConfigurationError) in
                var settings = Tracker.Configuration(
                    device: device, store: store, sources: parts.sources, sinks: parts.sinks)
                (settings.recording, settings.retention) = (configuration.tracking, configuration.store.retention)
                settings.detector = try configuration.events.makeDetector(of: device, kept: kept)
                settings.ownEvents = configuration.events.told
                (settings.privacyFilter, settings.positionOverride) = (privacyZones, zones)
                settings.hostStatus = { HostStatus(battery.current, in: wifi.current) }
                settings.logger = logger
                return try Tracker(configuration: settings)
            }
        } catch {
            await store.close()
            throw error
        }
    }

    /// Makes the reader of the wireless network and reads it once: the network is known before the first fix arrives.
    private static func wifiReader(
        _ settings: WifiSettings, _ reader: @escaping WifiReader.Reader, _ logger: Logger
    ) async -> WifiReader {
        let wifi = WifiReader(logger: logger, reader: reader)
        wifi.read(settings.isRead, interface: settings.interface)
        await wifi.look()
        return wifi
    }

    private static func deviceID(of configuration: AgentConfiguration) throws(AgentStartError) -> DeviceID {
        var generator = SystemRandomNumberGenerator()
        do throws(DeviceIdentityError) {
            return try DeviceIdentity.resolve(configuration, using: &generator)
        } catch {
            throw .failed(error.description)
        }
    }

    private static func introduction(_ selection: SourceChoice, _ configuration: AgentConfiguration) -> String {
        let sinks = configuration.sinks.map(\.name.rawValue)
        let destination = sinks.isEmpty ? "" : " and on to \(sinks.inWordsWithAnd)"
        return "\(selection.description); records go to \(configuration.store.path)\(destination)"
    }
}

extension AgentConfiguration {
    /// Reports problems that the engine finds with the places where their values were given.
    fileprivate func reporting<Result>(
        _ body: () throws(ConfigurationError) -> Result
    ) throws(AgentStartError) -> Result {
        do throws(ConfigurationError) { return try body() } catch {
            throw .configuration(AgentConfigurationError(error, places))
        }
    }
}

extension HostStatus {
    /// The machine's own status; `nil` if neither the battery nor the network is known.
    fileprivate init?(_ battery: HostStatus?, in wifi: WifiNetwork?) {
        guard battery != nil || wifi != nil else { return nil }
        self.init(
            batteryLevel: battery?.batteryLevel, batteryState: battery?.batteryState ?? .unknown, wifi: wifi)
    }
}

extension [String] {
    /// `a, b and c`
    fileprivate var inWordsWithAnd: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
