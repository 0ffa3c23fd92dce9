import TrackEngine
import TrackEngineHistory

/// Where each device was last, for pages that show it live.
final class NewestPoints: Sendable {
    /// How many devices are known at the most; the history knows the others.
    static let limit = 10_000

    private let points = PthreadMutex([DeviceID: HistoryPoint]())

    /// Takes a point if it is newer than what is known of its device; returns whether it is.
    func take(_ point: HistoryPoint, of device: DeviceID) -> Bool {
        points.withLock { points in
            if let known = points[device], known.fix.time >= point.fix.time { return false }
            guard points[device] != nil || points.count < Self.limit else { return false }
            points[device] = point
            return true
        }
    }

    /// Forgets where a device was if that was within a stretch of time: its points there are removed.
    func forget(_ device: DeviceID, during times: Range<Timestamp>) {
        points.withLock { points in
            if let time = points[device]?.fix.time, times.contains(time) { points[device] = nil }
        }
    }

    /// All of them.
    var all: [DeviceID: HistoryPoint] { points.withLock { $0 } }
}
