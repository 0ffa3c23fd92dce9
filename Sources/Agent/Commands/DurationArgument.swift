internal import ArgumentParser

/// A duration on the command line: `90`, `90s`, `15m`, `2h`, `1.5h` or `7d`; a bare number is seconds.
package struct DurationArgument: Sendable, Hashable {
    /// The duration itself, over zero and at most a hundred years.
    package let duration: Duration

    /// Reads a duration; `nil` for anything else.
    package init?(argument: String) {
        var digits = argument[...]
        var scale = 1.0
        if let unit = argument.last, let seconds = Self.units[unit] {
            digits.removeLast()
            scale = seconds
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }),
            let number = Double(digits)
        else { return nil }
        let seconds = number * scale
        guard seconds > 0, seconds <= 100 * 365.25 * 86_400 else { return nil }
        duration = .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// A number of seconds.
    package init(seconds: Int) {
        duration = .seconds(seconds)
    }

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
}

extension DurationArgument: ExpressibleByArgument {
    package var defaultValueDescription: String { "\(duration.components.seconds) s" }
}
