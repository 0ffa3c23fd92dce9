internal import TrackEngine

/// A line of the files in which OwnTracks Recorder stores received messages: a time, the kind of message and the
/// message itself, a JSON object, separated by tabs.
enum OwnTracksLine {
    /// The message of a line; `nil` for any other line.
    static func content(of line: Span<UInt8>) -> Range<Int>? {
        guard line.count > 0, line[0] &- UInt8(ascii: "0") < 10, let first = line.offset(of: 0x09, from: 0),
            let second = line.offset(of: 0x09, from: first + 1), second + 1 < line.count,
            line[second + 1] == UInt8(ascii: "{")
        else { return nil }
        return (second + 1)..<line.count
    }
}
