package import TrackEngine

/// The two characters that OwnTracks shows for a device on its map.
package enum TrackerID {
    /// The problem of a tracker id, as the end of "expected …"; `nil` if it is valid.
    package static func problem(_ text: String) -> String? {
        let isShown = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        return text.count == 2 && isShown ? nil : "two characters"
    }

    /// The last two letters and digits of a device's name, padded with zeros at the front.
    ///
    /// | device | tid |
    /// |---|---|
    /// | van_7 | n7 |
    /// | 7 | 07 |
    /// | Zürich | ch |
    package static func ofDevice(_ device: DeviceID) -> String {
        let end = String(device.rawValue.filter { $0.isLetter || $0.isNumber }.suffix(2))
        return String(repeating: "0", count: 2 - end.count) + end
    }
}
