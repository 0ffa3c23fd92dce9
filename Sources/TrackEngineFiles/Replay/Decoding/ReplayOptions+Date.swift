package import TrackEngine

extension ReplayOptions {
    /// The form of a day that ``startDate(_:)`` reads, in words that complete "expected …".
    package static let dayForm = "a day from 1980 to 2261 such as 2026-03-01, 20260301 or 010326 (ddmmyy)"

    /// The begin of a UTC day: `2026-03-01`, `20260301`, or `010326` as RMC has it, with the years 1980 to 2079. `nil` for
    /// anything else, and for a day that no calendar has.
    package static func startDate(_ text: String) -> Timestamp? {
        let digits = Array(text)
        let isNumber = digits.allSatisfy { ("0"..."9").contains($0) }
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        let day =
            switch digits.count {
            case 6 where isNumber:
                "\(part(4..<6) < "80" ? "20" : "19")\(part(4..<6))-\(part(2..<4))-\(part(0..<2))"
            case 8 where isNumber: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
            default: text
            }
        guard let time = Timestamp(rfc3339: day + "T00:00:00Z"), ("1980"..."2261").contains(day.prefix(4)) else {
            return nil
        }
        return time
    }
}
