import Logging
import Metrics
import TrackEngine
import TrackEngineHistory

/// Receives points of devices, into the history.
struct Receiver: Sendable {
    let history: TrackHistory
    let gateways: GatewayTable
    let rejections: RejectionList
    let newest: NewestPoints
    let places = AxisFilter()
    let feed: LivePublisher
    let clock: ServerClock
    let metrics: ServerMetrics
    let logger: Logger
    /// The device of the agent that the server belongs to. Only the agent writes its track.
    var ownDevice: DeviceID?

    /// How many points go into one commit: others wait as long.
    static let pointsAtOnce = 2_000

    /// The progress of a request. A long one is read and kept in portions.
    private struct Progress {
        /// All that was read, without the points of earlier portions.
        var reception = RequestContent()
        /// The newest kept point of each device.
        var newest: [DeviceID: HistoryPoint] = [:]
        /// The number of points that the sender may not write under their devices' names.
        var unusable = 0
        /// The number of points of more devices than a request may have.
        var surplus = 0
        /// The reason why a portion cannot be read where others can.
        var problem: UnreadableRequest?
        var hasRead = false
    }

    /// Receives a request; a reply that accepts it is written only when every point is on the disk or was there.
    func receive(
        _ request: SenderRequest, in format: any SenderFormat, from sender: AccessList.Sender, of access: AccessList
    ) async -> SenderReply {
        do throws(UnreadableRequest) {
            var progress = Progress()
            var portions = try RequestSplitter(request)
            while let portion = portions.next() {
                if let refusal = await take(portion, in: format, from: sender, of: access, &progress) {
                    await show(progress, from: sender, of: access)
                    return refusal
                }
                // Each portion is a turn of ``BodyThread``, also one that was not read and waited for nothing.
                await Task.yield()
            }
            if let problem = progress.problem {
                guard progress.hasRead else { throw problem }
                rejections.add(problem, from: sender.name, in: format.name, at: clock.now())
            }
            await show(progress, from: sender, of: access)
            guard progress.surplus == 0 else {
                return format.refusal(
                    status: 413, reason: "\(progress.surplus) points are not kept: \(Self.expectationOfDevices)")
            }
            // With others that are kept, they are listed alone: one bad name must not make a gateway repeat all for ever.
            guard progress.unusable == 0 || !progress.newest.isEmpty else {
                return format.refusal(
                    status: 409, reason: "\(progress.unusable) points are not kept: \(Self.expectationOfNames)")
            }
            return format.acceptance(of: progress.reception)
        } catch {
            rejections.add(error, from: sender.name, in: format.name, at: clock.now())
            return format.refusal(status: 400, reason: error.description)
        }
    }

    /// Keeps a portion; returns the reply where that fails for a part of it, and the sender has to send all of it again.
    private func take(
        _ portion: SenderRequest, in format: any SenderFormat, from sender: AccessList.Sender, of access: AccessList,
        _ progress: inout Progress
    ) async -> SenderReply? {
        let latest = clock.latest(at: clock.now())
        let reception: RequestContent
        do throws(UnreadableRequest) { reception = try format.read(portion) } catch {
            progress.problem = progress.problem ?? error
            return nil
        }
        progress.hasRead = true
        if reception.liesAll(after: latest), clock.mayBeSet {
            return format.refusal(status: 503, reason: "the server's clock is not set; try again later")
        }
        let checked = reception.refusingPoints(after: latest)
        var devices: [DeviceID: [HistoryPoint]]
        let unusable: Int
        let unknown: Set<DeviceID>
        let lost: Int
        let named = access.devices(
            of: checked.points, from: sender, besides: ownDevice, already: progress.newest.keys)
        do throws(StoreError) {
            (devices, unusable, unknown) = try await usable(named, of: sender, in: access)
            lost = try await sift(&devices)
            try await add(devices)
        } catch {
            logger.warning("points not kept", metadata: ["sender": "\(sender.name)", "error": "\(error)"])
            return format.refusal(status: 503, reason: "the points are not kept; try again later")
        }
        for (device, points) in devices {
            guard let last = points.max(by: { $0.fix.time < $1.fix.time }) else { continue }
            if progress.newest[device].map({ $0.fix.time < last.fix.time }) ?? true { progress.newest[device] = last }
        }
        guard unknown.isEmpty else {
            logger.warning(
                "points of devices with an unknown gateway not kept",
                metadata: ["sender": "\(sender.name)", "devices": "\(unknown.count)"])
            return format.refusal(status: 503, reason: "not all points are kept; try again later")
        }
        rejections.add(checked, from: sender.name, in: format.name, at: clock.now())
        rejections.add(unusable, Self.expectationOfNames, from: sender.name, in: format.name, at: clock.now())
        progress.unusable += unusable
        rejections.add(named.surplus, Self.expectationOfDevices, from: sender.name, in: format.name, at: clock.now())
        progress.surplus += named.surplus
        rejections.add(lost, AxisFilter.expectation, from: sender.name, in: format.name, at: clock.now())
        progress.reception.join(checked)
        return nil
    }

