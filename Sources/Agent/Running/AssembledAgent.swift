package import Logging
package import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings

/// An agent put together and not yet running: store, sources, sinks and the tracker between them.
///
/// Everything that can be wrong with the configuration is found before the store is opened, so nothing is half started.
package struct AssembledAgent: Sendable {
    /// What it was made from.
    package let configuration: AgentConfiguration
    /// The tracked object's name.
    package let device: DeviceID
    /// The engine.
    package let tracker: Tracker
    /// The machine's battery.
    package let battery: BatteryGauge
    /// The machine's wireless network.
    package let wifi: WifiGauge
    /// Where its networks are.
    let zones: CurrentZones
    /// Looks after its places.
    let keeper: PlaceKeeper
    /// Where positions are hidden.
    let cover: CurrentCover
    /// One line about what this agent does, for a person who has just started it.
    package let introduction: String
    /// The secrets of its sinks.
    let secrets: AgentSecrets
    /// The other devices that its plugins tell of.
    let followed = FollowedDevices()
    /// Keeps its pause.
    let pauses: PauseKeeper
    /// Has it record as its profiles want it.
    let profiles: ProfileKeeper
    /// Changes its configuration from afar.
    let remote = RemoteDoor()
    /// What it runs with, after changes.
    let applied = AppliedConfiguration()
    /// The environment that it was made in.
    let environment: [String: String]
    /// What files beside the store are encrypted under.
    private let storeKey: StoreKey?
    private let store: any FixStore
    private let parts: AgentParts
    private let started: Timestamp

    /// Puts an agent together and opens its store.
    ///
    /// - Parameter readWifi: finds out about the wireless network.
    /// - Throws: ``AgentStartError``; whatever had been opened is closed again.
    package static func assemble(
        _ configuration: AgentConfiguration, environment: [String: String], logger: Logger,
        readWifi: @escaping WifiGauge.Reader = { WirelessQuery.read(interface: $0) }
    ) async throws(AgentStartError) -> AssembledAgent {
        let misplaced = StatePlaces(configuration).problems
        guard misplaced.isEmpty else { throw .configuration(AgentConfigurationError(misplaced)) }
        let (battery, wifi) = (BatteryGauge(), await wifiGauge(configuration.wifi, readWifi, logger))
        let selection = await SelectedSources(configuration.sources, among: Agent.current.plugins.sources)
        let device = try deviceID(of: configuration)
        let secrets = AgentSecrets(SecretReader(environment: environment))
        var context = PluginContext(
            device: device, secrets: secrets, logger: logger, programVersion: Agent.current.version)
        context.stateDirectory = configuration.store.path
        context.storeKey = try storeKey(configuration.store, secrets)
        let (cover, zones) = (try makeCover(configuration), CurrentZones(try makeZones(configuration), wifi))
        let parts = try await AgentParts.make(
            selection.configurations, configuration.sinks, configuration.places, context)
        do throws(AgentStartError) {
            let store = try await openStore(configuration, context.storeKey, secrets, logger)
            let (file, book) = (
                KeptPlaceFile(in: configuration.store.path, key: context.storeKey),
                CorrectionFile(in: configuration.store.path, key: context.storeKey)
            )
            let kept = await PlaceKeeper.restore(file, logger)
            let tracker = try await makeTracker(
                configuration, kept, device, store, parts, battery, zones, wifi, cover, logger)
            let pauses = PauseKeeper(PauseFile(in: configuration.store.path), tracker, logger: logger)
            await pauses.restore()
            let profiles = ProfileKeeper(
                configuration, tracker, battery, PowerFile(in: configuration.store.path), logger: logger)
            await profiles.begin()
            let agent = AssembledAgent(
                configuration: configuration, device: device, tracker: tracker, battery: battery, wifi: wifi,
                zones: zones,
                keeper: PlaceKeeper(file, book, configuration.events, kept, of: device, in: tracker, cover),
                cover: cover, introduction: introduction(selection, configuration), secrets: secrets, pauses: pauses,
                profiles: profiles, environment: environment, storeKey: context.storeKey, store: store, parts: parts,
                started: .now())
            parts.attach(to: AgentCommands(agent: agent))
            return agent
        } catch {
            await parts.close()
            throw error
        }
    }

    private static func makeTracker(
        _ configuration: AgentConfiguration, _ kept: KeptPlaces, _ device: DeviceID, _ store: any FixStore,
        _ parts: AgentParts, _ battery: BatteryGauge, _ zones: CurrentZones, _ wifi: WifiGauge, _ cover: CurrentCover,
        _ logger: Logger
    ) async throws(AgentStartError) -> Tracker {
        do throws(ConfigurationError) {
            return try Tracker(
                configuration: configuration.tracking, retention: configuration.store.retention, device: device,
                store: store, sources: parts.sources, sinks: parts.sinks,
                detector: configuration.events.makeDetector(of: device, kept: kept), cover: cover, authority: zones,
                telling: configuration.events.told,
                hostStatus: { HostStatus(battery.current, in: wifi.current) },
                logger: logger)
        } catch {
            await store.close()
            throw .configuration(AgentConfigurationError(error, configuration.places))
        }
    }

    /// What looks at the wireless network, which is known before the first fix comes.
    private static func wifiGauge(
        _ settings: WifiSettings, _ reader: @escaping WifiGauge.Reader, _ logger: Logger
    ) async -> WifiGauge {
        let gauge = WifiGauge(logger: logger, reader: reader)
        gauge.read(settings.isRead, interface: settings.interface)
        await gauge.look()
        return gauge
    }

    private static func makeCover(_ configuration: AgentConfiguration) throws(AgentStartError) -> CurrentCover {
        do throws(ConfigurationError) { return CurrentCover(try configuration.events.cover) } catch {
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

    /// Opens the store, and encrypts what is in plain beside it. Nobody changes its key meanwhile.
    private static func openStore(
        _ configuration: AgentConfiguration, _ key: StoreKey?, _ secrets: AgentSecrets, _ logger: Logger
    ) async throws(AgentStartError) -> any FixStore {
        guard let key, FileStatus.following(configuration.store.path) != nil else {
            return try await openStore(configuration.store, secrets, logger)
        }
        let lock: Descriptor
        do throws(StoreError) { lock = try KeyChange.lock(configuration.store.path) } catch {
            throw AgentStartError(store: error)
        }
        defer { withExtendedLifetime(lock) {} }
        let store = try await openStore(configuration.store, secrets, logger)
        await encryptPlaces(of: configuration, under: key, logger)
        return store
    }

    private static func openStore(
        _ configuration: StoreConfiguration, _ secrets: AgentSecrets, _ logger: Logger
    ) async throws(AgentStartError) -> any FixStore {
        do throws(FileProblem) {
            // The control socket is there too, and a store that keeps nothing on the disk does not make it.
            if configuration.kind.site(in: configuration.path).files.isEmpty {
                try StateDirectory.create(configuration.path)
            }
        } catch {
            throw .failed("\(error)")
        }
        do throws(StoreError) {
            return try await configuration.kind.openStore(in: configuration.path, secrets: secrets, logger: logger)
        } catch {
            throw AgentStartError(store: error)
        }
    }

    private static func storeKey(
        _ configuration: StoreConfiguration, _ secrets: AgentSecrets
    ) throws(AgentStartError) -> StoreKey? {
        do throws(StoreError) { return try configuration.kind.storeKey(from: secrets) } catch {
            throw AgentStartError(store: error)
        }
    }

    /// Encrypts what is in plain beside an encrypted store, once the store has shown that the key is its own.
    private static func encryptPlaces(
        of configuration: AgentConfiguration, under key: StoreKey, _ logger: Logger
    ) async {
        for place in configuration.encryptedPlaces + configuration.foundEncryptedPlaces {
            do throws(StoreError) { try await place.encrypt(under: key) } catch {
                // A file of a few names keeps no agent from its work.
                logger.error(
                    "what is beside the store cannot be encrypted under its key",
                    metadata: ["place": "\(place.path)", "error": "\(error)"])
            }
        }
    }

    private static func introduction(_ selection: SelectedSources, _ configuration: AgentConfiguration) -> String {
        let sinks = configuration.sinks.map(\.name.rawValue)
        let destination = sinks.isEmpty ? "" : " and on to \(sinks.inWordsWithAnd)"
        return "\(selection.description); records go to \(configuration.store.path)\(destination)"
    }

    /// What a person should know about its configuration.
    package var cautions: [ConfigurationCaution] { configuration.cautions(sourceCount: parts.ownSourceCount) }

    /// The pages that can be looked at now, each with its address and with what makes a link to it: for a person, no log.
    ///
    /// - Parameter known: the names of sinks of which nobody has to be told.
    func pages(_ status: AgentStatus, beside known: Set<String>) -> [(
        sink: String, address: String, registry: any ViewerRegistry
    )] {
        configuration.sinks.compactMap { sink in
            guard !known.contains(sink.name.rawValue) else { return nil }
            let address = status.sinkStatus[sink.name]?.items.first { $0.name == "address" && $0.tone == .good }
            guard case .text(let listening) = address?.value else { return nil }
            // One whose list cannot be read says so itself when it runs.
            guard let registry = try? sink.kind.deviceRegistry(encryptedUnder: storeKey) else { return nil }
            return (sink.name.rawValue, listening, registry.viewing)
        }
    }

    /// The ids by which sources ask for other devices' places.
    func followedIDs() -> [Secret] { parts.followedIDs() }

    /// The links by which others find the tracked object's place.
    func sharedLinks() async -> [(sink: SinkID, link: Secret)] { await parts.sharedLinks() }

    /// What is configured from afar.
    var remoteStanding: RemoteStanding {
        let running = (applied.latest ?? configuration).remote
        guard var standing = remote.settings?.standing else { return running }
        standing.problem = standing.problem ?? running.problem
        standing.withheld = running.withheld.filter { key, _ in
            standing.values.values[key]?.text == running.values.values[key]?.text
        }
        return standing
    }

    /// How it stands at this moment.
    package func status() async -> AgentStatus {
        let tracker = await tracker.status()
        return AgentStatus(
            device: device, started: started, storePath: configuration.store.path,
            storeIsEncrypted: configuration.store.kind.sealsRecords, tracker: tracker,
            sourceStatus: parts.sourceStatus(now: tracker.time), sinkStatus: parts.sinkStatus(now: tracker.time),
            remote: remoteStanding, tracking: profiles.standing,
            wifi: hidesPlace(tracker) ? WifiStanding() : zones.standing)
    }

    /// Whether the object is where nobody is to know that it is: the network would tell.
    private func hidesPlace(_ tracker: TrackerStatus) -> Bool {
        if tracker.pause != nil || profiles.standing?.resolution.profile == .off { return true }
        return tracker.sources.contains(where: \.hidesPlace)
    }

    /// Releases what ``assemble(_:environment:logger:)`` has opened; the tracker must have stopped.
    package func close() async {
        await closeConnections()
        await closeStore()
    }

    /// The first half of ``close()``: sources and sinks let go of what they have opened.
    func closeConnections() async { await parts.close() }

    /// The second half of ``close()``.
    func closeStore() async { await store.close() }

    /// Whether the engine has taken up every source and sink.
    package func isReady() async -> Bool {
        let status = await tracker.status()
        return status.state == .running && status.sources.count == parts.sources.count
            && status.sinks.count == parts.sinks.count
    }
}

extension HostStatus {
    /// What the machine knows of itself; `nil` where that is nothing.
    fileprivate init?(_ battery: HostStatus?, in wifi: WifiNetwork?) {
        guard battery != nil || wifi != nil else { return nil }
        self.init(
            batteryLevel: battery?.batteryLevel, batteryState: battery?.batteryState ?? .unknown, wifi: wifi)
    }
}

/// Why an agent could not start.
package enum AgentStartError: Error, Sendable, CustomStringConvertible {
    /// The configuration cannot be used.
    case configuration(AgentConfigurationError)
    /// The configuration does not go with what is on the disk, and waiting does not help: another key encrypts the store.
    case unusable(String)
    /// Another process has what this one needs.
    case taken(String)
    /// Anything else.
    case failed(String)

    /// What is to be told, one line a problem.
    package var description: String {
        switch self {
        case .configuration(let error): error.description
        case .unusable(let message), .taken(let message), .failed(let message): message
        }
    }

    /// What a store's refusal means for the start.
    init(store error: StoreError) {
        self =
            switch error.code {
            case .locked: .taken(error.message)
            case .wrongKey: .unusable("cannot open the store: \(error)")
            case _: .failed("cannot open the store: \(error)")
            }
    }
}

extension AgentConfigurationError {
    /// What the engine or a plugin finds wrong, where it was given.
    init(_ error: ConfigurationError, _ places: ConfigurationPlaces) {
        self.init(error.problems.map { LocatedProblem(places.origin(of: $0.key), $0) })
    }
}

extension [String] {
    /// `a, b and c`
    fileprivate var inWordsWithAnd: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
