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
    private let places: MiataruPlaces
    private let path: String
    private let logger: Logger
    /// Whether somebody still has a token.
    private let isSender: @Sendable (DeviceID) -> Bool
    private var register: MiataruRegister
    private var visitors = MiataruVisitors()

    /// How often it is looked for places whose time is over.
    static let sweep = Duration.seconds(60)
    /// The most devices in one question.
    static let devicesAtOnce = 1000

    /// Takes up what an earlier run has kept; `directory` has to be there.
    package init(
        _ history: TrackHistory, directory: String, logger: Logger,
        isSender: @escaping @Sendable (DeviceID) -> Bool = { _ in true }
    ) async throws {
        path = directory + "/ids.json"
        self.logger = logger
        self.isSender = isSender
        if let (bytes, _) = try PrivateFile.read(path, atMost: MiataruRegister.maximumSize) {
            guard let kept = MiataruRegister(bytes) else { throw ServerError("\(path): expected an object with 'ids'") }
            register = kept
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
            guard let json = JSONValue(ifReadable: request.body), json.members != nil else {
                throw MiataruFailure.badRequest("expected a JSON object")
            }
            return switch call {
            case .updateLocation: try await update(json, request, from: sender)
            case .getLocation: try await current(json, at: request.time, from: sender)
            case .getLocationHistory: try await past(json, at: request.time, from: sender)
            case .getLocationGeoJSON: try await feature(of: try id(json), at: request.time, from: sender)
            case .getVisitorHistory: try visits(json, from: sender)
            case .deleteLocation: try await delete(json, from: sender)
            case .setDeviceKey: try setKey(json["MiataruSetDeviceKey"], from: sender)
            case .setAllowedDeviceList: try setAllowed(json["MiataruSetAllowedDeviceList"], from: sender)
            case .getAllowedDeviceList: try allowed(json["MiataruGetAllowedDeviceList"], from: sender)
            case .setDeviceSlogan: try setSlogan(json["MiataruSetDeviceSlogan"], from: sender)
            case .getDeviceSlogan: try slogan(json["MiataruGetDeviceSlogan"], from: sender)
            case .getDeviceSecurityStatus: try security(json["MiataruGetDeviceSecurityStatus"], from: sender)
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

// MARK: Places

extension MiataruService {
    private func update(
        _ json: JSONValue, _ request: SenderRequest, from sender: DeviceID
    ) async throws -> JSONValue {
        let wish = try MiataruWish(json["MiataruConfig"])
        let points = try self.points(json, request)
        let devices = Dictionary(grouping: points) { $0.device ?? "" }
        // All of it is looked at before any of it is kept.
        var changed = register
        for id in devices.keys {
            try changed.claim(id, by: sender, isSender: isSender)
            for element in json["MiataruLocation"].map({ $0.array ?? [$0] }) ?? []
            where element["Device"]?.senderName == id {
                try require(element["DeviceKey"], for: id)
            }
            changed.change(id) { $0.receives(wish, at: request.time) }
        }
        try replace(changed)
        for (id, points) in devices {
            try await places.add(points.map(\.point), of: id, wish, at: request.time)
        }
        return acknowledgement("\(points.count) kept")
    }

    /// The places of a request. As at other servers one that cannot be kept refuses all: its sender looks for it.
    private func points(_ json: JSONValue, _ request: SenderRequest) throws(MiataruFailure) -> [ReceivedPoint] {
        guard json["MiataruLocation"] != nil else { throw .badRequest("expected MiataruLocation") }
        let read: Reception
        do throws(UnreadableRequest) { read = try MiataruSender().read(request) } catch {
            throw .badRequest(error.description)
        }
        let reception = read.refusingPoints(after: request.time.advanced(by: Receiver.tolerance))
        if let refusal = reception.refusals.first { throw .badRequest(refusal.reason) }
        guard reception.points.allSatisfy({ $0.point.fix.horizontalAccuracy != nil }) else {
            throw .badRequest("expected a HorizontalAccuracy from 0 on")
        }
        return reception.points
    }

    private func current(_ json: JSONValue, at now: Timestamp, from sender: DeviceID) async throws -> JSONValue {
        let asker = try asker(json, from: sender)
        guard let list = json["MiataruGetLocation"]?.array, list.count <= Self.devicesAtOnce else {
            throw MiataruFailure.badRequest("expected MiataruGetLocation with at most \(Self.devicesAtOnce) devices")
        }
        var locations: [JSONValue] = []
        for element in list {
            let id = element["Device"]?.senderName ?? ""
            note(asker, asks: id, at: now)
            guard let entry = register.entries[id], register.rights(of: asker, to: id).current,
                let point = await places.current(id, at: now)
            else {
                locations.append(.null)
                continue
            }
            locations.append(point.location(of: id, slogan: entry.slogan.map { .string($0) } ?? .null))
        }
        return .object([.init("MiataruLocation", .array(locations))])
    }

    private func past(_ json: JSONValue, at now: Timestamp, from sender: DeviceID) async throws -> JSONValue {
        let asker = try asker(json, from: sender)
        let question = json["MiataruGetLocationHistory"]
        guard let id = question?["Device"]?.senderName, let amount = question?["Amount"]?.count, amount >= 1 else {
            throw MiataruFailure.badRequest("expected MiataruGetLocationHistory with Device and Amount")
        }
        note(asker, asks: id, at: now)
        var found: (points: [HistoryPoint], count: Int) = ([], 0)
        if register.rights(of: asker, to: id).history {
            found = try await places.past(id, limit: amount, at: now)
        }
        return .object([
            .init(
                "MiataruServerConfig",
                .object([
                    .init("MaximumNumberOfLocationUpdates", .number(Double(MiataruPlaces.longestHistory))),
                    .init("AvailableDeviceLocationUpdates", .number(Double(found.count))),
                ])),
            .init("MiataruLocation", .array(found.points.map { $0.location(of: id, slogan: nil) })),
        ])
    }

    /// A device as GeoJSON, for programs that have no id of their own: only of one that everybody may see.
    private func feature(of id: String, at now: Timestamp, from sender: DeviceID) async throws -> JSONValue {
        guard let entry = register.entries[id] else { return .object([]) }
        guard entry.owner == sender || entry.key == nil && entry.allowed.isEmpty else {
            throw MiataruFailure(status: 401, reason: "expected GetLocation: the device says who may see it")
        }
        return await places.current(id, at: now)?.feature(of: id) ?? .object([])
    }

    private func id(_ json: JSONValue) throws(MiataruFailure) -> String {
        let question = json["MiataruGetLocation"]
        guard let id = (question?.array?.first ?? question)?["Device"]?.senderName else {
            throw .badRequest("expected MiataruGetLocation with a Device")
        }
        return id
    }

    private func delete(_ json: JSONValue, from sender: DeviceID) async throws -> JSONValue {
        let question = json["MiataruDeleteLocation"]
        let id = try own(question, "Device", from: sender)
        let count = try await places.forget(id)
        let deleted = (count > 0 ? 1 : 0) + (count > 1 ? 1 : 0) + (visitors.forget(id) ? 1 : 0)
        var changed = register
        changed.release(id)
        try replace(changed)
        guard case .object(let members) = acknowledgement("deleted") else { return .null }
        return .object(members + [.init("MiataruDeletedCount", .number(Double(deleted)))])
    }

    private func visits(_ json: JSONValue, from sender: DeviceID) throws(MiataruFailure) -> JSONValue {
        let question = json["MiataruGetVisitorHistory"]
        let id = try own(question, "Device", from: sender)
        guard let amount = question?["Amount"]?.count, amount >= 1 else { throw .badRequest("expected an Amount") }
        let visits = visitors.all(of: id).prefix(amount).map { visit in
            JSONValue.object([
                .init("DeviceID", .string(visit.asker)),
                .init("TimeStamp", .number(Double(visit.time.secondsSince1970) * 1000)),
            ])
        }
        return .object([
            .init(
                "MiataruServerConfig",
                .object([
                    .init("MaximumNumberOfVisitorHistory", .number(Double(MiataruVisitors.limit))),
                    .init("AvailableVisitorHistory", .number(Double(visits.count))),
                ])),
            .init("MiataruVisitors", .array(Array(visits))),
        ])
    }

    /// Who asks leaves a trace, but of its own devices.
    private func note(_ asker: String, asks id: String, at now: Timestamp) {
        guard let entry = register.entries[id], entry.owner != register.entries[asker]?.owner else { return }
        visitors.note(asker, asks: id, at: now)
    }
}

// MARK: Who may

extension MiataruService {
    private func setKey(_ question: JSONValue?, from sender: DeviceID) throws -> JSONValue {
        guard let key = question?["NewDeviceKey"]?.string, (1...256).contains(key.count) else {
            throw MiataruFailure.badRequest("expected a NewDeviceKey of 1 to 256 characters")
        }
        let id = try own(question, "DeviceID", key: "CurrentDeviceKey", from: sender)
        var changed = register
        changed.change(id) { $0.key = TokenHash(of: key) }
        try replace(changed)
        return acknowledgement("the key is set")
    }

    private func setAllowed(_ question: JSONValue?, from sender: DeviceID) throws -> JSONValue {
        let id = try own(question, "DeviceID", from: sender)
        guard let list = question?["allowedDevices"]?.array else {
            throw MiataruFailure.badRequest("expected allowedDevices")
        }
        var allowed: [String: MiataruRegister.Rights] = [:]
        for element in list {
            guard let name = element["DeviceID"]?.senderName else {
                throw MiataruFailure.badRequest("expected allowedDevices with a DeviceID each")
            }
            allowed[name] = MiataruRegister.Rights(
                current: element["hasCurrentLocationAccess"]?.boolean ?? false,
                history: element["hasHistoryAccess"]?.boolean ?? false)
        }
        var changed = register
        try changed.allow(allowed, toSee: id)
        try replace(changed)
        return acknowledgement("\(allowed.count) may see the device")
    }

    private func allowed(_ question: JSONValue?, from sender: DeviceID) throws(MiataruFailure) -> JSONValue {
        let id = try own(question, "DeviceID", from: sender)
        let allowed = register.entries[id]?.allowed ?? [:]
        let list = allowed.sorted { $0.key < $1.key }.map { name, rights in
            JSONValue.object([
                .init("DeviceID", .string(name)), .init("hasCurrentLocationAccess", .boolean(rights.current)),
                .init("hasHistoryAccess", .boolean(rights.history)),
            ])
        }
        return .object([
            .init(
                "MiataruAllowedDeviceList",
                .object([
                    .init("DeviceID", .string(id)), .init("IsAllowedDeviceListEnabled", .boolean(!allowed.isEmpty)),
                    .init("allowedDevices", .array(list)),
                ]))
        ])
    }

    private func setSlogan(_ question: JSONValue?, from sender: DeviceID) throws -> JSONValue {
        let id = try own(question, "DeviceID", from: sender)
        guard register.entries[id]?.key != nil else { throw MiataruFailure.forbidden("expected a device with a key") }
        guard let slogan = question?["Slogan"]?.string, slogan.count <= 40, slogan.utf8.count <= 160,
            slogan == ReceiverText.oneLine(slogan, atMost: 40)
        else { throw MiataruFailure.badRequest("expected a Slogan of at most 40 characters in one line") }
        var changed = register
        changed.change(id) { $0.slogan = slogan }
        try replace(changed)
        return acknowledgement("the slogan is set")
    }

    private func slogan(_ question: JSONValue?, from sender: DeviceID) throws(MiataruFailure) -> JSONValue {
        let (id, isVisible) = try seen(question, from: sender)
        let slogan = isVisible ? register.entries[id]?.slogan : nil
        return .object([
            .init(
                "MiataruDeviceSlogan",
                .object([.init("DeviceID", .string(id)), .init("Slogan", slogan.map { .string($0) } ?? .null)]))
        ])
    }

    private func security(_ question: JSONValue?, from sender: DeviceID) throws(MiataruFailure) -> JSONValue {
        let (id, _) = try seen(question, from: sender)
        let entry = register.entries[id]
        return .object([
            .init(
                "MiataruDeviceSecurityStatus",
                .object([
                    .init("DeviceID", .string(id)), .init("HasDeviceKey", .boolean(entry?.key != nil)),
                    .init("IsAllowedDeviceListEnabled", .boolean(entry?.allowed.isEmpty == false)),
                ]))
        ])
    }

    /// The device that a question about somebody is about, and whether who asks may see it.
    private func seen(
        _ question: JSONValue?, from sender: DeviceID
    ) throws(MiataruFailure) -> (id: String, isVisible: Bool) {
        guard let id = question?["DeviceID"]?.senderName else { throw .badRequest("expected a DeviceID") }
        let asker = try asker(
            question?["RequestDeviceID"], key: question?["RequestDeviceKey"], named: "RequestDeviceID", from: sender)
        return (id, register.rights(of: asker, to: id).current)
    }

    /// Under which id somebody asks.
    private func asker(_ json: JSONValue, from sender: DeviceID) throws(MiataruFailure) -> String {
        let config = json["MiataruConfig"]
        return try asker(
            config?["RequestMiataruDeviceID"] ?? config?["requestingDeviceID"],
            key: config?["RequestMiataruDeviceKey"] ?? config?["requestingDeviceKey"], named: "RequestMiataruDeviceID",
            from: sender)
    }

    private func asker(
        _ id: JSONValue?, key: JSONValue?, named name: String, from sender: DeviceID
    ) throws(MiataruFailure) -> String {
        guard let id = id?.senderName else { throw .badRequest("\(name) is required") }
        try claim(id, by: sender)
        try require(key, for: id)
        return id
    }

    /// The sender's own device that a question is about.
    private func own(
        _ question: JSONValue?, _ name: String, key: String = "DeviceKey", from sender: DeviceID
    ) throws(MiataruFailure) -> String {
        guard let id = question?[name]?.senderName else { throw .badRequest("expected a \(name)") }
        try claim(id, by: sender)
        try require(question?[key], for: id)
        return id
    }

    private func require(_ key: JSONValue?, for id: String) throws(MiataruFailure) {
        guard let hash = register.entries[id]?.key else { return }
        guard let key = key?.string, hash.isSame(as: TokenHash(of: key)) else {
            throw .forbidden("expected the key of the device")
        }
    }

    private func claim(_ id: String, by sender: DeviceID) throws(MiataruFailure) {
        var changed = register
        try changed.claim(id, by: sender, isSender: isSender)
        try replace(changed)
    }

    /// Puts another register in force, once it is on the disk.
    private func replace(_ changed: MiataruRegister) throws(MiataruFailure) {
        guard changed != register else { return }
        let bytes = changed.json
        guard bytes.count <= MiataruRegister.maximumSize else {
            throw MiataruFailure(status: 507, reason: "the server has no room for more ids and lists")
        }
        do throws(ServerError) { _ = try PrivateFile.replace(path, with: bytes) } catch {
            logger.warning("ids are not kept", metadata: ["error": "\(error)"])
            throw MiataruFailure(status: 503, reason: "the server cannot do that now; try again later")
        }
        register = changed
    }

    private func acknowledgement(_ words: String) -> JSONValue {
        .object([.init("MiataruResponse", .string("ACK")), .init("MiataruVerboseResponse", .string(words))])
    }
}
