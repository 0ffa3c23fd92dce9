import TrackEngine

/// The UUID of a device for Overland's `unique_id`.
enum UniqueID {
    /// The UUID of a device, in upper case. It is derived from the device's name and survives a reinstallation.
    static func of(_ device: DeviceID) -> String {
        EventID(device: device, kind: .location, beginning: Timestamp(secondsSince1970: 0)).description
    }
}
