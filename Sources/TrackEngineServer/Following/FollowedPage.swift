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
        writer.member(#","group":"#, followed.group)
        // A device that is not shared now was shared once, or there would be no point.
        writer.member(#","shared":"#, followed.fix != nil)
        writer.member(#","failure":"#, followed.failure)
        writer.member(#","at":"#, followed.place)
        guard let here, here.coordinate != fix.coordinate else { return }
        writer.member(#","distance":"#, here.coordinate.distance(to: fix.coordinate), decimals: 0)
        writer.member(#","bearing":"#, here.coordinate.bearing(to: fix.coordinate), decimals: 0)
    }
}
