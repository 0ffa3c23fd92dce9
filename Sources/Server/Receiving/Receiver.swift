import Logging
import Metrics
import SenderFormats
import TrackEngine
import TrackEngineHistory

/// Takes what devices send, into the history.
struct Receiver: Sendable {
    let history: TrackHistory
    let rejections: RejectionList
    let newest: NewestPoints
    let feed: LiveFeed
    let clock: ServerClock
    let metrics: ServerMetrics
    let logger: Logger

    /// How many points go into one commit: others wait as long.
    static let pointsAtOnce = 2_000

    /// Takes a request; the reply that says yes is written only when every point is on the disk or was there.
    func receive(
        _ request: SenderRequest, in format: any SenderFormat, from sender: AccessList.Sender, of access: AccessList
    ) async -> SenderReply {
        do throws(UnreadableRequest) {
            let latest = clock.latest(at: clock.now())
            let reception = try format.read(request)
            if reception.liesAll(after: latest), clock.mayBeSet {
                return format.refusal(status: 503, reason: "the server's clock is not set; try again later")
            }
            return await keep(reception.refusingPoints(after: latest), in: format, from: sender, of: access)
        } catch {
            rejections.add(error, from: sender.name, in: format.name, at: clock.now())
            return format.refusal(status: 400, reason: error.description)
        }
    }

    private func keep(
        _ reception: Reception, in format: any SenderFormat, from sender: AccessList.Sender, of access: AccessList
    ) async -> SenderReply {
        let (devices, unusable) = access.devices(of: reception.points, from: sender)
        do throws(StoreError) {
            try await add(devices)
        } catch {
            logger.warning("points not kept", metadata: ["sender": "\(sender.name)", "error": "\(error)"])
            return format.refusal(status: 503, reason: "the points are not kept; try again later")
        }
        rejections.add(reception, from: sender.name, in: format.name, at: clock.now())
        rejections.add(
            unusable, "expected a device's name of 1 to 64 bytes, of no other sender", from: sender.name,
            in: format.name, at: clock.now())
        let current = reception.current.map { access.devices(of: [$0], from: sender).points } ?? [:]
        // A trip belongs to the device that tells where it is now, or told it last.
        let travelling = current.keys.first ?? (devices.count == 1 ? devices.keys.first : nil)
        let isNews = travelling.map { newest.take(reception.trip, of: $0) } ?? false
        show(devices)
        show(current)
        if isNews, let travelling, let point = newest.all[travelling] { send(point, of: travelling) }
        return format.acceptance(of: reception)
    }

    /// Many devices share a commit, and many points of one do not: who comes between waits for one portion.
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

    private func show(_ devices: [DeviceID: [HistoryPoint]]) {
        for (device, points) in devices {
            guard let newest = points.max(by: { $0.fix.time < $1.fix.time }), self.newest.take(newest, of: device)
            else {
                continue
            }
            send(newest, of: device)
        }
    }

    private func send(_ point: HistoryPoint, of device: DeviceID) {
        feed.send(.point(point, of: device, on: newest.trip(of: device)))
    }
}
