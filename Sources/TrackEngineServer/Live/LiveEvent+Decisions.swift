package import TrackEngine
import TrackEngineHistory

extension TrackServer {
    /// Shows a decision of an engine to observers. Records come through the history, too.
    package func show(_ decision: TrackerDecision, of device: DeviceID) {
        switch decision {
        case .recorded(let record) where record.kind != .location:
            if let event = HistoryEvent(record) { feed.send(.event(event, of: device)) }
        case .recorded(let record):
            _ = receiver.newest.take(HistoryPoint(record), of: device)
            feed.send(.record(record, of: device))
        case .rejected(let fix, _, let reason):
            // A fix that was merely not needed is still the newest position of the device.
            if !reason.isOfGates { receiver.newest.take(unneeded: fix, of: device) }
            rejectedFixes.add(.init(device: device, fix: fix, reason: reason))
            feed.send(.rejection(fix, reason, of: device))
        case .standby: break
        }
    }
}

extension LiveEvent {
    /// `event: record`: where a device is, and that it was kept.
    static func record(_ record: TrackRecord, of device: DeviceID) -> LiveEvent {
        let point = HistoryPoint(record)
        return LiveEvent("record", device) { writer in
            writer.members(of: point)
            writer.member(#","isMoving":"#, record.isMoving)
            writer.member(#","odometer":"#, record.odometer, decimals: 0)
        }
    }

    /// `event: visit`, `trip` or `transition`: the interpretation of the track, as a reader of the history gets it.
    static func event(_ event: HistoryEvent, of device: DeviceID) -> LiveEvent {
        let name: StaticString =
            switch event.content {
            case .visit: "visit"
            case .trip: "trip"
            case .transition: "transition"
            }
        return LiveEvent(name, device) { $0.members(of: event) }
    }

    /// `event: rejection`: the position that a device reports, and the reason why it was not kept.
    static func rejection(_ fix: Fix, _ reason: RejectionReason, of device: DeviceID) -> LiveEvent {
        LiveEvent("rejection", device) { $0.rejection(fix, reason) }
    }

    /// `event: point`: where another device is, and the trip that it is on.
    static func point(_ point: HistoryPoint, of device: DeviceID, on trip: SenderTrip?) -> LiveEvent {
        LiveEvent("point", device) { writer in
            writer.members(of: point)
            writer.member(trip)
        }
    }

    /// An event about a device.
    init(_ name: StaticString, _ device: DeviceID, _ members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.member(#"{"name":"#, device.rawValue)
        writer.raw(",")
        members(&writer)
        writer.raw("}")
        self.init(name, json: writer.bytes)
        self.device = device
    }
}

extension JSONWriter {
    /// `,"trip":{"mode","start","distance"}`; no output without a trip.
    mutating func member(_ trip: SenderTrip?) {
        guard let trip else { return }
        member(#","trip":{"mode":"#, trip.mode)
        member(#","start":"#, trip.start)
        memberOrNull(#","distance":"#, trip.distance, decimals: 0)
        raw("}")
    }

    /// A rejected fix's members, without braces.
    mutating func rejection(_ fix: Fix, _ reason: RejectionReason) {
        members(of: HistoryPoint(fix: fix))
        member(#","reason":"#, reason.name)
        member(#","isPlausible":"#, !reason.isOfGates)
    }
}
