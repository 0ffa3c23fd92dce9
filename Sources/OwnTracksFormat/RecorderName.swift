package import TrackEngine

/// Under which name OwnTracks' Recorder keeps a device.
///
/// It makes letters small and other characters dashes, so that devices with different names may share a file.
package enum RecorderName {
    /// What the Recorder makes of a user and a device.
    ///
    /// | user, device | folded |
    /// |---|---|
    /// | Jane, Van_7 | jane/van-7 |
    /// | jane, van 7 | jane/van-7 |
    package static func folded(user: String, device: DeviceID) -> String {
        folded("\(user)/\(device.rawValue)")
    }

    /// What the Recorder makes of `user/device`.
    package static func folded(_ text: String) -> String {
        String(text.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
    }
}
