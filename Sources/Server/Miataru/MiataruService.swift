package import Logging
package import SenderFormats
package import TrackEngine
package import TrackEngineHistory
import TrackEngineSettings

/// Answers Miataru's apps: keeps their places as each wants it, and shows them to those who know an id and may see it.
///
/// Beyond what its servers do, whoever asks or sends has a token of this server, and an id belongs to the sender that uses it
/// first: nobody can take another's by knowing it. No way of reading goes around the list of those who may see a device.
package actor MiataruService {
    let places: MiataruPlaces
    private let file: CompanionFile
    let clock: ServerClock
    private let logger: Logger
    /// Whether somebody still has a token.
    let isSender: @Sendable (DeviceID) -> Bool
    private(set) var register: MiataruRegister
    var visitors = MiataruVisitors()
    /// Wrong keys, and of ids the right one, because an app shows it with each place.
    var guesses = KeyGuesses()
    var provenKeys: [String: ProvenKey] = [:]
    /// Ids whose places are being added, with by how many requests, and ids that change hands. Neither begins beside the other.
    var adding: [String: Int] = [:]
    var taking: Set<String> = []
    /// Whether a place has come whose time agrees with the clock.
    var isClockProven = false

    /// A key that fitted what is kept of it.
    struct ProvenKey {
        let kept: DeviceKey
        let shown: TokenHash
    }

    /// The file with ids and lists, beside the history.
    static let fileName = "ids.json"

    /// How often it is looked for places whose time is over.
    static let sweep = Duration.seconds(60)
    /// The longest body, in bytes: some thousand places, where a device has no more than a thousand.
    static let longestBody = 1 << 20
    /// The most devices in one question.
    static let devicesAtOnce = 1000

    /// Takes up what an earlier run has kept; `directory` has to be there.
    package init(
        _ history: TrackHistory, directory: String, clock: ServerClock = .system, logger: Logger,
        isSender: @escaping @Sendable (DeviceID) -> Bool = { _ in true }
    ) async throws {
        let path = directory + "/" + Self.fileName
        file = try await history.companion(at: path)
        self.clock = clock
        self.logger = logger
        self.isSender = isSender
        if let bytes = try file.read(atMost: MiataruRegister.maximumSize) {
            guard let kept = MiataruRegister(bytes) else { throw ServerError("\(path): expected an object with 'ids'") }
            register = kept
            try file.encryptIfPlain(atMost: MiataruRegister.maximumSize)
            // What an earlier release wrote is written anew: with salted keys, and with who holds a right.
            let json = kept.json
            if json != bytes, json.count <= MiataruRegister.maximumSize { try file.replace(with: json) }
        } else {
            register = MiataruRegister()
        }
        places = try await MiataruPlaces(history, register.entries)
    }

    /// Removes what nobody wants kept any more, again and again until cancelled.
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

    /// Answers a call of a sender.
    package func answer(_ call: MiataruCall, _ request: SenderRequest, from sender: DeviceID) async -> SenderReply {
        await reply {
            guard request.body.count <= Self.longestBody else {
                throw MiataruFailure(status: 413, reason: "expected a body of at most 1 MiB")
            }
            guard let json = JSONValue(ifReadable: request.body), json.members != nil else {
                throw MiataruFailure.badRequest("expected a JSON object")
            }
            return switch call {
            case .updateLocation: try await update(json, request, from: sender)
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

    /// What a body says, or why there is no answer.
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
    func replace(_ changed: MiataruRegister) throws(MiataruFailure) {
        guard changed != register else { return }
        let bytes = changed.json
        guard bytes.count <= MiataruRegister.maximumSize else {
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
