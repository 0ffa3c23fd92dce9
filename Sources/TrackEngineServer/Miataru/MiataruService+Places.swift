import TrackEngine
import TrackEngineHistory

/// Present and past places of devices, and the requests for them.
extension MiataruService {
    func update(
        _ json: JSONValue, _ request: SenderRequest, from sender: DeviceID, _ rejections: RejectionList?
    ) async throws -> JSONValue {
        let wish = try MiataruRetention(json["MiataruConfig"])
        let points = try self.points(json, request)
        let devices = Dictionary(grouping: points) { $0.device ?? "" }
        // All of it is checked before any of it is kept.
        let receives = { (entry: inout MiataruRegistry.Entry) in entry.receives(wish, at: request.time) }
        let (_, new) = try claiming(devices.keys, by: sender, receives)
        for id in devices.keys {
            for element in json["MiataruLocation"].map({ $0.array ?? [$0] }) ?? []
            where element["Device"]?.senderText == id {
                try require(element["DeviceKey"], for: id, by: sender)
            }
        }
        try await take(new, by: sender, receives)
        // While ids changed hands others may have.
        let (changed, lost) = try claiming(devices.keys, by: sender, receives)
        guard lost.isEmpty else { throw MiataruFailure.busy }
        try replace(changed)
        if points.contains(where: { clock.agrees(with: $0.point.fix.time, at: request.time) }) { isClockProven = true }
        let lostPlaces = try await add(devices, wish, at: request.time)
        let expectation = AxisFilter.expectation
        rejections?.add(lostPlaces, expectation, from: sender, in: MiataruSender().name, at: request.time)
        let kept = "\(points.count - lostPlaces) kept"
        return acknowledgement(lostPlaces == 0 ? kept : "\(kept), \(lostPlaces) held back: \(expectation)")
    }

    /// The places of a request. As at other servers one that cannot be kept refuses all: its sender looks for it.
    func points(_ json: JSONValue, _ request: SenderRequest) throws(MiataruFailure) -> [ReceivedPoint] {
        guard json["MiataruLocation"] != nil else { throw .badRequest("expected MiataruLocation") }
        let read: RequestContent
        do throws(UnreadableRequest) { read = try MiataruSender().read(request) } catch {
            throw .badRequest(error.description)
        }
        let latest = clock.latest(at: request.time)
        // An app sends its places in order and tries again after a 503: it waits for a clock that may be wrong, and
        // no longer.
        if read.liesAll(after: latest), clock.mayBeSet, !isClockProven {
            throw MiataruFailure(status: 503, reason: "the server's clock is not set; try again later")
        }
        let reception = read.refusingPoints(after: latest)
        if let refusal = reception.refusals.first { throw .badRequest(refusal.reason) }
        guard reception.points.allSatisfy({ $0.point.fix.horizontalAccuracy != nil }) else {
            throw .badRequest("expected a HorizontalAccuracy from 0 on")
        }
        return reception.points
    }

    func current(_ json: JSONValue, at now: Timestamp, from sender: DeviceID) async throws -> JSONValue {
        let asker = try await asker(json, from: sender)
        guard let list = json["MiataruGetLocation"]?.array, list.count <= Self.devicesAtOnce else {
            throw MiataruFailure.badRequest("expected MiataruGetLocation with at most \(Self.devicesAtOnce) devices")
        }
        var locations: [JSONValue] = []
        for element in list {
            let id = element["Device"]?.senderText ?? ""
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

    func past(_ json: JSONValue, at now: Timestamp, from sender: DeviceID) async throws -> JSONValue {
        let asker = try await asker(json, from: sender)
        let question = json["MiataruGetLocationHistory"]
        // Old clients write the members as a query.
        let query = ParameterList(question?.string ?? "")
        guard let id = question?["Device"]?.senderText ?? query["device"],
            let amount = question?["Amount"]?.count ?? query["amount"].flatMap({ Int($0) }), amount >= 1
        else {
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
                    .init("MaximumNumberOfLocationUpdates", .number(Double(MiataruPositions.longestHistory))),
                    .init("AvailableDeviceLocationUpdates", .number(Double(found.count))),
                ])),
            .init("MiataruLocation", .array(found.points.map { $0.location(of: id, slogan: nil) })),
        ])
    }

    /// A device as GeoJSON, for programs that have no id of their own: only of one that everybody may see.
    func feature(of id: String, at now: Timestamp, from sender: DeviceID) async throws -> JSONValue {
        guard let entry = register.entries[id] else { return .object([]) }
        guard entry.owner == sender || entry.key == nil && entry.allowed.isEmpty else {
            throw MiataruFailure(status: 401, reason: "expected GetLocation: the device restricts its viewers")
        }
        return await places.current(id, at: now)?.feature(of: id) ?? .object([])
    }

    func id(_ json: JSONValue) throws(MiataruFailure) -> String {
        let question = json["MiataruGetLocation"]
        guard let id = (question?.array?.first ?? question)?["Device"]?.senderText else {
            throw .badRequest("expected MiataruGetLocation with a Device")
        }
        return id
    }

    func delete(_ json: JSONValue, from sender: DeviceID) async throws -> JSONValue {
        let question = json["MiataruDeleteLocation"]
        let id = try await own(question, "Device", from: sender)
        let count = try await places.forget(id)
        watch.forget(DeviceID(rawValue: id))
        // Meanwhile it may have become another sender's.
        guard register.entries[id]?.owner == sender else { throw MiataruFailure.busy }
        let deleted = (count > 0 ? 1 : 0) + (count > 1 ? 1 : 0) + (visitors.forget(id) ? 1 : 0)
        var changed = register
        changed.release(id)
        try replace(changed)
        guard case .object(let members) = acknowledgement("deleted") else { return .null }
        return .object(members + [.init("MiataruDeletedCount", .number(Double(deleted)))])
    }

    func visits(_ json: JSONValue, from sender: DeviceID) async throws -> JSONValue {
        let question = json["MiataruGetVisitorHistory"]
        let id = try await own(question, "Device", from: sender)
        guard let amount = question?["Amount"]?.count, amount >= 1 else {
            throw MiataruFailure.badRequest("expected an Amount")
        }
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

    /// Notes a request as a visit, except for the sender's own devices.
    func note(_ asker: String, asks id: String, at now: Timestamp) {
        guard let entry = register.entries[id], entry.owner != register.entries[asker]?.owner else { return }
        visitors.note(asker, asks: id, at: now)
    }
}
