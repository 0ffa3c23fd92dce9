internal import TrackEngine
internal import TrackEngineFiles

extension Duration {
    /// Hours, minutes and seconds in the form of a clock: `0:09`, `12:05`, `26:00:00`; whole days from a hundred
    /// hours on.
    package var clock: String {
        let seconds = Swift.max(0, components.seconds)
        guard seconds < 360_000 else { return "\(seconds / 86_400) d" }
        var bytes: [UInt8] = []
        if seconds >= 3600 {
            bytes.appendInteger(seconds / 3600)
            bytes.append(UInt8(ascii: ":"))
        }
        bytes.appendDecimal(seconds / 60 % 60, digits: seconds >= 3600 ? 2 : 1)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(seconds % 60, digits: 2)
        return String(decoding: bytes, as: UTF8.self)
    }
}
