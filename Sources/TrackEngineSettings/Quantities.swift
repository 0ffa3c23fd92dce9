package import TrackEngine

extension Duration {
    /// The duration for people, in at most two units: `0 s`, `59 s`, `2 min 5 s`, `3 h 12 min`, `2 d 4 h`.
    package var spoken: String {
        let seconds = Swift.max(0, components.seconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return Self.pair(seconds / 60, "min", seconds % 60, "s")
        case ..<86_400: return Self.pair(seconds / 3600, "h", seconds / 60 % 60, "min")
        default: return Self.pair(seconds / 86_400, "d", seconds / 3600 % 24, "h")
        }
    }

    private static func pair(_ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }
}

extension Double {
    /// The number with exactly this many decimals (0 to 9), rounded.
    package func fixed(_ decimals: Int) -> String {
        var bytes: [UInt8] = []
        bytes.appendFixed(self, decimals: decimals)
        guard decimals > 0, isFinite else { return String(decoding: bytes, as: UTF8.self) }
        let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        if point == bytes.endIndex { bytes.append(UInt8(ascii: ".")) }
        while bytes.count - point - 1 < decimals { bytes.append(UInt8(ascii: "0")) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Int {
    /// The number with a noun, in the plural for all but one: `1 record`, `2 fixes`.
    package func counted(_ noun: String) -> String {
        guard self != 1 else { return "1 \(noun)" }
        return "\(self) \(noun)" + (noun.hasSuffix("x") ? "es" : "s")
    }
}

extension Int64 {
    /// A size in bytes, in powers of 1000: `512 B`, `1.2 MB`.
    package var asBytes: String {
        var value = Double(self)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 1000 { return unit == "B" ? "\(self) B" : "\(value.fixed(1)) \(unit)" }
            value /= 1000
        }
        return "\(value.fixed(1)) TB"
    }
}

extension Coordinate {
    /// The position in chart notation, to about a decimetre: `50.087500 N 14.421300 E`.
    package var spoken: String {
        let north = latitude < 0 ? "S" : "N"
        let east = longitude < 0 ? "W" : "E"
        return "\(abs(latitude).fixed(6)) \(north) \(abs(longitude).fixed(6)) \(east)"
    }
}
