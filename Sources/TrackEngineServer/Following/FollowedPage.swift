import TrackEngine
import TrackEngineHistory
import TrackEngineSettings

/// The information of a page about followed devices, in addition to their points.
struct FollowedPage: Sendable {
    private let devices: [DeviceID: FollowedDevice]
    private let here: Fix?

    /// - Parameter here: where the agent's own device is; `nil` where that is not known.
    init(_ devices: [FollowedDevice], here: Fix?) {
        self.devices = Dictionary(devices.map { ($0.device, $0) }) { _, newer in newer }
        self.here = here
    }

    /// `,"group","shared","failure","at","distance","bearing"`; no output for a device that is not followed.
    func write(_ device: DeviceID, at fix: Fix, to writer: inout JSONWriter) {
        guard let followed = devices[device] else { return }
        if let group = followed.group {
            writer.raw(#","group":"#)
            writer.string(group)
        }
        // A device that is not shared now was shared once, or there would be no point.
        writer.raw(#","shared":"#)
        writer.boolean(followed.fix != nil)
        if let failure = followed.failure {
            writer.raw(#","failure":"#)
            writer.string(failure)
        }
        if let place = followed.place {
            writer.raw(#","at":"#)
            writer.string(place)
        }
        guard let here, here.coordinate != fix.coordinate else { return }
        writer.raw(#","distance":"#)
        writer.number(here.coordinate.distance(to: fix.coordinate), decimals: 0)
        writer.raw(#","bearing":"#)
        writer.number(here.coordinate.bearing(to: fix.coordinate), decimals: 0)
    }
}
