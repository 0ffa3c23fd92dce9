import TrackEngine
import TrackEngineHistory

/// The newest point of each device and its current trip, for pages that show them live.
final class NewestPoints: Sendable {
    /// The most devices that are known here; the history knows the others.
    static let limit = 10_000

    private let points = SystemMutex([DeviceID: HistoryPoint]())
    private let trips = SystemMutex([DeviceID: SenderTrip]())

    /// Takes a point if it is newer than the known one of its device; returns whether it is.
    func take(_ point: HistoryPoint, of device: DeviceID) -> Bool {
        points.withLock { points in
            if let known = points[device], known.fix.time >= point.fix.time { return false }
            guard points[device] != nil || points.count < Self.limit else { return false }
            points[device] = point
            return true
        }
    }

    /// Takes a fix that was not recorded. The engine estimates the activity of records only, so the fix has that of the
    /// last record.
    func take(unneeded fix: Fix, of device: DeviceID) {
        let activity = points.withLock { $0[device]?.fix.activity }
        _ = take(HistoryPoint(fix: fix.withActivity(activity)), of: device)
    }

    /// Takes a sender's report of a trip, `nil` for no trip; returns whether it differs from the last one.
    func take(_ trip: SenderTrip?, of device: DeviceID) -> Bool {
        trips.withLock { trips in
            guard trips[device] != trip, trip == nil || trips[device] != nil || trips.count < Self.limit else {
                return false
            }
            trips[device] = trip
            return true
        }
    }

    /// The trip that a device is on.
    func trip(of device: DeviceID) -> SenderTrip? { trips.withLock { $0[device] } }

    /// Forgets where a device was if that was within a stretch of time: its points there are removed.
    func forget(_ device: DeviceID, during times: Range<Timestamp>) {
        points.withLock { points in
            if let time = points[device]?.fix.time, times.contains(time) { points[device] = nil }
        }
    }

    /// All of them.
    var all: [DeviceID: HistoryPoint] { points.withLock { $0 } }
}
