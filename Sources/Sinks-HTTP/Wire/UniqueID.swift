import TrackEngine

/// The UUID that stands for a device in Overland's `unique_id`.
enum UniqueID {
    /// The UUID of a device, upper case: made of its name, so that it outlives a new installation.
    static func of(_ device: DeviceID) -> String {
        EventID(device: device, kind: .location, beginning: Timestamp(secondsSince1970: 0)).description
    }
}
