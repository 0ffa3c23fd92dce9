package import TrackEngine

/// The name under which OwnTracks' Recorder keeps a device.
///
/// It has letters in lower case, and dashes for underscores and blanks, so devices with different names may share a
/// file.
package enum RecorderName {
    /// The Recorder's name for a user and a device.
    ///
    /// | user, device | folded |
    /// |---|---|
    /// | Jane, Van_7 | jane/van-7 |
    /// | jane, van 7 | jane/van-7 |
    package static func folded(user: String, device: DeviceID) -> String {
        folded("\(user)/\(device.rawValue)")
    }

    /// The Recorder's name for `user/device`.
    package static func folded(_ text: String) -> String {
        String(text.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
    }
}
