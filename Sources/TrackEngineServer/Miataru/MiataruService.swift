package import Logging
package import TrackEngine
package import TrackEngineHistory
import TrackEngineSettings

/// Answers Miataru's apps: keeps their places as each of them requests, and shows them to others that know an id and
/// may see it.
///
/// In contrast to Miataru's servers, each request needs a token of this server, and an id belongs to the sender that
/// uses it first: knowledge of an id is not enough to take it. All ways of reading respect the list of ids that may
/// see a device.
package actor MiataruService {
    let places: MiataruPositions
    /// Holds back places with a lost latitude or longitude.
    let watch = AxisFilter()
    private let file: EncryptedHistoryFile
    let clock: ServerClock
    private let logger: Logger
    /// Returns whether a sender still has a token.
    let isSender: @Sendable (DeviceID) -> Bool
    private(set) var register: MiataruRegistry
    var visitors = MiataruVisitors()
    /// Wrong keys, and of ids the right one, because an app shows it with each place.
    var guesses = KeyFailureLimiter()
    var provenKeys: [String: KnownKey] = [:]
    /// Ids with places being added, with the number of requests, and ids that change owners. Neither begins during
    /// the other.
    var adding: [String: Int] = [:]
    var taking: Set<String> = []
    /// True after the arrival of a place that agrees with the clock.
    var isClockProven = false

    /// A key that matched its stored form.
    struct KnownKey {
        let kept: DeviceKey
        let shown: TokenHash
    }

    /// The file with ids and lists, next to the history.
    static let fileName = "ids.json"

    /// The interval of the search for expired places.
    static let sweep = Duration.seconds(60)
    /// The longest body, in bytes: some thousand places, where a device has no more than a thousand.
    static let longestBody = 1 << 20
    /// The most devices in one question.
    static let devicesAtOnce = 1000

    /// Loads the state of an earlier run; `directory` has to exist.
    package init(
        _ history: TrackHistory, directory: String, clock: ServerClock = .system, logger: Logger,
        isSender: @escaping @Sendable (DeviceID) -> Bool = { _ in true }
    ) async throws {
        let path = directory + "/" + Self.fileName
        file = try await history.companion(at: path)
        self.clock = clock
        self.logger = logger
        self.isSender = isSender
        if let bytes = try file.read(atMost: MiataruRegistry.maximumSize) {
            guard let kept = MiataruRegistry(bytes) else { throw ServerError("\(path): expected an object with 'ids'") }
            register = kept
            try file.encryptIfPlain(atMost: MiataruRegistry.maximumSize)
            // The file of an earlier release is written anew: with salted keys, and with the holders of rights.
            let json = kept.json
            if json != bytes, json.count <= MiataruRegistry.maximumSize { try file.replace(with: json) }
        } else {
            register = MiataruRegistry()
        }
        places = try await MiataruPositions(history, register.entries)
    }

    /// Removes expired places repeatedly until cancelled.
    package func run(clock: any Clock<Duration>, now: @Sendable () -> Timestamp) async throws {
        while true {
            for id in await places.devices {
                do { try await places.prune(id, at: now()) } catch {
                    logger.warning("a place is not removed", metadata: ["error": "\(error)"])
                }
            }
            try await clock.sleep(for: Self.sweep)
        }
    }

    /// Answers a sender that asks for a device by its id in the address.
    func geoJSON(of id: String, from sender: DeviceID, at now: Timestamp) async -> SenderReply {
        await reply { try await feature(of: PercentEncoding.decoded(id) ?? id, at: now, from: sender) }
    }

    package func answer(_ call: MiataruRequest, _ request: SenderRequest, from sender: DeviceID) async -> SenderReply {
        await answer(call, request, from: sender, listing: nil)
    }

    /// Answers a call of a sender; places that are held back are added to a list.
    func answer(
        _ call: MiataruRequest, _ request: SenderRequest, from sender: DeviceID, listing rejections: RejectionList?
    ) async -> SenderReply {
        await reply {
            guard request.body.count <= Self.longestBody else {
                throw MiataruFailure(status: 413, reason: "expected a body of at most 1 MiB")
            }
            guard let json = JSONValue(readingNumberWords: request.body), json.members != nil else {
                throw MiataruFailure.badRequest("expected a JSON object")
            }
            return switch call {
            case .updateLocation: try await update(json, request, from: sender, rejections)
            case .getLocation: try await current(json, at: request.time, from: sender)
            case .getLocationHistory: try await past(json, at: request.time, from: sender)
            case .getLocationGeoJSON: try await feature(of: try id(json), at: request.time, from: sender)
            case .getVisitorHistory: try await visits(json, from: sender)
            case .deleteLocation: try await delete(json, from: sender)
            case .setDeviceKey: try await setKey(json["MiataruSetDeviceKey"], from: sender)
            case .setAllowedDeviceList: try await setAllowed(json["MiataruSetAllowedDeviceList"], from: sender)
            case .getAllowedDeviceList: try await allowed(json["MiataruGetAllowedDeviceList"], from: sender)
            case .setDeviceSlogan: try await setSlogan(json["MiataruSetDeviceSlogan"], from: sender)
            case .getDeviceSlogan: try await slogan(json["MiataruGetDeviceSlogan"], from: sender)
            case .getDeviceSecurityStatus: try await security(json["MiataruGetDeviceSecurityStatus"], from: sender)
            }
        }
    }

    /// Runs a request; the reply is its result, or the reason why there is none.
    private func reply(_ body: () async throws -> JSONValue) async -> SenderReply {
        do { return .json(try await body()) } catch let failure as MiataruFailure {
            return MiataruSender().refusal(status: failure.status, reason: failure.reason)
        } catch {
            logger.warning("a request of Miataru's failed", metadata: ["error": "\(error)"])
            return MiataruSender().refusal(status: 503, reason: "the server cannot do that now; try again later")
        }
    }
}

/// The register, and the words of replies.
extension MiataruService {
    /// Puts another register in force, once it is on the disk.
    func replace(_ changed: MiataruRegistry) throws(MiataruFailure) {
        guard changed != register else { return }
        let bytes = changed.json
        guard bytes.count <= MiataruRegistry.maximumSize else {
            throw MiataruFailure(status: 507, reason: "the server has no room for more ids and lists")
        }
        do throws(StoreError) { try file.replace(with: bytes) } catch {
            logger.warning("ids are not kept", metadata: ["error": "\(error)"])
            throw MiataruFailure(status: 503, reason: "the server cannot do that now; try again later")
        }
        register = changed
    }

    func acknowledgement(_ words: String) -> JSONValue {
        .object([.init("MiataruResponse", .string("ACK")), .init("MiataruVerboseResponse", .string(words))])
    }
}
