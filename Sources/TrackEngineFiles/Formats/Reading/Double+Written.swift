internal import TrackEngine

extension Double {
    /// Parses a number with a decimal point or, where commas do not separate numbers, with a decimal comma.
    init?(written text: Span<UInt8>) {
        if let number = Double(decimal: text) {
            self = number
            return
        }
        guard let comma = text.offset(of: UInt8(ascii: ","), from: 0),
            text.offset(of: UInt8(ascii: "."), from: 0) == nil
        else { return nil }
        var bytes = text.copied(0..<text.count)
        bytes[comma] = UInt8(ascii: ".")
        self.init(decimal: bytes.span)
    }
}