    private static let expectationOfNames =
        "expected a device's name of 1 to 64 bytes, of no other sender, gateway and not the server's own, and at most \(GatewayTable.devicesOfGateway) of a gateway"

    private static let expectationOfDevices =
        "expected at most \(AccessList.devicesAtOnce) devices in a request; send the others in another one"

    /// Removes points with a lost latitude or longitude; returns their number.
    private func sift(
        _ devices: inout [DeviceID: [HistoryPoint]], areKept: Bool = true
    ) async throws(StoreError) -> Int {
        try await places.sift(&devices, areKept: areKept) { device throws(StoreError) in
            try await history.newest(of: device)
        }
    }

    /// The points that a sender may write, how many others are left out in addition, and the devices of which it is
    /// unknown.
    private func usable(
        _ devices: (points: [DeviceID: [HistoryPoint]], unusable: Int, surplus: Int), of sender: AccessList.Sender,
        in access: AccessList
    ) async throws(StoreError) -> (points: [DeviceID: [HistoryPoint]], unusable: Int, unknown: Set<DeviceID>) {
        let others = access.senders.filter { $0.isGateway && $0.name != sender.name }
        let isSender = { @Sendable (gateway: DeviceID) in others.contains { $0.name == gateway } }
        let names = Array(devices.points.keys)
        guard sender.isGateway else {
            // The share can be noted later: the points are the sender's own.
            _ = try? await gateways.claim(names, by: sender.name, in: history, isSender: isSender)
            return (devices.points, devices.unusable, [])
        }
        let claim = try await gateways.claim(
            names, by: sender.name, in: history, isAlone: others.isEmpty, isSender: isSender)
        let points = devices.points.filter { claim.allowed.contains($0.key) }
        let refused = devices.points.filter { !claim.allowed.contains($0.key) && !claim.unknown.contains($0.key) }
        return (points, devices.unusable + refused.reduce(0) { $0 + $1.value.count }, claim.unknown)
    }

    /// Shows the new points to observers.
    private func show(_ progress: Progress, from sender: AccessList.Sender, of access: AccessList) async {
        let reception = progress.reception
        var current: [DeviceID: [HistoryPoint]] = [:]
        if let point = reception.current {
            let devices = access.devices(of: [point], from: sender, besides: ownDevice)
            current = (try? await usable(devices, of: sender, in: access).points) ?? [:]  // it is shown and not kept
            // It comes again as a point, and is listed then.
            if (try? await sift(&current, areKept: false)) == nil { current = [:] }
        }
        // A trip belongs to the device of the current position, or else to the only device with points.
        let travelling = current.keys.first ?? (progress.newest.count == 1 ? progress.newest.keys.first : nil)
        let isNews = travelling.map { newest.take(reception.trip, of: $0) } ?? false
        for (device, point) in progress.newest { show(point, of: device) }
        for (device, points) in current { for point in points { show(point, of: device) } }
        if isNews, let travelling, let point = newest.all[travelling] { send(point, of: travelling) }
    }

    /// Many devices share a commit, but many points of one device do not: other requests wait for one portion only.
    private func add(_ devices: [DeviceID: [HistoryPoint]]) async throws(StoreError) {
        let outcome = await withTaskGroup(of: Result<Void, StoreError>.self) { group in
            for (device, points) in devices {
                group.addTask {
                    do throws(StoreError) { return .success(try await add(points, of: device)) } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(Result<Void, StoreError>.success(())) { first, next in
                if case .failure = first { first } else { next }
            }
        }
        try outcome.get()
    }

    private func add(_ points: [HistoryPoint], of device: DeviceID) async throws(StoreError) {
        for start in stride(from: 0, to: points.count, by: Self.pointsAtOnce) {
            let portion = Array(points[start...].prefix(Self.pointsAtOnce))
            let addition = try await metrics.commits.measure { () async throws(StoreError) in
                try await history.add(portion, of: device)
            }
            metrics.newPoints.increment(by: addition.added)
            metrics.repeatedPoints.increment(by: addition.repeated)
            metrics.unusablePoints.increment(by: addition.refused)
        }
    }

    private func show(_ point: HistoryPoint, of device: DeviceID) {
        if newest.take(point, of: device) { send(point, of: device) }
    }

    private func send(_ point: HistoryPoint, of device: DeviceID) {
        feed.send(.point(point, of: device, on: newest.trip(of: device)))
    }
}
