extension Duration {
    /// Reads a written duration: `90`, `90s`, `15m`, `2h`, `1.5h` or `7d`; a number without a unit is in seconds.
    ///
    /// - Parameter text: digits, with an optional decimal point and an optional unit.
    /// - Returns: the duration, at most a hundred years; `nil` for any other text.
    package init?(written text: some StringProtocol) {
        var digits = text[...]
        var scale = 1.0
        if let unit = text.last, let seconds = Self.secondsOfUnits[unit] {
            digits.removeLast()
            scale = seconds
        }
        guard 1...40 ~= digits.utf8.count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }),
            let number = Double(digits)
        else { return nil }
        let seconds = number * scale
        guard seconds <= 100 * 365.25 * 86_400 else { return nil }
        self = .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    private static let secondsOfUnits: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
}
